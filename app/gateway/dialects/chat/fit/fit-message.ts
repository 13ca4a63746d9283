import type { ModelProfile } from "~/domain/catalogue/profiles";
import { isObject, type JsonObject } from "../../wire/events/reading";
import { fitLongId, fitShortId } from "../../wire/identifiers";
import { fitThoughts } from "./fit-thoughts";

type MessageRules = Pick<
  ModelProfile,
  | ("name" | "reasoning" | "callSignature" | "callDetail" | "callIds" | "messageMembers")
  | ("developer" | "contentLists" | "cachePoints" | "emptyAnswers")
>;
type Role = keyof MessageRules["messageMembers"];

/**
 * Adapts a message of a chat client to the model; an earlier message may come from another supplier. Returns the same
 * object if nothing changes, and null for an empty message that the model would reject.
 */
export function fitMessage(message: JsonObject, rules: MessageRules): JsonObject | null {
  const renamed =
    message.role === "developer" && rules.developer === "system" ? { ...message, role: "system" } : message;
  const named = rules.callIds === "any" ? renamed : withFitIds(renamed, FIT_IDS[rules.callIds]);
  const thought = named.role === "assistant" ? fitThoughts(named, rules) : named;
  const fitted = withPlainContent(rules.cachePoints === "refused" ? withoutMarks(thought) : thought, rules);
  if (rules.emptyAnswers === "refused" && isEmptyAnswer(fitted)) return null;
  return withMembers(fitted, rules.messageMembers[fitted.role as Role]);
}

const FIT_IDS = { most40: fitLongId, alphanumeric9: fitShortId };

/** Converts other suppliers' call ids in the message to a form that this supplier accepts. */
function withFitIds(message: JsonObject, fitId: (id: string) => string): JsonObject {
  const { tool_call_id: id, tool_calls: calls } = message;
  const isForeign = (callId: unknown): callId is string => typeof callId === "string" && fitId(callId) !== callId;
  const hasForeign = (call: unknown): boolean => isObject(call) && isForeign(call.id);
  const answered = isForeign(id) ? { ...message, tool_call_id: fitId(id) } : message;
  if (!Array.isArray(calls) || !calls.some(hasForeign)) return answered;
  const named = calls.map((call) => (hasForeign(call) ? { ...call, id: fitId(call.id) } : call));
  return { ...answered, tool_calls: named };
}

const isMarked = (part: unknown): boolean => isObject(part) && "cache_control" in part;

function withoutMark<Part>(part: Part): Part {
  if (!isMarked(part)) return part;
  const { cache_control: _mark, ...rest } = part as JsonObject;
  return rest as Part;
}

/** Removes other suppliers' cache marks from the message. */
function withoutMarks(message: JsonObject): JsonObject {
  const { content } = message;
  const plain = withoutMark(message);
  return Array.isArray(content) && content.some(isMarked) ? { ...plain, content: content.map(withoutMark) } : plain;
}

const isText = (part: unknown): part is { text: string } =>
  isObject(part) && part.type === "text" && typeof part.text === "string";

/** Joins a list of texts to one text, if the model does not accept lists. */
function withPlainContent(message: JsonObject, { contentLists }: MessageRules): JsonObject {
  const { role, content } = message;
  if (!Array.isArray(content) || contentLists.includes(role as Role) || !content.every(isText)) return message;
  return { ...message, content: content.map(({ text }) => text).join("\n\n") };
}

function isEmptyAnswer({ role, content, tool_calls: calls, refusal }: JsonObject): boolean {
  if (role !== "assistant" || (Array.isArray(calls) && calls.length > 0) || refusal != null) return false;
  return content == null || content === "" || (Array.isArray(content) && content.length === 0);
}

/** Removes members that the supplier would reject, such as the null members in gw's own answers. */
function withMembers(message: JsonObject, members: readonly string[] | undefined): JsonObject {
  if (members === undefined) return message;
  const isTaken = (name: string) => members.includes(name) && (message[name] !== null || name === "content");
  if (Object.keys(message).every(isTaken)) return message;
  const accepted: JsonObject = Object.fromEntries(Object.entries(message).filter(([name]) => isTaken(name)));
  const { content, refusal } = message;
  return content == null && typeof refusal === "string" ? { ...accepted, content: refusal } : accepted;
}
