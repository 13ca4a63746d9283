import { fileURLToPath } from "node:url";
import type { SessionAgent } from "./agent";

const SESSION = fileURLToPath(new URL("./ai-sdk-session.mjs", import.meta.url));

const withProvider = (provider: string, how: "streamText" | "generateText"): SessionAgent => ({
  name: `ai with @ai-sdk/${provider}, ${how}`,
  command: [process.execPath, SESSION],
  arguments: (_place, prompt) => [provider, how, prompt],
  environment: ({ url, key, model }) => ({ GW_URL: url, GW_KEY: key, GW_MODEL: model }),
  changing: (_folder, { from, to }) => [
    { call: { name: "read", input: { path: "note.txt" } }, shows: from },
    { call: { name: "edit", input: { path: "note.txt", from, to } } },
    { call: { name: "run", input: { command: "cat note.txt" } }, shows: to },
  ],
});

/** The AI SDK's own tool loop, with each provider that gw's clients use. */
export const aiSdk: readonly SessionAgent[] = ["openai", "openai-compatible", "anthropic"].flatMap((provider) => [
  withProvider(provider, "streamText"),
  withProvider(provider, "generateText"),
]);
