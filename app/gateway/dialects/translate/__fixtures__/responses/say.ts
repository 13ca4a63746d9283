import type { OutputField } from "~/domain/catalogue/shared";

/** The body for a supplier without the model, or the field that causes a rejection. `drops`: the omitted fields. */
export type Sent = { sends: object; drops?: readonly string[] } | { refuses: string };

/** A request of the responses dialect, and its expected translations for suppliers of the two other dialects. */
export type RequestCase = {
  name: string;
  /** The request; `input` is "hi" by default. */
  ask: object;
  /** The supplier's model. Absent: a model that is not known to think. */
  model?: string;
  /** Field of the output ceiling in its chat requests. Absent: `max_tokens`. */
  outputField?: OutputField;
  chat: Sent;
  messages: Sent;
};

export type Json = Record<string, unknown>;

export const user = (content: unknown): Json => ({ role: "user", content });
export const system = (content: string): Json => ({ role: "system", content });
export const inText = (text: string): Json => ({ type: "input_text", text });
export const text = (words: string): Json => ({ type: "text", text: words });
/** A user turn in the messages dialect. */
export const turn = (...blocks: (string | Json)[]): Json => ({ role: "user", content: blocksOf(blocks) });
/** An assistant turn in the messages dialect. */
export const answer = (...blocks: (string | Json)[]): Json => ({ role: "assistant", content: blocksOf(blocks) });
const blocksOf = (blocks: readonly (string | Json)[]) =>
  blocks.map((block) => (typeof block === "string" ? text(block) : block));

export const said = (words: string, more: object = {}): Json => ({
  ...{ type: "message", id: "msg_1", role: "assistant", status: "completed" },
  ...{ content: [{ type: "output_text", text: words, annotations: [], logprobs: [] }], ...more },
});
export const call = (call_id: string, given: string, more: object = {}): Json => ({
  ...{ type: "function_call", id: `fc_${call_id}`, call_id, name: "look", arguments: given, status: "completed" },
  ...more,
});
export const result = (call_id: string, output: unknown): Json => ({ type: "function_call_output", call_id, output });
export const customCall = (call_id: string, input: string): Json => ({
  ...{ type: "custom_tool_call", id: `ctc_${call_id}`, call_id, name: "patch", input },
});
export const customResult = (call_id: string, output: unknown): Json => ({
  ...{ type: "custom_tool_call_output", call_id, output },
});

export const chatCall = (id: string, given: string, name = "look"): Json => ({
  ...{ id, type: "function", function: { name, arguments: given } },
});
export const toolMessage = (tool_call_id: string, content: string): Json => ({ role: "tool", tool_call_id, content });
export const use = (id: string, input: object, name = "look"): Json => ({ type: "tool_use", id, name, input });
export const toolResult = (tool_use_id: string, content: unknown): Json => ({
  ...{ type: "tool_result", tool_use_id, content },
});

export const PNG = "data:image/png;base64,AAAA";
export const PDF = "data:application/pdf;base64,BBBB";
export const PICTURE: Json = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
export const inImage = (image_url: string, more: object = {}): Json => ({ type: "input_image", image_url, ...more });

const SCHEMA = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
export const LOOK: Json = { type: "function", name: "look", description: "Looks", parameters: SCHEMA };
export const PATCH: Json = { type: "custom", name: "patch", description: "Patches" };
export const CHAT_LOOK: Json = {
  type: "function",
  function: { name: "look", description: "Looks", parameters: SCHEMA },
};
export const MESSAGES_LOOK: Json = { name: "look", description: "Looks", input_schema: SCHEMA };
const ONE_TEXT = {
  ...{ type: "object", properties: { input: { type: "string" } } },
  ...{ required: ["input"], additionalProperties: false },
};
export const chatPatch = (description: string): Json => ({
  ...{ type: "function", function: { name: "patch", description, parameters: ONE_TEXT } },
});
export const messagesPatch = (description: string): Json => ({ name: "patch", description, input_schema: ONE_TEXT });
/** The declaration of an undeclared tool, which suppliers require for a history with its calls. */
export const ofHistory = (name: string): Json => ({ name, input_schema: { type: "object", properties: {} } });

/** The expected request in both dialects if only the question is sent. */
export const JUST_HI = { chat: { messages: [user("hi")] }, messages: { messages: [turn("hi")] } };
