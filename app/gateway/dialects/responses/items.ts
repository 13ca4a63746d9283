import type { Picture } from "../../canonical/answer";
import type { Citation, ThinkingPart, ToolCallPart } from "../../canonical/conversation";
import { toolInput } from "../messages/write-turns";
import { type JsonObject, readDataUrl } from "../wire/events/reading";
import { Untranslatable } from "../wire/parts";
import { sealThought } from "../wire/thoughts/sealed-thoughts";
import type { CallForm, ClientTool } from "./client-tools";
import { isLocal, LOCAL_TOOLS, type LocalForm } from "./local-tools";
import { customInput, type OutputItem, type ResponseFrame } from "./response";

type At = { frame: ResponseFrame; index: number };
type Status = "in_progress" | "completed" | "incomplete";

/** Returns the id of an item, which is the same in every event about it and contains the response's id. */
export const itemId = (prefix: string, { frame, index }: At): string =>
  `${prefix}_${frame.id.replace(/^resp_/, "")}_${index}`;

/** A text of an answer. `isRefusal`: with this text the model refuses to answer. */
export type Said = { text: string; isRefusal?: boolean | undefined; citations?: readonly Citation[] | undefined };

export const textPart = ({ text, isRefusal = false, citations = [] }: Said) =>
  isRefusal
    ? { type: "refusal", refusal: text }
    : { type: "output_text", annotations: citations.map(annotation), logprobs: [], text };

export const annotation = ({ url, title, start, end }: Citation) => ({
  type: "url_citation",
  url,
  title,
  start_index: start,
  end_index: end,
});

export function messageItem({ said, status, ...at }: At & { said: Said | null; status: Status }): OutputItem {
  const content = said === null ? [] : [textPart(said)];
  return { id: itemId("msg", at), type: "message", status, role: "assistant", content };
}

/** Returns a thought as an item, with its seal: some models answer only if their thoughts are sent back. */
export function reasoningItem({ thought, ...at }: At & { thought: Omit<ThinkingPart, "kind"> }): OutputItem {
  const { text, signature, isRedacted } = thought;
  return {
    id: itemId("rs", at),
    type: "reasoning",
    summary: text === "" ? [] : [{ type: "summary_text", text }],
    ...(signature === null ? {} : { encrypted_content: sealThought(text, signature, isRedacted) }),
  };
}

/** Returns a picture as a generated image. @throws Untranslatable if only its URL is known. */
export function imageItem({ picture, ...at }: At & { picture: Picture }): OutputItem {
  const inline = readDataUrl(picture.url);
  if (inline === null) throw new Untranslatable("the supplier sent a picture by its address");
  return { id: itemId("ig", at), type: "image_generation_call", status: "completed", result: inline.data };
}

type Call = Pick<ToolCallPart, "id" | "name" | "arguments">;

/** Returns a call of a client's tool with the name and form that the client declared. */
export function callItem({ call, status, ...at }: At & { call: Call; status: Status }): OutputItem {
  const { form, name, namespace } = toolOf(call.name, at.frame);
  const { prefix, type, given } = FORMS[form];
  const named = { ...(namespace === null ? {} : { namespace }), name };
  const called = form === "search" ? { execution: "client" } : isLocal(form) ? {} : named;
  return {
    id: itemId(prefix, at),
    type,
    status,
    call_id: call.id,
    ...called,
    ...given(status === "in_progress" ? null : call.arguments),
  };
}

/** Returns the client's tool for the name in a supplier's call. */
export const toolOf = (name: string, { names, clientTools }: ResponseFrame): ClientTool =>
  clientTools.of(names.original(name));

/** Call items by form: prefix of the id, type, and the members for the arguments; null if they have not arrived yet. */
export const FORMS: Readonly<Record<CallForm, { prefix: string; type: string; given(text: string | null): object }>> = {
  function: {
    prefix: "fc",
    type: "function_call",
    given: (text) => ({ arguments: text === null ? "" : text || "{}" }),
  },
  custom: {
    prefix: "ctc",
    type: "custom_tool_call",
    given: (text) => ({ input: text === null ? "" : customInput(text) }),
  },
  search: {
    prefix: "tsc",
    type: "tool_search_call",
    given: (text) => ({ arguments: toolInput({ arguments: text ?? "" }) }),
  },
  localShell: localItem("localShell"),
  shell: localItem("shell"),
  applyPatch: localItem("applyPatch"),
};

function localItem(form: LocalForm) {
  const { prefix, type, member, write } = LOCAL_TOOLS[form];
  return {
    prefix,
    type: `${type}_call`,
    given: (text: string | null) => ({ [member]: write(toolInput({ arguments: text ?? "" }) as JsonObject) }),
  };
}
