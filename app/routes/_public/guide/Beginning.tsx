import { CodeSample } from "~/ui/CodeSample";
import { CodeChoice } from "../parts/CodeChoice";
import { Code, type GuideFacts, GuideSection, Text } from "./GuideSection";
import { firstCall } from "./samples/first-call";

/** From an account to the first answer and what it cost. */
export function Beginning({ baseUrl, models }: GuideFacts) {
  return (
    <>
      <GuideSection id="key" title="1. Get a key">
        <Text>
          <a href="/signup" className="link">
            Create account
          </a>
          , confirm your e-mail address, and create a key under <b>API keys</b>. The secret is shown once; it begins
          with <Code>gw_</Code>. Whoever runs gw finds a first key in the terminal, where it was printed when gw started
          for the first time.
        </Text>
        <CodeSample name="In a terminal" id="guide-key" text={"export GW_KEY=gw_…"} />
      </GuideSection>
      <GuideSection id="first-call" title="2. Make the first call">
        <Text>
          Keep the SDK you have, and change two lines: the base URL and the key. Chat SDKs get{" "}
          <Code>{`${baseUrl}/v1`}</Code>, messages SDKs get <Code>{baseUrl}</Code>.
          {models.hasSandbox ? (
            <>
              {" "}
              The model <Code>sandbox-chat</Code> is part of gw. It needs no supplier and always answers, and a call to
              it takes the same way as any other.
            </>
          ) : null}
        </Text>
        <CodeChoice id="first" title="The first call" samples={firstCall(baseUrl, models)} />
        <Text>
          <Code>{`GET ${baseUrl}/v1/models`}</Code> lists what your key may call. So does the page of{" "}
          <a href="/models-public" className="link">
            models
          </a>
          , with prices.
        </Text>
      </GuideSection>
      <GuideSection id="receipt" title="3. Read the receipt">
        <Text>
          Every whole answer says in its headers where it came from and what it cost. Add <Code>-i</Code> to the{" "}
          <Code>curl</Code> line to see them.
        </Text>
        <CodeSample name="Headers of an answer" id="guide-receipt" text={RECEIPT} />
        <Text>
          The cost is exact, to the billionth of a dollar. Streams tell their cost in the audit log, because it is not
          known when their headers leave. Keep <Code>x-request-id</Code>: with it anybody can find the call.
        </Text>
      </GuideSection>
    </>
  );
}

const RECEIPT = `x-gw-supplier: sandbox
x-gw-region: global
x-gw-failover: false
x-gw-latency-ms: 3
x-gw-input-tokens: 6
x-gw-output-tokens: 21
x-gw-cost-usd: 0.000034500
x-request-id: 0199f6c1-7b2e-7c44-9a51-2f6d6a1c9e10`;
