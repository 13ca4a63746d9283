import { exactJson } from "~/http/body/json/exact-numbers";
import { unreachable } from "~/values/unreachable";
import type { Answer, AnswerPart } from "../../canonical/answer";
import { callItem, imageItem, messageItem, reasoningItem } from "./items";
import { incompleteBy, type OutputItem, type ResponseFrame, responseObject } from "./response";

/** Writes an answer as a response. */
export function writeResponse({ parts, stop, usage, model }: Answer, frame: ResponseFrame): string {
  const incomplete = incompleteBy(stop, parts.some(isRefusal));
  const output = joined(parts).map((part, index) => itemOf(part, index, frame));
  const status = incomplete === null ? "completed" : "incomplete";
  const last = output.at(-1);
  if (incomplete !== null && last !== undefined && last.type !== "reasoning")
    output[output.length - 1] = { ...last, status };
  const response = responseObject(frame, { model: frame.modelOf(model), status, output, usage, incomplete });
  return exactJson(JSON.stringify(response));
}

function itemOf(part: AnswerPart, index: number, frame: ResponseFrame): OutputItem {
  switch (part.kind) {
    case "text":
      return messageItem({ frame, index, said: part, status: "completed" });
    case "thinking":
      return reasoningItem({ frame, index, thought: part });
    case "toolCall":
      return callItem({ frame, index, call: part, status: "completed" });
    case "picture":
      return imageItem({ frame, index, picture: part });
    default:
      return unreachable(part);
  }
}

const isRefusal = (part: AnswerPart): boolean => part.kind === "text" && part.isRefusal === true;

const isUnsealed = (part: AnswerPart): part is Extract<AnswerPart, { kind: "thinking" }> =>
  part.kind === "thinking" && part.signature === null;

/** Joins adjacent texts to one message, and adjacent thoughts without a seal to one thought. */
function joined(parts: readonly AnswerPart[]): AnswerPart[] {
  const all: AnswerPart[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (part.kind === "text" && part.text === "") continue;
    if (part.kind === "text" && last?.kind === "text" && isRefusal(part) === isRefusal(last))
      all[all.length - 1] = { ...last, ...part, text: last.text + part.text };
    else if (isUnsealed(part) && last !== undefined && isUnsealed(last))
      all[all.length - 1] = { ...last, text: last.text + part.text };
    else all.push(part);
  }
  return all;
}
