import { exactJson } from "~/http/body/json/exact-numbers";
import type { Picture } from "../../canonical/answer";
import { isObject, type JsonObject } from "../wire/events/reading";
import { Untranslatable } from "../wire/parts";

/** Returns an answer's first candidate. A blocked prompt has no candidate, only a reason. */
export function candidateOf(wire: JsonObject): { parts: JsonObject[]; finish: unknown; words: unknown } {
  const [first] = Array.isArray(wire.candidates) ? wire.candidates : [];
  const candidate = isObject(first) ? first : {};
  const blocked = isObject(wire.promptFeedback) ? wire.promptFeedback.blockReason : undefined;
  const content = isObject(candidate.content) ? candidate.content : {};
  const parts = Array.isArray(content.parts) ? content.parts.filter(isObject) : [];
  const finish = candidate.finishReason ?? (blocked == null ? undefined : "SAFETY");
  return { parts, finish, words: candidate.finishMessage };
}

/**
 * Returns the picture in a part; null if there is none.
 * @throws Untranslatable for other files, which no dialect can express.
 */
export function pictureOf({ inlineData, thought }: JsonObject): Picture | null {
  // Drafts from the model's thoughts are not part of the answer.
  if (!isObject(inlineData) || thought === true) return null;
  const { mimeType, data } = inlineData;
  if (typeof mimeType !== "string" || !/^image\/[\w.+-]{1,40}$/.test(mimeType) || typeof data !== "string")
    throw new Untranslatable("the supplier sent a file that is no picture");
  return { kind: "picture", url: `data:${mimeType};base64,${data}` };
}

/** Returns the call in a part: name, arguments as text, and the id, which only some API versions send. */
export function callOf({ functionCall }: JsonObject): { id: string; name: string; arguments: string } | null {
  if (!isObject(functionCall)) return null;
  const { id, name, args } = functionCall;
  return {
    id: typeof id === "string" ? id : "",
    name: typeof name === "string" ? name : "",
    arguments: exactJson(JSON.stringify(args ?? {})),
  };
}
