import { exactJson } from "~/http/body/json/exact-numbers";
import type { WireName } from "../../../canonical/exchange";
import { decoded, parseExactJson } from "../long-texts";
import { isObject, type JsonObject } from "./reading";

/**
 * Functions per format that convert a whole answer to stream events; they return null if the value is not an answer.
 */
const EVENTS: Partial<Record<WireName, (answer: JsonObject) => string[] | null>> = {
  chat: chatEvents,
  messages: messagesEvents,
  // In this format each stream event has the shape of an answer.
  gemini: (answer) => (Array.isArray(answer.candidates) ? [event(answer)] : null),
};

/**
 * Converts the whole answer of a supplier that ignored `stream` to the events of an equivalent stream. Null if the body
 * is not an answer, or if the format has no conversion.
 */
export function bodyAsEvents(wire: WireName, body: Buffer): Buffer | null {
  const events = EVENTS[wire];
  if (events === undefined) return null;
  let answer: unknown;
  try {
    answer = parseExactJson(decoded(body));
  } catch {
    return null;
  }
  const written = isObject(answer) ? events(answer) : null;
  return written === null ? null : Buffer.from(exactJson(written.join("")));
}

const event = (data: object, name?: string): string =>
  `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;

function chatEvents({ usage, ...answer }: JsonObject): string[] | null {
  if (!Array.isArray(answer.choices) || answer.choices.length === 0) return null;
  const chunk = { ...answer, object: "chat.completion.chunk" };
  const choices = answer.choices.filter(isObject).map(({ message, ...choice }, index) => ({
    index,
    ...choice,
    delta: isObject(message) ? withPlaces(message) : {},
  }));
  const totals = usage == null ? [] : [event({ ...chunk, choices: [], usage })];
  return [event({ ...chunk, choices }), ...totals, "data: [DONE]\n\n"];
}

const withPlaces = (message: JsonObject): JsonObject =>
  Array.isArray(message.tool_calls)
    ? { ...message, tool_calls: message.tool_calls.map((call, index) => (isObject(call) ? { index, ...call } : call)) }
    : message;

function messagesEvents(message: JsonObject): string[] | null {
  const { content, stop_reason, stop_sequence, usage } = message;
  if (!Array.isArray(content)) return null;
  const named = (data: JsonObject & { type: string }) => event(data, data.type);
  const blocks = content.filter(isObject).flatMap((block, index) => {
    const { start, deltas } = grown(block);
    return [
      named({ type: "content_block_start", index, content_block: start }),
      ...deltas.map((delta) => named({ type: "content_block_delta", index, delta })),
      named({ type: "content_block_stop", index }),
    ];
  });
  const opening = { ...message, content: [], stop_reason: null, stop_sequence: null };
  return [
    named({ type: "message_start", message: opening }),
    ...blocks,
    named({ type: "message_delta", delta: { stop_reason, stop_sequence: stop_sequence ?? null }, usage }),
    named({ type: "message_stop" }),
  ];
}

/** Returns the start of a block and the deltas that complete it. */
function grown(block: JsonObject): { start: JsonObject; deltas: JsonObject[] } {
  const { type, text, thinking, signature, input } = block;
  if (type === "text" && typeof text === "string")
    return { start: { ...block, text: "" }, deltas: [{ type: "text_delta", text }] };
  if (type === "tool_use") {
    const partial_json = typeof input === "string" ? input : JSON.stringify(input ?? {});
    return { start: { ...block, input: {} }, deltas: [{ type: "input_json_delta", partial_json }] };
  }
  if (type !== "thinking" || typeof thinking !== "string") return { start: block, deltas: [] };
  const seal = typeof signature === "string" ? [{ type: "signature_delta", signature }] : [];
  return { start: { ...block, thinking: "", signature: "" }, deltas: [{ type: "thinking_delta", thinking }, ...seal] };
}
