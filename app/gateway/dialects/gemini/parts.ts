import { exactJson } from "~/http/exact-numbers";
import { isObject, type JsonObject } from "../wire/reading";

/** An answer's first candidate: its parts, and why it ended. A prompt that was blocked has none and says why. */
export function candidateOf(wire: JsonObject): { parts: JsonObject[]; finish: unknown } {
  const [first] = Array.isArray(wire.candidates) ? wire.candidates : [];
  const candidate = isObject(first) ? first : {};
  const blocked = isObject(wire.promptFeedback) ? wire.promptFeedback.blockReason : undefined;
  const content = isObject(candidate.content) ? candidate.content : {};
  const parts = Array.isArray(content.parts) ? content.parts.filter(isObject) : [];
  return { parts, finish: candidate.finishReason ?? (blocked == null ? undefined : "SAFETY") };
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
