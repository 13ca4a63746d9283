import { CodeChoice } from "../parts/CodeChoice";
import { Code, type GuideFacts, GuideSection, Text } from "./GuideSection";
import { jsonAnswer, streaming, tools } from "./samples/streams";

/** Streams, tools and JSON. */
export function Streams({ baseUrl, models }: GuideFacts) {
  return (
    <>
      <GuideSection id="streaming" title="4. Stream the answer">
        <Text>
          With <Code>stream: true</Code> each token leaves as soon as the supplier has made it. Chat streams end with{" "}
          <Code>data: [DONE]</Code>, messages streams with <Code>message_stop</Code>.
        </Text>
        <CodeChoice id="stream" title="Streaming" samples={streaming(baseUrl, models)} />
        <Text>
          A stream that breaks says so: it ends with one error event, <Code>stream_error</Code> or{" "}
          <Code>stream_interrupted</Code>, and without the sign of a clean end. What came before it is incomplete. When
          you hang up, the supplier is stopped within a second, and you pay for what was delivered.
        </Text>
      </GuideSection>
      <GuideSection id="tools" title="5. Let it call tools">
        <Text>
          Tools work in both styles of API, whole and streamed, several at once too. A chat client can use a
          messages-style model and the other way round: gw converts the conversation. What the other side cannot express
          is refused with <Code>unsupported_parameter</Code>, never dropped in silence.
        </Text>
        <CodeChoice id="tool" title="Tools" samples={tools(baseUrl, models)} />
      </GuideSection>
      <GuideSection id="json" title="6. Get JSON">
        <Text>
          Ask for a schema and you get an instance of it. Messages-style models do the same by a tool that they are made
          to call.
        </Text>
        <CodeChoice id="json-answer" title="JSON" samples={jsonAnswer(baseUrl, models)} />
      </GuideSection>
    </>
  );
}
