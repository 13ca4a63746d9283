import { exactJson } from "~/http/body/json/exact-numbers";
import type { Answer, AnswerPart } from "../../canonical/answer";
import type { AssistantPart, TextPart } from "../../canonical/conversation";
import { isObject, type JsonObject } from "../wire/events/reading";
import { CallIds } from "../wire/identifiers";
import { atTier } from "../wire/service-tier";
import { detailsSeal, sealOfCall, thoughtOf } from "../wire/thoughts/thoughts";
import { citationsOf, contentPieces, picturesOf } from "./content";
import { readChatStop } from "./finish-reasons";
import { readChatUsage, usageIn } from "./usage";

/** Converts a valid chat completion to an answer: its first choice. */
export function readChatBody(wire: JsonObject, stopSequences: readonly string[]): Answer {
  const choices = wire.choices as readonly JsonObject[];
  const choice = isObject(choices[0]) ? choices[0] : {};
  const message = isObject(choice.message) ? choice.message : {};
  const id = typeof wire.id === "string" ? wire.id : "";
  const parts: AnswerPart[] = [];
  const thought = thoughtOf(message);
  const details = detailsSeal(
    Array.isArray(message.reasoning_details) ? message.reasoning_details : [],
    thought?.text ?? "",
  );
  const seal = details ?? thought?.seal;
  if (seal !== undefined) parts.push({ kind: "thinking", text: thought?.text ?? "", signature: seal });
  for (const piece of contentPieces(message.content)) {
    if (piece.kind === "text") parts.push(piece);
    else parts.push({ ...piece, signature: null });
  }
  const citations = citationsOf(message.annotations);
  const last = parts.findLastIndex(({ kind }) => kind === "text");
  if (citations.length > 0 && last >= 0) parts[last] = { ...(parts[last] as TextPart), citations };
  parts.push(...picturesOf(message));
  const refusal = typeof message.refusal === "string" && message.refusal !== "" ? message.refusal : null;
  if (refusal !== null) parts.push({ kind: "text", text: refusal, isRefusal: true });
  const calls = toolCallsOf(message, id);
  parts.push(...calls);
  return {
    id,
    model: typeof wire.model === "string" ? wire.model : "",
    parts,
    stop: readChatStop(choice, { toolCalls: calls.length > 0, refusal: refusal !== null }, stopSequences),
    usage: atTier(readChatUsage(usageIn(wire)), wire.service_tier),
  };
}

function toolCallsOf(message: JsonObject, answerId: string): AssistantPart[] {
  if (!Array.isArray(message.tool_calls)) return [];
  const ids = new CallIds(answerId);
  return message.tool_calls.filter(isObject).flatMap((call): AssistantPart[] => {
    const called = isObject(call.function) ? call.function : {};
    const seal = sealOfCall(call);
    return [
      // The signature represents the thought that led to the call.
      ...(seal === null ? [] : [{ kind: "thinking" as const, text: "", signature: seal }]),
      {
        kind: "toolCall",
        id: ids.next(typeof call.id === "string" ? call.id : ""),
        name: typeof called.name === "string" ? called.name : "",
        arguments: argumentsText(called.arguments),
      },
    ];
  });
}

/** Returns arguments as JSON text; some suppliers send an object. */
export const argumentsText = (value: unknown): string =>
  typeof value === "string" ? value : value == null ? "" : exactJson(JSON.stringify(value));
