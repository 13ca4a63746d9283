import { randomUUID } from "node:crypto";
import { ownTurn, TimeSlice } from "~/values/time-slice";
import type { Usage } from "../../canonical/usage";
import { readChatUsage } from "../chat/usage";
import type { WholeAnswer } from "../dialect";
import { longAnswerObject, notAnAnswer } from "../wire/events/whole-json";
import type { EmbeddingsSource } from "./read";
import { fromBase64, toBase64 } from "./vectors";

type Item = { object: "embedding"; index: number; embedding: readonly number[] | string };

/**
 * Reads an embeddings answer: one vector for each input, in the order of the inputs and in the client's encoding,
 * whatever the supplier sent. A client that requested base64 would decode floats as an empty vector.
 * @throws SupplierFailure `protocol`
 */
export async function readEmbeddingsAnswer(
  want: Pick<EmbeddingsSource, "count" | "format" | "body">,
  body: Buffer,
): Promise<WholeAnswer> {
  const answer = await longAnswerObject(body);
  const items = await itemsOf(answer.data, want);
  const usage = usageOf(answer.usage);
  // One family of client libraries rejects an answer without an id.
  const id = typeof answer.id === "string" ? answer.id : `embd-${randomUUID()}`;
  const model = typeof answer.model === "string" ? answer.model : (want.body.model as string);
  await ownTurn(body.length);
  const untouched = usage !== null && isInForm(answer, items);
  const headOf = (inputTokens: number) => {
    const counted = { ...(answer.usage as object), prompt_tokens: inputTokens, total_tokens: inputTokens };
    const { data: _data, ...rest } = answer;
    const head = JSON.stringify({ ...rest, id, object: "list", model, usage: counted });
    return Buffer.from(`${head.slice(0, -1)},"data":[`);
  };
  const room = headOf(Number.MAX_SAFE_INTEGER).length;
  const vectors = untouched ? body : await writtenItems(items, room);
  // The head is written into free space before the vectors, so that a hundred megabytes need no copy.
  const written = ({ inputTokens }: Usage) => {
    const head = headOf(inputTokens);
    head.copy(vectors, room - head.length);
    return vectors.subarray(room - head.length);
  };
  return {
    body: usage === null ? body : untouched ? withId(body, answer, id) : written(usage),
    usage,
    withUsage: usage === null ? written : undefined,
    outputText: () => "",
  };
}

/** Inserts the id at the start of the supplier's bytes if the answer has none. */
function withId(body: Buffer, answer: { id?: unknown }, id: string): Buffer {
  if (answer.id === id) return body;
  const rest = body.subarray(body.indexOf("{") + 1);
  return Buffer.concat([Buffer.from(`{"id":${JSON.stringify(id)},`), rest]);
}

/**
 * Reads the usage. Some suppliers report only the total, which is the same for embeddings. A zero means not counted.
 */
function usageOf(wire: unknown): Usage | null {
  if (typeof wire !== "object" || wire === null) return null;
  const { prompt_tokens, total_tokens } = wire as { prompt_tokens?: unknown; total_tokens?: unknown };
  const inputTokens = prompt_tokens || total_tokens;
  return inputTokens === 0 ? null : readChatUsage({ prompt_tokens: inputTokens, completion_tokens: 0 });
}

/** Reads the vectors in the order of the inputs. Yields the event loop, because there may be millions of numbers. */
async function itemsOf(data: unknown, want: Pick<EmbeddingsSource, "count" | "format">): Promise<Item[]> {
  if (!Array.isArray(data)) throw notAnAnswer("the supplier's answer has no data");
  if (data.length !== want.count) {
    throw notAnAnswer(`the supplier sent ${data.length} vectors for ${want.count} inputs`);
  }
  const items: Item[] = new Array(want.count);
  const slice = new TimeSlice();
  for (const [position, item] of (data as { index?: unknown; embedding?: unknown }[]).entries()) {
    const index = Number(item?.index ?? position);
    if (!Number.isInteger(index) || index < 0 || index >= want.count || items[index] !== undefined) {
      throw notAnAnswer("the supplier's vectors have wrong indexes");
    }
    items[index] = { object: "embedding", index, embedding: encoded(item?.embedding, want.format) };
    if (slice.isOver) await slice.next();
  }
  return items;
}

/** Writes the items as JSON after `room` free bytes for the head. Yields the event loop between items. */
async function writtenItems(items: readonly Item[], room: number): Promise<Buffer> {
  const slice = new TimeSlice();
  const pieces: Buffer[] = [];
  let length = room + END.length;
  for (const item of items) {
    const piece = Buffer.from(`${pieces.length === 0 ? "" : ","}${JSON.stringify(item)}`);
    pieces.push(piece);
    length += piece.length;
    if (slice.isOver) await slice.next();
  }
  const written = Buffer.allocUnsafe(length);
  let at = room;
  for (const piece of pieces) {
    at += piece.copy(written, at);
    if (slice.isOver) await slice.next();
  }
  END.copy(written, at);
  return written;
}

const END = Buffer.from("]}");

function encoded(embedding: unknown, format: "float" | "base64"): readonly number[] | string {
  if (typeof embedding === "string" && embedding !== "") {
    if (format === "base64") return embedding;
    const vector = fromBase64(embedding);
    if (vector !== null) return vector;
  } else if (isVector(embedding)) {
    return format === "float" ? embedding : toBase64(embedding);
  }
  throw notAnAnswer("the supplier's vectors cannot be read");
}

const isVector = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.length > 0 && value.every((number) => typeof number === "number");

/** Whether the supplier's bytes can be sent unchanged. */
function isInForm(answer: Record<string, unknown>, items: readonly Item[]): boolean {
  const { prompt_tokens, total_tokens } = answer.usage as { prompt_tokens?: unknown; total_tokens?: unknown };
  return (
    answer.object === "list" &&
    // An `id` that is not a string forces a rewrite: beside an inserted id it would be a duplicate, and parsers use the
    // last.
    (typeof answer.id === "string" || !("id" in answer)) &&
    typeof answer.model === "string" &&
    prompt_tokens === total_tokens &&
    (answer.data as Record<string, unknown>[]).every(
      (item, position) =>
        item.object === "embedding" && item.index === position && item.embedding === items[position]!.embedding,
    )
  );
}
