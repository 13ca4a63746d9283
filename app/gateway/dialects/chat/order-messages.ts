import type { ModelProfile } from "~/domain/catalogue/profiles";
import { GO_ON } from "../messages/write-turns";

export type WireMessage = Record<string, unknown>;

type OrderRules = Pick<ModelProfile, "system" | "userAfterTool" | "lastAssistant">;

/** Messages in an order that the model's template takes. */
export function inOrder(messages: readonly WireMessage[], rules: OrderRules): WireMessage[] {
  const placed = systemFirst(messages, rules.system);
  const parted = rules.userAfterTool ? placed : alternating(placed);
  return rules.lastAssistant === "taken" ? parted : begunAnswer(parted, rules.lastAssistant);
}

const isSystem = ({ role }: WireMessage): boolean => role === "system";

/**
 * What the system says first as one message, which no template refuses. Where it may not speak later, that becomes marked text of the
 * user, and system text alone is a request to answer that text.
 */
function systemFirst(messages: readonly WireMessage[], system: OrderRules["system"]): WireMessage[] {
  const behind = messages.findIndex((message) => !isSystem(message));
  const leading = behind < 0 ? messages : messages.slice(0, behind);
  const rest = behind < 0 ? [] : messages.slice(behind);
  const first = leading.length < 2 ? leading : [joined("system", leading)];
  if (system === "anywhere") return [...first, ...rest];
  if (rest.length === 0) return first.map((message) => ({ ...message, role: "user" }));
  return [...first, ...rest.map((message) => (isSystem(message) ? asUser(message) : message))];
}

type Content = string | readonly WireMessage[];
const partsOf = (content: Content): readonly WireMessage[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;

/** Several messages as one, in a list where one of them is a list. */
function joined(role: string, messages: readonly WireMessage[]): WireMessage {
  const contents = messages.map(({ content }) => content as Content);
  const isText = contents.every((content) => typeof content === "string");
  return { role, content: isText ? contents.join("\n\n") : contents.flatMap(partsOf) };
}

/** The mark by which messages-style suppliers are told of system text between turns as well. */
const tagged = (text: unknown): string => `<system>\n${text}\n</system>`;

function asUser({ content }: WireMessage): WireMessage {
  if (typeof content === "string") return { role: "user", content: tagged(content) };
  return { role: "user", content: partsOf(content as Content).map((part) => ({ ...part, text: tagged(part.text) })) };
}

/** The model acknowledges results before the user says more, and what the user says in a row is one message. */
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

/** The beginning of an answer says that the model is to go on with it, or the user does. */
function begunAnswer(messages: readonly WireMessage[], rule: "prefix" | "refused"): WireMessage[] {
  const last = messages.at(-1);
  if (last?.role !== "assistant" || last.tool_calls !== undefined) return [...messages];
  if (rule === "refused") return [...messages, { role: "user", content: GO_ON }];
  return [...messages.slice(0, -1), { ...last, prefix: true }];
}
