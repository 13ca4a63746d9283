import type { ModelProfile } from "~/domain/catalogue/profiles";
import { GO_ON } from "../messages/write-turns";

export type WireMessage = Record<string, unknown>;

type OrderRules = Pick<ModelProfile, "system" | "userAfterTool" | "lastAssistant">;

/** Puts messages in an order that the model's template accepts. */
export function inOrder(messages: readonly WireMessage[], rules: OrderRules): WireMessage[] {
  const placed = systemFirst(messages, rules.system);
  const parted = rules.userAfterTool ? placed : alternating(placed);
  return rules.lastAssistant === "taken" ? parted : begunAnswer(parted, rules.lastAssistant);
}

const isSystem = ({ role }: WireMessage): boolean => role === "system";

/**
 * Joins the leading system messages to one, which every template accepts. If the model rejects later system messages,
 * they become tagged user messages. If there is only system text, it is sent as the user's message.
 */
function systemFirst(messages: readonly WireMessage[], system: OrderRules["system"]): WireMessage[] {
  const firstOther = messages.findIndex((message) => !isSystem(message));
  const leading = firstOther < 0 ? messages : messages.slice(0, firstOther);
  const rest = firstOther < 0 ? [] : messages.slice(firstOther);
  const first = leading.length < 2 ? leading : [joined("system", leading)];
  if (system === "anywhere") return [...first, ...rest];
  if (rest.length === 0) return first.map((message) => ({ ...message, role: "user" }));
  return [...first, ...rest.map((message) => (isSystem(message) ? asUser(message) : message))];
}

type Content = string | readonly WireMessage[];
const partsOf = (content: Content): readonly WireMessage[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;

/** Joins messages to one; the content is a list if one of them has a list. */
function joined(role: string, messages: readonly WireMessage[]): WireMessage {
  const contents = messages.map(({ content }) => content as Content);
  const isText = contents.every((content) => typeof content === "string");
  return { role, content: isText ? contents.join("\n\n") : contents.flatMap(partsOf) };
}

/** Tags system text between turns, in the same way as for messages-style suppliers. */
const tagged = (text: unknown): string => `<system>\n${text}\n</system>`;

function asUser({ content }: WireMessage): WireMessage {
  if (typeof content === "string") return { role: "user", content: tagged(content) };
  return { role: "user", content: partsOf(content as Content).map((part) => ({ ...part, text: tagged(part.text) })) };
}

/** Inserts an acknowledgement of the model between results and a user message, and joins adjacent user messages. */
function alternating(messages: readonly WireMessage[]): WireMessage[] {
  const ordered: WireMessage[] = [];
  for (const message of messages) {
    const last = ordered.at(-1);
    if (message.role === "user" && last?.role === "user") ordered[ordered.length - 1] = joined("user", [last, message]);
    else if (message.role === "user" && last?.role === "tool") ordered.push(ACKNOWLEDGED, message);
    else ordered.push(message);
  }
  return ordered;
}

const ACKNOWLEDGED: WireMessage = Object.freeze({ role: "assistant", content: "(I have the results.)" });

/** Asks the model to continue a partial answer at the end: by a `prefix` mark, or by a user message. */
function begunAnswer(messages: readonly WireMessage[], rule: "prefix" | "refused"): WireMessage[] {
  const last = messages.at(-1);
  if (last?.role !== "assistant" || last.tool_calls !== undefined) return [...messages];
  if (rule === "refused") return [...messages, { role: "user", content: GO_ON }];
  return [...messages.slice(0, -1), { ...last, prefix: true }];
}
