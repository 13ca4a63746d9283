import OpenAI, { toFile } from "openai";
import { type ChatGateway, catalogueFor, eventually, startChatGateway } from "./chat-gateway";
import { freePort, type GatewayOptions } from "./gateway";
import { type StandIn, startStandIn } from "./stand-in-supplier";

/** A line of an output file or an error file. */
export type Told = {
  custom_id: string;
  response: null | { status_code: number; request_id: string; body: { error?: { code: string } } };
  error: null | { code: string; message: string };
};
export type Processing = { supplier: string; lines: number; status: string; reason: string | null }[];

export const OVER = ["completed", "failed", "cancelled", "expired"];
const ENDPOINT = "/v1/chat/completions";
/** A plan of the stand-in for batches that end at once without errors. */
export const QUIET = { reads: 1, outcome: "completed" as const, refuse: {}, delayMs: {}, lost: [] as string[] };

export type BulkGateway = ChatGateway & { standIn: StandIn };

/** Starts a gateway with suppliers that take batches at half price, in two formats, and suppliers without batches. */
export async function startBulkGateway(options: GatewayOptions & { standIn?: StandIn } = {}): Promise<BulkGateway> {
  const standIn = options.standIn ?? (await startStandIn());
  const catalogue = catalogueFor(standIn.url, await freePort()) as { suppliers: object[]; models: object[] };
  const bulk = {
    ...{ name: "bulk", kind: "chat", base_url: standIn.url, region: "eu", cooldown: false },
    ...{ credentials: [{ name: "main", api_key: "sk-of-the-bulk-supplier" }] },
    batch: { protocol: "openai", price: 0.5 },
  };
  const letters = {
    ...{ ...bulk, name: "letters", kind: "messages" },
    batch: { protocol: "anthropic", price: 0.5 },
  };
  const price = { input_per_mtok: 0.5, output_per_mtok: 1.5 };
  const model = (id: string, ...suppliers: string[]) => ({
    ...{ id, owned_by: "stand-in", capability: "chat", context_tokens: 128_000, max_output_tokens: 4_000 },
    routes: suppliers.map((supplier, index) => ({ supplier, upstream_model: `up-${id}`, priority: index + 1, price })),
  });
  const config = {
    suppliers: [...catalogue.suppliers, bulk, letters],
    models: [
      ...catalogue.models,
      model("bulk-chat", "bulk"),
      model("either-chat", "primary", "bulk"),
      model("letter-chat", "letters"),
    ],
  };
  return startChatGateway({ ...options, standIn, config });
}

export const clientOf = ({ url }: { url: string }, apiKey: string) =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 });
/** Returns a line of a batch; `user` carries instructions for the stand-in. */
export const chatLine = (index: number, user = `tokens=${index + 1}`, body: object = {}) => ({
  ...{ custom_id: `line-${index}`, method: "POST", url: ENDPOINT },
  body: { model: "bulk-chat", max_tokens: 20, user, messages: [{ role: "user", content: "Hello" }], ...body },
});
export const linesFor = (count: number) => Array.from({ length: count }, (_, index) => chatLine(index));

/** Uploads lines and creates a batch from them. */
export async function begin(client: OpenAI, lines: readonly object[]) {
  const text = lines.map((line) => JSON.stringify(line)).join("\n");
  const file = await client.files.create({ purpose: "batch", file: await toFile(Buffer.from(text), "b.jsonl") });
  return client.batches.create({ input_file_id: file.id, endpoint: ENDPOINT, completion_window: "24h" });
}
/** Waits for the end of a batch and returns it. */
export const over = (client: OpenAI, id: string, patienceMs = 60_000) =>
  eventually(
    () => client.batches.retrieve(id),
    ({ status }) => OVER.includes(status),
    patienceMs,
  );
export const processingOf = (batch: object) => (batch as { processing: Processing }).processing;
/** Returns the lines of a file; empty without a file. */
export async function linesOf(client: OpenAI, fileId: string | null | undefined): Promise<Told[]> {
  if (fileId == null) return [];
  const text = await (await client.files.content(fileId)).text();
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Told);
}
/** Returns the ids of the answered calls. */
export const idsOf = (told: readonly Told[]) => told.map(({ response }) => response?.request_id).toSorted();
