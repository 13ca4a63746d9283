import type { Capability } from "~/domain/catalogue/shared";
import type { Snippet } from "~/ui/Snippets";

/** Sample call of a capability: its path, and a small body as JSON or as form fields. */
type Sample = { path: string; body: (model: string) => Record<string, unknown> } & (
  | { python: string; typescript: string }
  | { file: true }
);

const SAMPLES: Readonly<Record<Capability, Sample>> = {
  chat: {
    path: "/v1/chat/completions",
    body: (model) => ({ model, messages: [{ role: "user", content: "Say hello." }] }),
    python: "chat.completions.create",
    typescript: "chat.completions.create",
  },
  embedding: {
    path: "/v1/embeddings",
    body: (model) => ({ model, input: "Hello" }),
    python: "embeddings.create",
    typescript: "embeddings.create",
  },
  rerank: {
    path: "/v1/rerank",
    body: (model) => ({ model, query: "capital of France", documents: ["Paris", "Berlin"] }),
    python: "post",
    typescript: "post",
  },
  moderation: {
    path: "/v1/moderations",
    body: (model) => ({ model, input: "I like this park." }),
    python: "moderations.create",
    typescript: "moderations.create",
  },
  image: {
    path: "/v1/images/generations",
    body: (model) => ({ model, prompt: "A lighthouse at dusk", size: "1024x1024" }),
    python: "images.generate",
    typescript: "images.generate",
  },
  transcription: { path: "/v1/audio/transcriptions", body: (model) => ({ model }), file: true },
  speech: {
    path: "/v1/audio/speech",
    body: (model) => ({ model, input: "Hello", voice: "alloy" }),
    python: "audio.speech.create",
    typescript: "audio.speech.create",
  },
};

/**
 * Returns samples of a first call of a model for all clients that support it. They read the key from the environment
 * variable `GW_KEY`.
 */
export function samplesOf(baseUrl: string, { id, capability }: { id: string; capability: Capability }): Snippet[] {
  const sample = SAMPLES[capability];
  const body = sample.body(id);
  const address = `${baseUrl}${sample.path}`;
  if ("file" in sample) {
    return [
      {
        id: "curl",
        label: "curl",
        code: `curl ${address} \\\n  -H "Authorization: Bearer $GW_KEY" \\\n  -F ${quoted(`model=${id}`)} \\\n  -F file=@speech.mp3`,
      },
    ];
  }
  const curl = {
    id: "curl",
    label: "curl",
    code: `curl ${address} \\\n  -H "Authorization: Bearer $GW_KEY" \\\n  -H "Content-Type: application/json" \\\n  -d ${quoted(JSON.stringify(body))}`,
  };
  if (sample.python === "post") return [curl];
  const client = `${baseUrl}/v1`;
  return [
    curl,
    {
      id: "python",
      label: "Python",
      code: `import os
from openai import OpenAI

client = OpenAI(base_url="${client}", api_key=os.environ["GW_KEY"])
answer = client.${sample.python}(
${Object.entries(body)
  .map(([name, value]) => `    ${name}=${JSON.stringify(value)},`)
  .join("\n")}
)
print(answer)`,
    },
    {
      id: "typescript",
      label: "TypeScript",
      code: `import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${client}", apiKey: process.env.GW_KEY });
const answer = await client.${sample.typescript}(${JSON.stringify(body, null, 2)});
console.log(answer);`,
    },
  ];
}

/** Quotes any text as one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
