import { readdirSync, readFileSync } from "node:fs";
import type { Route } from "~/domain/catalogue/shared";
import type { StreamReader } from "../../dialect";

const folder = new URL("./", import.meta.url);

/** Returns the names of recorded streams of one dialect. */
export const streamsOf = (dialect: "chat" | "messages"): string[] =>
  readdirSync(folder).filter((name) => name.startsWith(`${dialect}-`));

export const recorded = (name: string): Buffer => readFileSync(new URL(name, folder));

/** Returns everything that a client sees of a stream that arrives in these pieces and then ends. */
export function through(reader: StreamReader, pieces: readonly Buffer[]): string {
  const chunks: Buffer[] = [];
  for (const piece of pieces) {
    const bytes = reader.push(piece);
    if (bytes !== null) chunks.push(bytes);
    if (reader.state !== "open") break;
  }
  const isComplete = reader.end();
  if (reader.late != null) chunks.push(reader.late);
  if (isComplete) chunks.push(reader.terminal);
  return Buffer.concat(chunks).toString("utf8");
}

/** Splits the bytes at these positions. */
export function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const edges = [0, ...[...new Set(places)].filter((at) => at > 0 && at < bytes.length).toSorted((a, b) => a - b)];
  return edges.map((from, index) => bytes.subarray(from, edges[index + 1] ?? bytes.length));
}

/** Returns the data of all events of one type, or of all chunks. */
// biome-ignore lint/suspicious/noExplicitAny: events of any shape, looked at by assertions only
export function dataIn(text: string, type?: string): any[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line.startsWith("data: ") && line !== "data: [DONE]")
    .map((line) => JSON.parse(line.slice(6)))
    .filter((data) => type === undefined || data.type === type);
}

/** Returns a route to a supplier of a kind; its model allows answers of 4,000 tokens. */
export const aRoute = (kind: "chat" | "messages", upstreamModel = "upstream-model"): Route => ({
  routeId: 1,
  model: { id: "m", ownedBy: "test", capability: "chat", contextTokens: 200_000, maxOutputTokens: 4_000 },
  supplier: {
    id: 1,
    name: "supplier",
    kind,
    baseUrl: "http://127.0.0.1:1/v1",
    region: "eu",
    timeoutMs: 1_000,
    idleTimeoutMs: 1_000,
    cooldown: true,
    streamUsage: true,
    draining: false,
    credentials: [],
  },
  upstreamModel,
  priority: 1,
  weight: 1,
  price: null,
});
