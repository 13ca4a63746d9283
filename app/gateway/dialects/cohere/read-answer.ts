import type { Answer } from "../../canonical/answer";
import type { AssistantPart } from "../../canonical/conversation";
import { argumentsText } from "../chat/read-answer";
import { isObject, type JsonObject } from "../wire/events/reading";
import { errorInside, exactAnswerObject, notAnAnswer } from "../wire/events/whole-json";
import { CallIds } from "../wire/identifiers";
import { PLAIN_SEAL } from "../wire/thoughts/thoughts";
import { isFailure, readCohereStop } from "./finish-reasons";
import { readCohereUsage } from "./usage";

/** Reads a whole answer of `/v2/chat`. @throws SupplierFailure if the body is not an answer or ended in an error. */
export function readCohereBody(body: Buffer): Answer {
  const { id, finish_reason, message, usage, error } = exactAnswerObject(body);
  if (isFailure(finish_reason)) throw errorInside(failureOf(finish_reason, error));
  if (!isObject(message)) throw notAnAnswer("the supplier's answer has no message");
  const ids = new CallIds(typeof id === "string" ? id : "");
  const plan = typeof message.tool_plan === "string" ? message.tool_plan : "";
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isObject) : [];
  return {
    id: typeof id === "string" ? id : "",
    // The answer does not name its model.
    model: "",
    parts: [
      ...(plan === "" ? [] : [{ kind: "thinking" as const, text: plan, signature: PLAIN_SEAL }]),
      ...contentOf(message.content),
      ...calls.map((call) => callOf(call, ids)),
    ],
    stop: readCohereStop(finish_reason, calls.length > 0),
    usage: readCohereUsage(usage),
  };
}

/** Returns the error of an answer that the supplier did not complete. */
export const failureOf = (reason: unknown, error: unknown): object => ({
  code: String(reason),
  message: typeof error === "string" && error !== "" ? error : `the supplier ended the answer: ${String(reason)}`,
});

function contentOf(content: unknown): AssistantPart[] {
  if (typeof content === "string") return content === "" ? [] : [{ kind: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content.filter(isObject).flatMap(({ text, thinking }): AssistantPart[] => {
    if (typeof thinking === "string" && thinking !== "")
      return [{ kind: "thinking", text: thinking, signature: PLAIN_SEAL }];
    return typeof text === "string" && text !== "" ? [{ kind: "text", text }] : [];
  });
}

function callOf({ id, function: called }: JsonObject, ids: CallIds): AssistantPart {
  const { name, arguments: argumentText } = isObject(called) ? called : {};
  return {
    kind: "toolCall",
    id: ids.next(typeof id === "string" ? id : ""),
    name: typeof name === "string" ? name : "",
    arguments: argumentsText(argumentText) || "{}",
  };
}
