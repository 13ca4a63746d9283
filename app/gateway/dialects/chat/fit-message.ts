import type { ModelProfile } from "~/domain/catalogue/profiles";
import { fitLongId, fitShortId } from "../wire/identifiers";
import { isObject, type JsonObject } from "../wire/reading";
import { fitThoughts } from "./fit-thoughts";

type MessageRules = Pick<ModelProfile, "name" | "reasoning" | "callSignature" | "callIds" | "assistantMembers">;

/**
 * A message of a chat client as the model takes it, wherever the client got it: the supplier may have changed since. The same object
 * where there is nothing to change.
 */
export function fitMessage(message: JsonObject, rules: MessageRules): JsonObject {
  const named = rules.callIds === "any" ? message : withFitIds(message, FIT_IDS[rules.callIds]);
  if (named.role !== "assistant") return named;
  return withMembers(fitThoughts(named, rules), rules.assistantMembers);
}

const FIT_IDS = { most40: fitLongId, alphanumeric9: fitShortId };

/** The message with ids that another supplier has given its calls in a form that this one takes. */
function withFitIds(message: JsonObject, fitId: (id: string) => string): JsonObject {
  const { tool_call_id: id, tool_calls: calls } = message;
  const isForeign = (given: unknown): given is string => typeof given === "string" && fitId(given) !== given;
  const hasForeign = (call: unknown): boolean => isObject(call) && isForeign(call.id);
  const answered = isForeign(id) ? { ...message, tool_call_id: fitId(id) } : message;
  if (!Array.isArray(calls) || !calls.some(hasForeign)) return answered;
  const named = calls.map((call) => (hasForeign(call) ? { ...call, id: fitId(call.id) } : call));
  return { ...answered, tool_calls: named };
}

/** The message without what its supplier would refuse: gw's own answers have members for each client's sake, most of them null. */
function withMembers(message: JsonObject, members: MessageRules["assistantMembers"]): JsonObject {
  if (members === null) return message;
  const isTaken = (name: string) => members.includes(name) && (message[name] !== null || name === "content");
  if (Object.keys(message).every(isTaken)) return message;
  const kept: JsonObject = Object.fromEntries(Object.entries(message).filter(([name]) => isTaken(name)));
  const { content, refusal } = message;
  return content == null && typeof refusal === "string" ? { ...kept, content: refusal } : kept;
}
