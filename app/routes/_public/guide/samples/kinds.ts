import type { Sample } from "../../parts/CodeChoice";
import type { ModelsToTry } from "../models-to-try";

/** A call of each capability except conversations. */
export const otherKinds = (baseUrl: string, { embedding, rerank, speech, transcription }: ModelsToTry): Sample[] => [
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
    name: "speech",
    text: `curl ${baseUrl}/v1/audio/speech \\
  -H "Authorization: Bearer $GW_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "${speech}", "input": "Good morning.", "response_format": "wav"}' \\
  --output morning.wav`,
  },
  {
    name: "transcription",
    text: `curl ${baseUrl}/v1/audio/transcriptions \\
  -H "Authorization: Bearer $GW_KEY" \\
  -F file=@morning.wav \\
  -F model=${transcription}`,
  },
];
