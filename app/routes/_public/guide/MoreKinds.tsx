import { CodeChoice } from "../parts/CodeChoice";
import { Code, type GuideFacts, GuideSection, Text } from "./GuideSection";

/** Everything that is not a conversation. */
export function MoreKinds({ baseUrl, models }: GuideFacts) {
  return (
    <GuideSection id="kinds" title="7. Vectors, ranks, sound">
      <Text>
        The same key, the same limits, the same receipt. Embeddings take up to 2048 texts of 2048 tokens; speech takes
        4096 characters; transcriptions take 25 MB of WAV, MP3, M4A, FLAC, OGG or WebM.
      </Text>
      <CodeChoice id="kind" title="Vectors, ranks, sound" samples={samples(baseUrl, models)} />
      <Text>
        Files are judged by their content, whatever their name says. An upload goes to the disk while it arrives and
        disappears with the call. Both versions of the rerank SDK work with <Code>{baseUrl}</Code> as their address.
      </Text>
    </GuideSection>
  );
}

const samples = (baseUrl: string, { embedding, rerank, speech, transcription }: GuideFacts["models"]) => [
  {
    name: "Embeddings",
    text: `curl ${baseUrl}/v1/embeddings \\
  -H "Authorization: Bearer $GW_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "${embedding}", "input": ["first text", "second text"]}'`,
  },
  {
    name: "Rerank",
    text: `curl ${baseUrl}/v1/rerank \\
  -H "Authorization: Bearer $GW_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "${rerank}", "query": "capital of France", "documents": ["Paris is a city.", "Cats sleep."]}'`,
  },
  {
    name: "Text to speech",
    text: `curl ${baseUrl}/v1/audio/speech \\
  -H "Authorization: Bearer $GW_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "${speech}", "input": "Good morning.", "response_format": "wav"}' \\
  --output morning.wav`,
  },
  {
    name: "Speech to text",
    text: `curl ${baseUrl}/v1/audio/transcriptions \\
  -H "Authorization: Bearer $GW_KEY" \\
  -F file=@morning.wav \\
  -F model=${transcription}`,
  },
];
