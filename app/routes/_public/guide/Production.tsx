import { CodeSample } from "~/ui/CodeSample";
import { FactList } from "../parts/FactList";
import { Code, type GuideFacts, GuideSection, Text } from "./GuideSection";

/** Errors, and what to have done before others depend on it. */
export function Production({ models }: GuideFacts) {
  return (
    <>
      <GuideSection id="errors" title="12. Handle errors">
        <Text>
          Every error has a stable code. Read the code, the status and <Code>Retry-After</Code>; the sentences are for
          people. The client libraries raise their own typed errors for them.
        </Text>
        <CodeSample name="An error" id="guide-error" text={ERROR} />
        <Text>
          429 and 503 always say when, in whole seconds. <Code>x-should-retry: false</Code> means that the same request
          cannot succeed, or could cost twice. The{" "}
          <a href="/api-docs/errors" className="link">
            list of codes
          </a>{" "}
          says for each one what to do.
          {models.hasSandbox ? (
            <>
              {" "}
              To see how your application copes, call the{" "}
              <a href="/models-public?q=fault" className="link">
                models that fail on purpose
              </a>
              .
            </>
          ) : null}
        </Text>
      </GuideSection>
      <GuideSection id="production" title="13. Go to production">
        <FactList facts={CHECKS} />
      </GuideSection>
    </>
  );
}

const ERROR = `HTTP/1.1 429 Too Many Requests
Retry-After: 17

{
  "error": {
    "code": "rate_limit_exceeded",
    "type": "rate_limit_error",
    "message": "rate_limit_exceeded - Too many requests in a minute. …",
    "human_message": "Too many requests in a minute. …"
  }
}`;

const CHECKS = [
  {
    name: "An Idempotency-Key for what must not happen twice",
    text: "A request that carries one is carried out and charged once, however often it is sent; a repetition gets the first answer.",
  },
  {
    name: "A key for each application",
    text: "With a budget, a list of models and a rate limit. Never the root admin key.",
  },
  {
    name: "The key outside the code",
    text: "In the environment or a vault; never in a page or an app that others get.",
  },
  { name: "A region, if it matters", text: "Locked on the key, so that no line of code can forget it." },
  {
    name: "A second route",
    text: "Failover needs somewhere to go: look at the model’s suppliers before you depend on one.",
  },
  { name: "max_tokens", text: "Bounds what a request can cost, and with it what is held while it runs." },
  { name: "Time-outs above a minute", text: "Long answers take long. Let the client wait, or stream." },
  { name: "The request id in your log", text: "x-request-id joins your log, the audit log and the bill." },
  { name: "Rotation", text: "Rotate with an overlap: both secrets work until the old one ends." },
];
