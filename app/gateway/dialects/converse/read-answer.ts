import type { ModelProfile } from "~/domain/catalogue/profiles";
import { exactJson } from "~/http/body/json/exact-numbers";
import type { Answer, AnswerPart } from "../../canonical/answer";
import { isObject, type JsonObject } from "../wire/events/reading";
import { errorInside, exactAnswerObject, notAnAnswer } from "../wire/events/whole-json";
import { CallIds } from "../wire/identifiers";
import { failureIn, readConverseStop } from "./finish-reasons";
import { pictureOf } from "./picture";
import { readConverseUsage } from "./usage";

/**
 * Whether a model's seals are Claude signatures. Seals of other models are dropped: no other model accepts them, and
 * their own models do not need them.
 */
type SealRules = Pick<ModelProfile, "takesSealedThoughts">;
export const ANY_SEAL: SealRules = { takesSealedThoughts: true };

/**
 * Reads a whole Converse answer, which has no id and no model.
 * @throws SupplierFailure if the body is not an answer.
 */
export function readConverseBody(body: Buffer, { takesSealedThoughts } = ANY_SEAL): Answer {
  const { output, stopReason, usage } = exactAnswerObject(body);
  const message = isObject(output) && isObject(output.message) ? output.message : null;
  if (message === null || !Array.isArray(message.content)) throw notAnAnswer("the supplier's answer has no content");
  const failure = failureIn(stopReason);
  if (failure !== null) throw errorInside(failure);
  const ids = new CallIds("");
  return {
    id: "",
    model: "",
    parts: message.content.filter(isObject).flatMap((block) => readBlock(block, ids, takesSealedThoughts)),
    stop: readConverseStop(stopReason),
    usage: readConverseUsage(usage),
  };
}

/** Reads a content block; skips blocks that other dialects cannot express, such as citations. */
function readBlock(block: JsonObject, ids: CallIds, isSealed: boolean): AnswerPart[] {
  const { text, toolUse, reasoningContent, image } = block;
  if (isObject(image)) return pictureOf(image.format, image.source);
  if (typeof text === "string") return [{ kind: "text", text }];
  if (isObject(toolUse)) {
    const { toolUseId, name, input } = toolUse;
    return [
      {
        kind: "toolCall",
        id: ids.next(typeof toolUseId === "string" ? toolUseId : ""),
        name: typeof name === "string" ? name : "",
        arguments: exactJson(JSON.stringify(input ?? {})),
      },
    ];
  }
  const redacted = isObject(reasoningContent) ? reasoningContent.redactedContent : null;
  if (typeof redacted === "string")
    return isSealed ? [{ kind: "thinking", text: "", signature: redacted, isRedacted: true }] : [];
  const thought = isObject(reasoningContent) ? reasoningContent.reasoningText : null;
  if (!isObject(thought) || typeof thought.text !== "string") return [];
  const { text: thoughtText, signature } = thought;
  const seal = isSealed && typeof signature === "string" && signature !== "" ? signature : null;
  return [{ kind: "thinking", text: thoughtText, signature: seal }];
}
