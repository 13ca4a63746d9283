import { exactAnswer, exactJson } from "~/http/body/json/exact-numbers";
import { editMembers, topLevelMembers } from "~/http/body/json/json-surgery";
import type { InferenceRequest } from "../../canonical/inference-request";
import { NativeStreamReader } from "../native/stream";
import { isObject, type JsonObject } from "../wire/events/reading";
import type { SseEvent } from "../wire/events/sse";
import type { ResponsesBody, ResponsesSource } from "./read";

/** Value of `include` that requests encrypted thoughts, which can be sent back. */
const ENCRYPTED = "reasoning.encrypted_content";

/** Encrypted thoughts by the ids of their items: saved with a stored response, and hidden from the client. */
export type HiddenThoughts = ReadonlyMap<string, string>;

const asksFor = ({ include }: ResponsesBody): boolean => Array.isArray(include) && include.includes(ENCRYPTED);

/**
 * Whether a client gets thoughts without their encrypted content: it did not request that, and the response is stored,
 * so that gw can add it to later requests.
 */
export const hidesThoughts = ({ source }: InferenceRequest<ResponsesSource>): boolean => {
  const { body } = source;
  return body.store !== false && !asksFor(body);
};

/** Returns `include` for a supplier without storage; null if the client's own is sufficient. */
export const includeOf = (body: ResponsesBody): string | null =>
  body.store === false || asksFor(body)
    ? null
    : JSON.stringify([...((body.include as unknown[] | null) ?? []), ENCRYPTED]);

/** Whether an item is a thought without its encrypted content. */
export const isShownInPart = (item: unknown): item is JsonObject & { id: string } =>
  isObject(item) && item.type === "reasoning" && typeof item.id === "string" && item.encrypted_content == null;

/** Returns the item with its hidden content; the same item if there is none. */
export const withHidden = (item: unknown, hidden: unknown): unknown =>
  isShownInPart(item) && isObject(hidden) && typeof hidden.encrypted_content === "string"
    ? { ...item, encrypted_content: hidden.encrypted_content }
    : item;

/** Removes the encrypted content of thoughts from a whole response, and returns both. */
export function hidden(body: Buffer, output: readonly unknown[]): { body: Buffer; hiddenThoughts: HiddenThoughts } {
  const thoughts = new Map<string, string>();
  const shown = output.map((item) => shownItem(item, thoughts));
  if (thoughts.size === 0) return { body, hiddenThoughts: thoughts };
  const text = body.toString("utf8");
  return {
    body: Buffer.from(editMembers(text, topLevelMembers(text), { output: exactJson(JSON.stringify(shown)) })),
    hiddenThoughts: thoughts,
  };
}

function shownItem(item: unknown, thoughts: Map<string, string>): unknown {
  if (!isObject(item) || item.type !== "reasoning" || typeof item.encrypted_content !== "string") return item;
  const { encrypted_content, ...shown } = item;
  if (typeof item.id === "string") thoughts.set(item.id, encrypted_content as string);
  return shown;
}

/** Reads a stream and hides the encrypted content of its thoughts from the client. */
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

/** Returns the event's data; null if it is not an object, which the stream reader reports. */
function wireOf(data: string): JsonObject | null {
  try {
    const wire: unknown = exactAnswer(JSON.parse(data), data);
    return isObject(wire) ? wire : null;
  } catch {
    return null;
  }
}
