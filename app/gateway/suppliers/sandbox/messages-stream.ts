import type { Block, Message } from "./messages-wire";
import { wordsOf } from "./tokens";

/**
 * Writes a message as the dialect's events: one block at a time with its start, deltas and stop; totals near the end.
 */
export function messageEvents({ content, stop_reason, stop_sequence, usage, ...head }: Message): Buffer[] {
  const opening = usage === undefined ? {} : { usage: { ...usage, output_tokens: 1 } };
  return [
    event("message_start", {
      message: {
        ...head,
        type: "message",
        role: "assistant",
        content: [],
        stop_reason: null,
        stop_sequence: null,
        ...opening,
      },
    }),
    event("ping", {}),
    ...content.flatMap(blockEvents),
    event("message_delta", { delta: { stop_reason, stop_sequence }, ...(usage === undefined ? {} : { usage }) }),
    event("message_stop", {}),
  ];
}

function blockEvents(block: Block, index: number): Buffer[] {
  const deltas = deltasOf(block).map((delta) => event("content_block_delta", { index, delta }));
  return [
    event("content_block_start", { index, content_block: emptied(block) }),
    ...deltas,
    event("content_block_stop", { index }),
  ];
}

function emptied(block: Block): object {
  if (block.type === "text") return { ...block, text: "" };
  return block.type === "thinking" ? { ...block, thinking: "", signature: "" } : { ...block, input: {} };
}

const PIECE = 16;

function deltasOf(block: Block): object[] {
  if (block.type === "text") return wordsOf(block.text).map((text) => ({ type: "text_delta", text }));
  if (block.type === "thinking") {
    const thoughts = wordsOf(block.thinking).map((thinking) => ({ type: "thinking_delta", thinking }));
    return [...thoughts, { type: "signature_delta", signature: block.signature }];
  }
  const json = [...JSON.stringify(block.input)];
  return Array.from({ length: Math.ceil(json.length / PIECE) }, (_, piece) => ({
    type: "input_json_delta",
    partial_json: json.slice(piece * PIECE, (piece + 1) * PIECE).join(""),
  }));
}

const event = (type: string, data: object) =>
  Buffer.from(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
