import { editMembers, topLevelMembers } from "~/http/json-surgery";
import type { WholeAnswer } from "../dialect";
import { shownUses, toldUsesIn } from "../wire/billed-tools";
import { decoded, parseJson } from "../wire/long-texts";
import { isObject } from "../wire/reading";
import { atTier } from "../wire/service-tier";
import { thoughtOf } from "../wire/thoughts";
import { errorInside, notAnAnswer } from "../wire/whole-json";
import { contentPieces, picturesOf } from "./content";
import { isFailure } from "./stops";
import { readChatUsage, usageIn, withoutCost } from "./usage";

type WireChoice = { message?: WireMessage; delta?: WireMessage; finish_reason?: unknown; error?: unknown };
type WireMessage = {
  content?: unknown;
  refusal?: unknown;
  reasoning_content?: unknown;
  reasoning?: unknown;
  reasoning_details?: unknown;
  tool_calls?: unknown;
  function_call?: unknown;
  audio?: unknown;
  images?: unknown;
};

/** Understands a whole chat completion. @throws SupplierFailure `protocol` for HTML, an empty body, an error in a 200. */
export function readChatAnswer(body: Buffer): WholeAnswer {
  let answer: { choices?: unknown; usage?: unknown; service_tier?: unknown; error?: unknown };
  try {
    answer = parseJson(decoded(body)) as typeof answer;
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
  if (broken !== undefined) throw errorInside(errorOf(broken));
  const usage = withoutCost(answer.usage);
  return {
    body: usage === null ? body : withMember(body, "usage", usage),
    usage: atTier(readChatUsage(usageIn(answer)), answer.service_tier),
    toolUses: isObject(answer.usage) && toldUsesIn(answer.usage) !== null ? 0 : sumOfShown(choices),
    pictures: choices.reduce((sum, choice) => sum + picturesIn(choice?.message), 0),
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
  isFailure(choice?.finish_reason) || choice?.error != null;

/** What such a choice says of it, as an error. */
export const errorOf = ({ error, finish_reason }: { finish_reason?: unknown; error?: unknown }): unknown =>
  error ?? {
    code: finish_reason === "error" ? null : finish_reason,
    message: `the supplier ended the answer: ${finish_reason}`,
  };

/** The same bytes with one member exchanged. @throws SupplierFailure where they are nested too deeply for that */
function withMember(body: Buffer, name: string, value: object): Buffer {
  const text = body.toString("utf8");
  try {
    return Buffer.from(editMembers(text, topLevelMembers(text), { [name]: JSON.stringify(value) }));
  } catch (cause) {
    throw notAnAnswer("the supplier's answer is nested too deeply", cause);
  }
}

/** Everything in a message or delta that was generated, as one text; pictures are none. */
export function textOf(message: WireMessage | undefined | null): string {
  if (typeof message !== "object" || message === null) return "";
  let text = contentText(message.content);
  if (typeof message.refusal === "string") text += message.refusal;
  // One thought may come under several names at once.
  text += (isObject(message) ? thoughtOf(message)?.text : null) ?? detailsText(message.reasoning_details);
  for (const calls of [message.tool_calls, message.function_call]) {
    if (calls != null && !(Array.isArray(calls) && calls.length === 0)) text += argumentsOf(calls);
  }
  if (message.audio != null) text += JSON.stringify(message.audio);
  return text;
}

function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (content == null) return "";
  const pieces = contentPieces(content);
  if (pieces.length > 0 || picturesIn({ content }) > 0) return pieces.map(({ text }) => text).join("");
  return Array.isArray(content) && content.length === 0 ? "" : JSON.stringify(content);
}

/** Thoughts as aggregators tell them in parts: their texts and summaries, and nothing of their seals. */
function detailsText(details: unknown): string {
  if (!Array.isArray(details)) return "";
  return details
    .filter(isObject)
    .flatMap(({ text, summary }) => [text, summary])
    .map((text) => (typeof text === "string" ? text : ""))
    .join("");
}

/** How many pictures a message or delta shows. */
export function picturesIn(message: WireMessage | undefined | null): number {
  return isObject(message) ? picturesOf(message).length : 0;
}

/** Whether a delta says anything beside whose message it is: progress, of whatever shape. */
export const saysAnything = (delta: unknown): boolean =>
  isObject(delta) && Object.entries(delta).some(([name, value]) => !IDENTITY.has(name) && isThere(value));

const IDENTITY: ReadonlySet<string> = new Set(["role", "name"]);

const isThere = (value: unknown): boolean =>
  typeof value === "string"
    ? value !== ""
    : typeof value === "object" && value !== null && Object.keys(value).length > 0;

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
