import { editMembers, topLevelMembers } from "~/http/json-surgery";
import type { WholeAnswer } from "../dialect";
import { shownUses, toldUsesIn } from "../wire/billed-tools";
import { isObject } from "../wire/reading";
import { atTier } from "../wire/service-tier";
import { errorInside, notAnAnswer } from "../wire/whole-json";
import { readChatUsage, withoutCost } from "./usage";

type WireChoice = { message?: WireMessage; delta?: WireMessage; finish_reason?: unknown; error?: unknown };
type WireMessage = {
  content?: unknown;
  refusal?: unknown;
  reasoning_content?: unknown;
  tool_calls?: unknown;
  function_call?: unknown;
  audio?: unknown;
};

/** Understands a whole chat completion. @throws SupplierFailure `protocol` for HTML, an empty body, an error in a 200. */
export function readChatAnswer(body: Buffer): WholeAnswer {
  let answer: { choices?: unknown; usage?: unknown; service_tier?: unknown; error?: unknown };
  try {
    answer = JSON.parse(body.toString("utf8"));
  } catch (cause) {
    throw notAnAnswer(
      body.length === 0 ? "the supplier sent an empty answer" : "the supplier's answer is not JSON",
      cause,
    );
  }
  if (answer?.error) throw errorInside(answer.error);
  if (!Array.isArray(answer?.choices)) throw notAnAnswer("the supplier's answer has no choices");
  const choices = answer.choices as WireChoice[];
  const broken = choices.find(isBroken);
  if (broken !== undefined) throw errorInside(broken.error);
  const usage = withoutCost(answer.usage);
  return {
    body: usage === null ? body : withMember(body, "usage", usage),
    usage: atTier(readChatUsage(answer.usage), answer.service_tier),
    toolUses: isObject(answer.usage) && toldUsesIn(answer.usage) !== null ? 0 : sumOfShown(choices),
    outputText: () => choices.map((choice) => textThere(choice.message)).join(""),
  };
}

const sumOfShown = (choices: readonly (WireChoice | null)[]) =>
  choices.reduce((sum, choice) => sum + shownUses(choice?.message), 0);

/** None where it is nested too deeply to be written again: what cannot be counted is not charged. */
function textThere(message: WireMessage | undefined): string {
  try {
    return textOf(message);
  } catch {
    return "";
  }
}

/** A choice whose model failed behind its first words, as aggregators tell it: in a 200, and inside the choice. */
export const isBroken = (choice: { finish_reason?: unknown; error?: unknown } | null): boolean =>
  choice?.finish_reason === "error" || choice?.error != null;

/** The same bytes with one member exchanged. @throws SupplierFailure where they are nested too deeply for that */
function withMember(body: Buffer, name: string, value: object): Buffer {
  const text = body.toString("utf8");
  try {
    return Buffer.from(editMembers(text, topLevelMembers(text), { [name]: JSON.stringify(value) }));
  } catch (cause) {
    throw notAnAnswer("the supplier's answer is nested too deeply", cause);
  }
}

/** Everything in a message or delta that was generated, as one text. */
export function textOf(message: WireMessage | undefined | null): string {
  if (typeof message !== "object" || message === null) return "";
  let text = "";
  if (typeof message.content === "string") text += message.content;
  else if (message.content != null) text += JSON.stringify(message.content);
  if (typeof message.refusal === "string") text += message.refusal;
  if (typeof message.reasoning_content === "string") text += message.reasoning_content;
  for (const calls of [message.tool_calls, message.function_call]) {
    if (calls != null && !(Array.isArray(calls) && calls.length === 0)) text += argumentsOf(calls);
  }
  if (message.audio != null) text += JSON.stringify(message.audio);
  return text;
}

/** Names and arguments are what a model generates of a tool call; ids and indexes are the supplier's. */
function argumentsOf(calls: unknown): string {
  return (Array.isArray(calls) ? calls : [{ function: calls }])
    .flatMap((call: { function?: { name?: unknown; arguments?: unknown } } | null) => [
      call?.function?.name,
      call?.function?.arguments,
    ])
    .map((text) => (typeof text === "string" ? text : ""))
    .join("");
}
