import { exactJson } from "~/http/exact-numbers";
import type { Picture } from "../../canonical/answer";
import { Untranslatable } from "../wire/parts";
import { isObject, type JsonObject } from "../wire/reading";

/** An answer's first candidate: its parts, why it ended, and the words about that. A prompt that was blocked has none and says why. */
export function candidateOf(wire: JsonObject): { parts: JsonObject[]; finish: unknown; words: unknown } {
  const [first] = Array.isArray(wire.candidates) ? wire.candidates : [];
  const candidate = isObject(first) ? first : {};
  const blocked = isObject(wire.promptFeedback) ? wire.promptFeedback.blockReason : undefined;
  const content = isObject(candidate.content) ? candidate.content : {};
  const parts = Array.isArray(content.parts) ? content.parts.filter(isObject) : [];
  const finish = candidate.finishReason ?? (blocked == null ? undefined : "SAFETY");
  return { parts, finish, words: candidate.finishMessage };
}

/** A picture that a part brings; null for none. @throws Untranslatable for a file of another kind, which no dialect has a place for. */
export function pictureOf({ inlineData, thought }: JsonObject): Picture | null {
  // What the model only tried while it was thinking is not its answer.
  if (!isObject(inlineData) || thought === true) return null;
  const { mimeType, data } = inlineData;
  if (typeof mimeType !== "string" || !/^image\/[\w.+-]{1,40}$/.test(mimeType) || typeof data !== "string")
    throw new Untranslatable("the supplier sent a file that is no picture");
  return { kind: "picture", url: `data:${mimeType};base64,${data}` };
}

/** A call of a part: its name, its arguments as text, and the id that only some versions give it. */
export function callOf({ functionCall }: JsonObject): { id: string; name: string; arguments: string } | null {
  if (!isObject(functionCall)) return null;
  const { id, name, args } = functionCall;
  return {
    id: typeof id === "string" ? id : "",
    name: typeof name === "string" ? name : "",
    arguments: exactJson(JSON.stringify(args ?? {})),
  };
}
