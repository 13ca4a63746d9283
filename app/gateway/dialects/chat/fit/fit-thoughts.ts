import { GENERAL, type ModelProfile } from "~/domain/catalogue/profiles";
import { isObject, type JsonObject } from "../../wire/events/reading";
import { geminiSignature, NO_THOUGHT, sealOfCall, signedCall, THOUGHT_FIELDS } from "../../wire/thoughts/thoughts";
import { contentPieces } from "../content";
import { readThoughtDetails, withCallDetail, withoutOwnDetails } from "../thought-details";

type ThoughtRules = Pick<ModelProfile, "name" | "reasoning" | "callSignature" | "callDetail">;

/**
 * Adapts the thoughts in a message of a chat client to the model; they may come from another supplier. Returns the same
 * object if nothing changes.
 */
export function fitThoughts(message: JsonObject, rules: ThoughtRules): JsonObject {
  if (message.role !== "assistant") return message;
  const { name, reasoning, callSignature, callDetail } = rules;
  const signed = callSignature === null ? message : withSignature(message, callSignature);
  const theirs = withoutOwnDetails(signed);
  const fitted = callDetail === null ? theirs : withCallDetail(theirs, callDetail);
  // Thoughts of a model without a profile are sent back unchanged.
  if (name === GENERAL.name && reasoning.field === GENERAL.reasoning.field) return fitted;
  const unsigned = callSignature === null ? withoutSignatures(fitted) : fitted;
  return withThoughts(reasoning.parts ? unsigned : withoutParts(unsigned, reasoning), reasoning);
}

const isThought = (part: unknown): boolean => isObject(part) && part.type === "thinking";

/** Moves thoughts from the content to the model's own field; the remaining texts become one text. */
function withoutParts(message: JsonObject, { field }: ThoughtRules["reasoning"]): JsonObject {
  const { content, tool_calls: calls } = message;
  if (!Array.isArray(content) || !content.some(isThought)) return message;
  const pieces = contentPieces(content);
  const textOf = (kind: "text" | "thinking") =>
    pieces.flatMap((piece) => (piece.kind === kind ? [piece.text] : [])).join("");
  const rest = content.filter((part) => !isThought(part));
  const isText = rest.every((part) => isObject(part) && part.type === "text");
  const text = textOf("text");
  const answerContent = isText ? (text === "" && calls != null ? null : text) : rest;
  const thought = textOf("thinking");
  const without = { ...message, content: answerContent };
  return field === null || thought === "" || message[field] ? without : { ...without, [field]: thought };
}

/** Moves thoughts from other fields to the model's own; adds the placeholder if the model requires a thought. */
function withThoughts(message: JsonObject, { field, back }: ThoughtRules["reasoning"]): JsonObject {
  const foreign = THOUGHT_FIELDS.filter((each) => each !== field && message[each] !== undefined);
  const isMissing = back === "required" && field !== null && !message[field];
  if (!isMissing && foreign.length === 0) return message;
  const rest = Object.fromEntries(Object.entries(message).filter(([each]) => !foreign.includes(each as never)));
  if (field === null) return rest;
  const thought =
    message[field] || foreign.map((each) => message[each]).find((text) => typeof text === "string" && text);
  if (thought) return { ...rest, [field]: thought };
  return isMissing ? { ...rest, [field]: NO_THOUGHT } : rest;
}

/** Adds the signature to the first call of a message, from the message's details, or the placeholder. */
function withSignature(message: JsonObject, rule: NonNullable<ThoughtRules["callSignature"]>): JsonObject {
  const { tool_calls: calls, reasoning_details } = message;
  const first: unknown = Array.isArray(calls) ? calls[0] : undefined;
  if (!isObject(first) || sealOfCall(first) !== null) return message;
  const known = [...readThoughtDetails(reasoning_details)].map((part) =>
    part.kind === "thinking" ? geminiSignature(part.signature) : null,
  );
  const signature = known.find((each) => each !== null) ?? null;
  return { ...message, tool_calls: [signedCall(first, rule, signature), ...(calls as readonly unknown[]).slice(1)] };
}

/** Removes other models' signatures from the calls of the message. */
function withoutSignatures(message: JsonObject): JsonObject {
  const { tool_calls: calls } = message;
  if (!Array.isArray(calls) || !calls.some((call) => isObject(call) && sealOfCall(call) !== null)) return message;
  const unsigned = calls.map((call: JsonObject | null) => {
    const { extra_content: _signature, ...rest } = call ?? {};
    return rest;
  });
  return { ...message, tool_calls: unsigned };
}
