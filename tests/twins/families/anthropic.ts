import {
  type Api,
  eventStream,
  type Heard,
  type Json,
  json,
  namedEvent,
  pieces,
  type Refusal,
  type Reply,
  type Rule,
  type Said,
  type Turn,
  writeExactly,
} from "../twin";
import { isOn } from "./anthropic-models";
import { allBlocks, blocksOf, SHAPE } from "./anthropic-rules";

function hear(body: Json): Heard {
  const told = allBlocks(body.messages)
    .filter(({ role }) => role !== "assistant")
    .map(({ block }) => block);
  const results = told.filter(({ type }) => type === "tool_result");
  const inner = results.flatMap(({ content }) => blocksOf(content));
  const textsIn = (blocks: Json[]) => blocks.flatMap(({ type, text }) => (type === "text" ? [text] : [])).join("\n");
  return {
    text: [textsIn(blocksOf(body.system ?? [])), textsIn(told)].join("\n"),
    tools: (body.tools ?? []).map(({ name }: Json) => name),
    results: results.map(({ content }) => textsIn(blocksOf(content))),
    pictures: [...told, ...inner].filter(({ type }) => type === "image").length,
    thinks: isOn(body),
    hasSchema: body.output_config?.format !== undefined || body.output_format !== undefined,
  };
}

function contentSaid(said: Said, { serial, memory }: Turn): Json[] {
  const thinking = said.thoughts.join("");
  return [
    ...(thinking === "" ? [] : [{ type: "thinking", thinking, signature: memory.seal(serial, thinking) }]),
    ...(said.text === "" ? [] : [{ type: "text", text: said.text }]),
    ...said.calls.map(({ name, input }, at) => ({ type: "tool_use", id: `toolu_${serial}_${at}`, name, input })),
  ].map((block) => (block.type === "thinking" ? remembered(block, memory) : block));
}

function remembered(block: Json, memory: Turn["memory"]): Json {
  memory.seals.set(block.signature, block.thinking);
  return block;
}

function say(said: Said, turn: Turn): Reply {
  const { input, cached, output, reasoning } = turn.counted;
  const content = contentSaid(said, turn);
  const stop_reason = said.calls.length > 0 ? "tool_use" : "end_turn";
  const counts = { input_tokens: input - cached, cache_creation_input_tokens: 0, cache_read_input_tokens: cached };
  const usage = { ...counts, output_tokens: output + reasoning, service_tier: "standard" };
  const message = {
    id: `msg_${turn.serial}`,
    type: "message",
    role: "assistant",
    model: turn.model,
    content,
    stop_reason,
    stop_sequence: null,
    usage,
  };
  if (!turn.stream) return json(200, message);
  return eventStream([
    namedEvent("message_start", {
      type: "message_start",
      message: { ...message, content: [], stop_reason: null, usage: { ...counts, output_tokens: 1 } },
    }),
    namedEvent("ping", { type: "ping" }),
    ...content.flatMap((block, index) => blockEvents(block, index, said)),
    namedEvent("message_delta", {
      type: "message_delta",
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: output + reasoning },
    }),
    namedEvent("message_stop", { type: "message_stop" }),
  ]);
}

function blockEvents(block: Json, index: number, said: Said): string[] {
  const deltas: Json[] =
    block.type === "thinking"
      ? [
          ...said.thoughts.map((thinking) => ({ type: "thinking_delta", thinking })),
          { type: "signature_delta", signature: block.signature },
        ]
      : block.type === "text"
        ? pieces(block.text).map((text) => ({ type: "text_delta", text }))
        : ["", ...pieces(writeExactly(block.input), 11)].map((partial_json) => ({
            type: "input_json_delta",
            partial_json,
          }));
  const open =
    block.type === "thinking"
      ? { type: "thinking", thinking: "", signature: "" }
      : block.type === "text"
        ? { type: "text", text: "" }
        : { ...block, input: {} };
  return [
    namedEvent("content_block_start", { type: "content_block_start", index, content_block: open }),
    ...deltas.map((delta) => namedEvent("content_block_delta", { type: "content_block_delta", index, delta })),
    namedEvent("content_block_stop", { type: "content_block_stop", index }),
  ];
}

const refuse = ({ message, status = 400 }: Refusal): Reply =>
  json(status, { type: "error", error: { type: "invalid_request_error", message }, request_id: "req_1" });

/** The messages API of a model with additional rules. */
export const messagesApi = (rules: readonly Rule[]): Api => ({
  path: /^\/v1\/messages$/,
  rules: [...SHAPE, ...rules],
  hear,
  say,
  refuse,
});
