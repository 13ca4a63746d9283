import { exactAnswer, exactJson } from "~/http/exact-numbers";
import { editMembers, topLevelMembers } from "~/http/json-surgery";
import type { InferenceRequest } from "../../canonical/inference-request";
import { NativeStreamReader } from "../native/stream";
import { isObject, type JsonObject } from "../wire/reading";
import type { SseEvent } from "../wire/sse";
import type { ResponsesBody, ResponsesSource } from "./read";

/** What asks for thoughts in a form in which they can come back. */
const ENCRYPTED = "reasoning.encrypted_content";

/** Encrypted thoughts by the ids of their items: kept with a response that is stored, and not shown. */
export type HiddenThoughts = ReadonlyMap<string, string>;

const asksFor = ({ include }: ResponsesBody): boolean => Array.isArray(include) && include.includes(ENCRYPTED);

/**
 * Whether a client gets thoughts without what is encrypted in them: it has the response stored, from where they go back, and did not
 * ask for more.
 */
export const hidesThoughts = ({ source }: InferenceRequest): boolean => {
  const { body } = source as ResponsesSource;
  return body.store !== false && !asksFor(body);
};

/** `include` for a supplier that stores nothing; null where the client's own is right. */
export const includeOf = (body: ResponsesBody): string | null =>
  body.store === false || asksFor(body)
    ? null
    : JSON.stringify([...((body.include as unknown[] | null) ?? []), ENCRYPTED]);

/** Whether an item is a thought of which the client was shown a part only. */
export const isShownInPart = (item: unknown): item is JsonObject & { id: string } =>
  isObject(item) && item.type === "reasoning" && typeof item.id === "string" && item.encrypted_content == null;

/** The item with what was hidden of it; the same one where nothing was. */
export const withHidden = (item: unknown, hidden: unknown): unknown =>
  isShownInPart(item) && isObject(hidden) && typeof hidden.encrypted_content === "string"
    ? { ...item, encrypted_content: hidden.encrypted_content }
    : item;

/** A whole response without what is encrypted in its thoughts, and that. */
export function hidden(body: Buffer, output: readonly unknown[]): { body: Buffer; hiddenThoughts: HiddenThoughts } {
  const found = new Map<string, string>();
  const shown = output.map((item) => shownItem(item, found));
  if (found.size === 0) return { body, hiddenThoughts: found };
  const text = body.toString("utf8");
  return {
    body: Buffer.from(editMembers(text, topLevelMembers(text), { output: exactJson(JSON.stringify(shown)) })),
    hiddenThoughts: found,
  };
}

function shownItem(item: unknown, found: Map<string, string>): unknown {
  if (!isObject(item) || item.type !== "reasoning" || typeof item.encrypted_content !== "string") return item;
  const { encrypted_content, ...shown } = item;
  if (typeof item.id === "string") found.set(item.id, encrypted_content as string);
  return shown;
}

/** Follows a stream whose client is not shown what is encrypted in its thoughts. */
export class HidingStreamReader extends NativeStreamReader {
  readonly hiddenThoughts = new Map<string, string>();

  protected override take(event: SseEvent): Buffer | null {
    return super.take(event.data.includes('"encrypted_content"') ? this.#shown(event) : event);
  }

  #shown(event: SseEvent): SseEvent {
    const wire = wireOf(event.data);
    if (wire === null) return event;
    const { item, response } = wire;
    const shown = {
      ...wire,
      ...(item === undefined ? {} : { item: shownItem(item, this.hiddenThoughts) }),
      ...(isObject(response) && Array.isArray(response.output)
        ? { response: { ...response, output: response.output.map((each) => shownItem(each, this.hiddenThoughts)) } }
        : {}),
    };
    const data = exactJson(JSON.stringify(shown));
    const name = event.event === "" ? "" : `event: ${event.event}\n`;
    return { ...event, data, bytes: Buffer.from(`${name}data: ${data}\n\n`) };
  }
}

/** The event's data; null where it is no object, which is for its reader to say. */
function wireOf(data: string): JsonObject | null {
  try {
    const wire: unknown = exactAnswer(JSON.parse(data), data);
    return isObject(wire) ? wire : null;
  } catch {
    return null;
  }
}
