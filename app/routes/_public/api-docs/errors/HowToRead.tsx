import { CodeSample } from "~/ui/CodeSample";

const ENVELOPE = `{
  "error": {
    "code": "budget_exceeded",
    "type": "rate_limit_error",
    "message": "budget_exceeded - The spending or …",
    "human_message": "The spending or …"
  }
}`;

/** The envelope and the three rules for programs that read it. */
export function HowToRead() {
  return (
    <div className="mt-8 grid gap-x-12 gap-y-6 lg:grid-cols-[1.1fr_1fr]">
      <CodeSample name="What an error looks like" id="sample-envelope" text={ENVELOPE} />
      <ul className="grid content-start gap-3 text-ink-2">
        <li>
          <b className="font-strong text-ink">Read the code, the status and Retry-After.</b> The sentences are for
          people and may change; a program must not look for words in them.
        </li>
        <li>
          <b className="font-strong text-ink">429 and 503 always say when.</b> Their Retry-After is in whole seconds.
        </li>
        <li>
          <b className="font-strong text-ink">x-should-retry: false means stop.</b> Sending the same request again
          cannot help, or could cost twice. Common client libraries obey it.
        </li>
      </ul>
    </div>
  );
}
