import type { ToolCallPart } from "../../canonical/conversation";
import { customInput, type OutputItem, type ResponseFrame } from "./response";
import { sealThought } from "./sealed-thoughts";

type At = { frame: ResponseFrame; index: number };
type Status = "in_progress" | "completed" | "incomplete";

/** The id of an item: the same in every event about it, and the response's own mark in it. */
export const itemId = (prefix: string, { frame, index }: At): string =>
  `${prefix}_${frame.id.replace(/^resp_/, "")}_${index}`;

export const textPart = (text: string) => ({ type: "output_text", annotations: [], logprobs: [], text });

export function messageItem({ text, status, ...at }: At & { text: string | null; status: Status }): OutputItem {
  const content = text === null ? [] : [textPart(text)];
  return { id: itemId("msg", at), type: "message", status, role: "assistant", content };
}

/** A thought. The seal goes out with every one that has it: some models answer only to those who bring their thoughts back. */
export function reasoningItem({ text, signature, ...at }: At & { text: string; signature: string | null }): OutputItem {
  return {
    id: itemId("rs", at),
    type: "reasoning",
    summary: text === "" ? [] : [{ type: "summary_text", text }],
    ...(signature === null ? {} : { encrypted_content: sealThought(text, signature) }),
  };
}

type Call = Pick<ToolCallPart, "id" | "name" | "arguments">;

/** A call of one of the client's tools, under the name and in the form that the client gave it. */
export function callItem({ call, status, ...at }: At & { call: Call; status: Status }): OutputItem {
  const { names, customTools } = at.frame;
  const name = names.original(call.name);
  if (customTools.has(name)) {
    const input = status === "in_progress" ? "" : customInput(call.arguments);
    return { id: itemId("ctc", at), type: "custom_tool_call", status, call_id: call.id, name, input };
  }
  const given = status === "in_progress" ? "" : call.arguments || "{}";
  return { id: itemId("fc", at), type: "function_call", status, call_id: call.id, name, arguments: given };
}
