import type { Picture } from "../../canonical/answer";
import type { Citation, ThinkingPart, ToolCallPart } from "../../canonical/conversation";
import { toolInput } from "../messages/write-turns";
import { Untranslatable } from "../wire/parts";
import { readDataUrl } from "../wire/reading";
import { sealThought } from "../wire/sealed-thoughts";
import type { CallForm, ClientTool } from "./client-tools";
import { customInput, type OutputItem, type ResponseFrame } from "./response";

type At = { frame: ResponseFrame; index: number };
type Status = "in_progress" | "completed" | "incomplete";

/** The id of an item: the same in every event about it, and the response's own mark in it. */
export const itemId = (prefix: string, { frame, index }: At): string =>
  `${prefix}_${frame.id.replace(/^resp_/, "")}_${index}`;

/** A text of an answer. `isRefusal`: the model says with it that it will not answer. */
export type Said = { text: string; isRefusal?: boolean | undefined; citations?: readonly Citation[] | undefined };

export const textPart = ({ text, isRefusal = false, citations = [] }: Said) =>
  isRefusal
    ? { type: "refusal", refusal: text }
    : { type: "output_text", annotations: citations.map(annotation), logprobs: [], text };

export const annotation = ({ url, title, start, end }: Citation) => ({
  ...{ type: "url_citation", url, title, start_index: start, end_index: end },
});

export function messageItem({ said, status, ...at }: At & { said: Said | null; status: Status }): OutputItem {
  const content = said === null ? [] : [textPart(said)];
  return { id: itemId("msg", at), type: "message", status, role: "assistant", content };
}

/** A thought. The seal goes out with every one that has it: some models answer only to those who bring their thoughts back. */
export function reasoningItem({ thought, ...at }: At & { thought: Omit<ThinkingPart, "kind"> }): OutputItem {
  const { text, signature, isRedacted } = thought;
  return {
    id: itemId("rs", at),
    type: "reasoning",
    summary: text === "" ? [] : [{ type: "summary_text", text }],
    ...(signature === null ? {} : { encrypted_content: sealThought(text, signature, isRedacted) }),
  };
}

/** A picture, as an image that was generated. @throws Untranslatable for one of which only the address is known. */
export function imageItem({ picture, ...at }: At & { picture: Picture }): OutputItem {
  const inline = readDataUrl(picture.url);
  if (inline === null) throw new Untranslatable("the supplier sent a picture by its address");
  return { id: itemId("ig", at), type: "image_generation_call", status: "completed", result: inline.data };
}

type Call = Pick<ToolCallPart, "id" | "name" | "arguments">;

/** A call of one of the client's tools, under the name and in the form that the client gave it. */
export function callItem({ call, status, ...at }: At & { call: Call; status: Status }): OutputItem {
  const { form, name, namespace } = toolOf(call.name, at.frame);
  const { prefix, type, given } = FORMS[form];
  const called = form === "search" ? { execution: "client" } : { ...(namespace === null ? {} : { namespace }), name };
  return {
    ...{ id: itemId(prefix, at), type, status, call_id: call.id, ...called },
    ...given(status === "in_progress" ? null : call.arguments),
  };
}

/** The client's tool that a supplier calls. */
export const toolOf = (name: string, { names, clientTools }: ResponseFrame): ClientTool =>
  clientTools.of(names.original(name));

/** A call of each form as an item: the beginning of its id, its type, and what was given; null: that is still to come. */
export const FORMS: Readonly<Record<CallForm, { prefix: string; type: string; given(text: string | null): object }>> = {
  function: {
    ...{ prefix: "fc", type: "function_call" },
    given: (text) => ({ arguments: text === null ? "" : text || "{}" }),
  },
  custom: {
    ...{ prefix: "ctc", type: "custom_tool_call" },
    given: (text) => ({ input: text === null ? "" : customInput(text) }),
  },
  search: {
    ...{ prefix: "tsc", type: "tool_search_call" },
    given: (text) => ({ arguments: toolInput({ arguments: text ?? "" }) }),
  },
};
