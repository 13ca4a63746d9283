import type { Answer, AnswerPart } from "../../canonical/answer";
import { errorInside, exactAnswerObject, notAnAnswer } from "../wire/events/whole-json";
import { CallIds } from "../wire/identifiers";
import { geminiSeal } from "../wire/thoughts/thoughts";
import { failureIn, readGeminiStop } from "./finish-reasons";
import { callOf, candidateOf, pictureOf } from "./parts";
import { readGeminiUsage } from "./usage";

/** Reads a whole answer of `generateContent`. @throws SupplierFailure if the body is not an answer. */
export function readGeminiBody(body: Buffer): Answer {
  const wire = exactAnswerObject(body);
  const { parts: wireParts, finish, words } = candidateOf(wire);
  if (wireParts.length === 0 && finish === undefined) throw notAnAnswer("the supplier's answer has no candidates");
  const id = typeof wire.responseId === "string" ? wire.responseId : "";
  const ids = new CallIds(id);
  const parts: AnswerPart[] = [];
  for (const part of wireParts) {
    const signature = geminiSeal(part.thoughtSignature);
    const call = callOf(part);
    if (part.thought === true && typeof part.text === "string")
      parts.push({ kind: "thinking", text: part.text, signature });
    else {
      if (signature !== null) sealThought(parts, signature, call !== null);
      if (typeof part.text === "string" && part.text !== "") parts.push({ kind: "text", text: part.text });
      const picture = pictureOf(part);
      if (picture !== null) parts.push(picture);
      if (call !== null) parts.push({ kind: "toolCall", ...call, id: ids.next(call.id) });
    }
  }
  const failure = failureIn(finish, { isEmpty: !parts.some(({ kind }) => kind !== "thinking"), words });
  if (failure !== null) throw errorInside(failure);
  return {
    id,
    model: typeof wire.modelVersion === "string" ? wire.modelVersion : "",
    parts,
    stop: readGeminiStop(
      finish,
      parts.some(({ kind }) => kind === "toolCall"),
    ),
    usage: readGeminiUsage(wire.usageMetadata),
  };
}

/** Adds a seal to its thought. The seal may be on the part after the thought, or on a call if thoughts are hidden. */
function sealThought(parts: AnswerPart[], signature: string, isCall: boolean): void {
  const last = parts.at(-1);
  if (last?.kind === "thinking" && last.signature === null) parts[parts.length - 1] = { ...last, signature };
  else if (isCall) parts.push({ kind: "thinking", text: "", signature });
}
