import { randomUUID } from "node:crypto";
import { ownTurn, TimeSlice } from "~/time-slice";
import type { Usage } from "../../canonical/usage";
import { readChatUsage } from "../chat/usage";
import type { WholeAnswer } from "../dialect";
import { longAnswerObject, notAnAnswer } from "../wire/whole-json";
import type { EmbeddingsSource } from "./read";
import { fromBase64, toBase64 } from "./vectors";

type Item = { object: "embedding"; index: number; embedding: readonly number[] | string };

/**
 * Understands an embeddings answer: one vector for each input, in the inputs' order, and in the encoding that the client
 * asked for whatever the supplier sent. A client that asked for base64 reads an empty vector out of floats.
 * @throws SupplierFailure `protocol`
 */
export async function readEmbeddingsAnswer(
  want: Pick<EmbeddingsSource, "count" | "format" | "body">,
  body: Buffer,
): Promise<WholeAnswer> {
  const answer = await longAnswerObject(body);
  const items = await itemsOf(answer.data, want);
  const usage = usageOf(answer.usage);
  // One family of client libraries refuses an answer without an id.
  const id = typeof answer.id === "string" ? answer.id : `embd-${randomUUID()}`;
  const model = typeof answer.model === "string" ? answer.model : (want.body.model as string);
  const written = (counted: Usage) =>
    Buffer.from(
      JSON.stringify({
        ...answer,
        id,
        object: "list",
        data: items,
        model,
        usage: { ...(answer.usage as object), prompt_tokens: counted.inputTokens, total_tokens: counted.inputTokens },
      }),
    );
  await ownTurn(body.length);
  const untouched = usage !== null && isInForm(answer, items);
  return {
    body: usage === null ? body : untouched ? withId(body, answer, id) : written(usage),
    usage,
    withUsage: usage === null ? written : undefined,
    outputText: () => "",
  };
}

/** The supplier's bytes with an id in front, where it gave none. */
function withId(body: Buffer, answer: { id?: unknown }, id: string): Buffer {
  if (answer.id === id) return body;
  const rest = body.subarray(body.indexOf("{") + 1);
  // Of two members of a name the last one counts.
  if ("id" in answer) return Buffer.from(JSON.stringify({ ...answer, id }));
  return Buffer.concat([Buffer.from(`{"id":${JSON.stringify(id)},`), rest]);
}

/** Some suppliers give a total only: for embeddings it is the same figure. */
function usageOf(wire: unknown): Usage | null {
  if (typeof wire !== "object" || wire === null) return null;
  const { prompt_tokens, total_tokens } = wire as { prompt_tokens?: unknown; total_tokens?: unknown };
  return readChatUsage({ prompt_tokens: prompt_tokens ?? total_tokens, completion_tokens: 0 });
}

/** Millions of numbers are looked at in turns with others. */
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

/** Whether the supplier's own bytes can go out as they are. */
function isInForm(answer: Record<string, unknown>, items: readonly Item[]): boolean {
  const { prompt_tokens, total_tokens } = answer.usage as { prompt_tokens?: unknown; total_tokens?: unknown };
  return (
    answer.object === "list" &&
    typeof answer.model === "string" &&
    prompt_tokens === total_tokens &&
    (answer.data as Record<string, unknown>[]).every(
      (item, position) =>
        item.object === "embedding" && item.index === position && item.embedding === items[position]!.embedding,
    )
  );
}
