import { editMembers, topLevelMembers } from "~/http/body/json/json-surgery";
import { isErrorObject } from "../../canonical/reported-error";
import type { WholeAnswer } from "../dialect";
import { reportedUsesIn, shownUses } from "../wire/billed-tools";
import { isObject } from "../wire/events/reading";
import { errorInside, notAnAnswer } from "../wire/events/whole-json";
import { decoded, parseJson } from "../wire/long-texts";
import { atTier } from "../wire/service-tier";
import { thoughtOf } from "../wire/thoughts/thoughts";
import { withFitCalls } from "./call-places";
import { contentPieces, picturesOf } from "./content";
import { isFailure, isKnownReason, withKnownReasons } from "./finish-reasons";
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

/** Reads a whole chat completion. @throws SupplierFailure `protocol` for HTML, an empty body, an error in a 200. */
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
  if (isErrorObject(answer, "choices")) throw errorInside(answer);
  if (!Array.isArray(answer?.choices)) throw notAnAnswer("the supplier's answer has no choices");
  const choices = answer.choices as WireChoice[];
  const broken = choices.find(isBroken);
  if (broken !== undefined) throw errorInside(errorOf(broken));
  const usage = withoutCost(answer.usage);
  const called = withFitCalls(body, choices);
  const reported = choices.every((choice) => isKnownReason(choice?.finish_reason))
    ? called
    : Buffer.from(withKnownReasons(decoded(called)));
  return {
    body: usage === null ? reported : withMember(reported, "usage", usage),
    usage: atTier(readChatUsage(usageIn(answer)), answer.service_tier),
    toolUses: isObject(answer.usage) && reportedUsesIn(answer.usage) !== null ? 0 : sumOfShown(choices),
    pictures: choices.reduce((sum, choice) => sum + picturesIn(choice?.message), 0),
    outputText: () => choices.map((choice) => textThere(choice.message)).join(""),
  };
}

const sumOfShown = (choices: readonly (WireChoice | null)[]) =>
  choices.reduce((sum, choice) => sum + shownUses(choice?.message), 0);

/**
 * Returns the text of a message; "" if it is nested too deeply to be serialised, because uncounted text is not charged.
 */
function textThere(message: WireMessage | undefined): string {
  try {
    return textOf(message);
  } catch {
    return "";
  }
}

/** Whether a choice reports that its model failed midway; aggregators report this in a 200, inside the choice. */
export const isBroken = (choice: { finish_reason?: unknown; error?: unknown } | null): boolean =>
  isFailure(choice?.finish_reason) || choice?.error != null;

/** Returns the error that such a choice reports. */
export const errorOf = ({ error, finish_reason }: { finish_reason?: unknown; error?: unknown }): unknown =>
  error ?? {
    code: finish_reason === "error" ? null : finish_reason,
    message: `the supplier ended the answer: ${finish_reason}`,
  };

/** Returns the bytes with one member replaced. @throws SupplierFailure if they are nested too deeply. */
function withMember(body: Buffer, name: string, value: object): Buffer {
  const text = body.toString("utf8");
  try {
    return Buffer.from(editMembers(text, topLevelMembers(text), { [name]: JSON.stringify(value) }));
  } catch (cause) {
    throw notAnAnswer("the supplier's answer is nested too deeply", cause);
  }
}

/** Returns all generated content of a message or delta as one text, without pictures. */
export function textOf(message: WireMessage | undefined | null): string {
  if (typeof message !== "object" || message === null) return "";
  let text = contentText(message.content);
  if (typeof message.refusal === "string") text += message.refusal;
  // Some suppliers send one thought under several names, so only one of them counts.
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

/** Returns the texts and summaries of thoughts that aggregators send in parts, without their seals. */
function detailsText(details: unknown): string {
  if (!Array.isArray(details)) return "";
  return details
    .filter(isObject)
    .flatMap(({ text, summary }) => [text, summary])
    .map((text) => (typeof text === "string" ? text : ""))
    .join("");
}

/** Returns the number of pictures in a message or delta. */
export function picturesIn(message: WireMessage | undefined | null): number {
  return isObject(message) ? picturesOf(message).length : 0;
}

/** Whether a delta has any content besides the role and name of its message. */
export const saysAnything = (delta: unknown): boolean =>
  isObject(delta) && Object.entries(delta).some(([name, value]) => !IDENTITY.has(name) && isPresent(value));

const IDENTITY: ReadonlySet<string> = new Set(["role", "name"]);

const isPresent = (value: unknown): boolean =>
  typeof value === "string"
    ? value !== ""
    : typeof value === "object" && value !== null && Object.keys(value).length > 0;

/** Returns the generated text of tool calls: names and arguments. Ids and indexes come from the supplier. */
function argumentsOf(calls: unknown): string {
  return (Array.isArray(calls) ? calls : [{ function: calls }])
    .flatMap((call: { function?: { name?: unknown; arguments?: unknown } } | null) => [
      call?.function?.name,
      call?.function?.arguments,
    ])
    .map((text) => (typeof text === "string" ? text : ""))
    .join("");
}
