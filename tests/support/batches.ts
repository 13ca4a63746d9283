import OpenAI, { toFile } from "openai";
import { eventually } from "./chat-gateway";

type Body = { choices: { message: { content: string } }[]; error?: { code: string } };
/** A line of an output file or an error file. */
export type ToldLine = {
  id: string;
  custom_id: string;
  response: null | { status_code: number; request_id: string; body: Body };
  error: null | { code: string; message: string };
};

export const OVER = ["completed", "failed", "cancelled", "expired"];
export const ENDPOINT = "/v1/chat/completions";

export const clientOf = ({ url }: { url: string }, apiKey: string) =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 });

/** Returns an input line that the stand-in supplier answers at once. */
export const chatLine = (index: number, body: object = {}, more: object = {}) => ({
  ...{ custom_id: `line-${index}`, method: "POST", url: ENDPOINT },
  body: {
    model: "fast-chat",
    max_tokens: 20,
    user: `tokens=${index + 1}`,
    messages: [{ role: "user", content: "Hello" }],
    ...body,
  },
  ...more,
});

const jsonLines = (lines: readonly unknown[]) =>
  lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");

/** Uploads lines and creates a batch from them. */
export async function begin(client: OpenAI, lines: readonly unknown[], more: object = {}) {
  const file = await client.files.create({
    purpose: "batch",
    file: await toFile(Buffer.from(jsonLines(lines)), "b.jsonl"),
  });
  return client.batches.create({ input_file_id: file.id, endpoint: ENDPOINT, completion_window: "24h", ...more });
}

/** Waits for the end of a batch and returns it. */
export const over = (client: OpenAI, id: string, patienceMs = 30_000) =>
  eventually(
    () => client.batches.retrieve(id),
    ({ status }) => OVER.includes(status),
    patienceMs,
  );

export async function linesOf(client: OpenAI, fileId: string | null | undefined): Promise<ToldLine[]> {
  if (fileId == null) return [];
  const text = await (await client.files.content(fileId)).text();
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as ToldLine);
}
