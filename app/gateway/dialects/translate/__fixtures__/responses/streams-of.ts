import type { Json } from "./say";

/** Converts a whole answer of the chat dialect to a stream: texts in two pieces, calls with a start event. */
export function chatStream({ choices, usage, ...head }: Json): string {
  const [{ message, finish_reason }] = choices as [{ message: Json; finish_reason: string }];
  const { role, content, tool_calls, annotations, ...rest } = message;
  const deltas: Json[] = [{ role, content: "" }];
  for (const name of ["reasoning_content", "reasoning"])
    for (const piece of halves(rest[name])) deltas.push({ [name]: piece });
  if (Array.isArray(content)) for (const part of content) deltas.push({ content: [part] });
  else for (const piece of halves(content)) deltas.push({ content: piece });
  if (annotations !== undefined) deltas.push({ annotations });
  for (const piece of halves(rest.refusal)) deltas.push({ refusal: piece });
  for (const [index, { id, type, function: called }] of ((tool_calls ?? []) as Json[]).entries()) {
    const { name, arguments: given } = called as Json;
    deltas.push({ tool_calls: [{ index, id, type, function: { name, arguments: "" } }] });
    const pieces = typeof given === "string" ? halves(given) : [given];
    for (const piece of pieces) deltas.push({ tool_calls: [{ index, function: { arguments: piece } }] });
  }
  const chunk = (more: Json) => `data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", ...more })}\n\n`;
  const grown = deltas.map((delta) => chunk({ choices: [{ index: 0, delta, finish_reason: null }] }));
  const end = chunk({ choices: [{ index: 0, delta: {}, finish_reason }] });
  const used = usage === undefined ? "" : chunk({ choices: [], usage });
  return `${grown.join("")}${end}${used}data: [DONE]\n\n`;
}

/** Converts a whole answer of the messages dialect to a stream. */
export function messagesStream({ content, stop_reason, stop_sequence, usage, ...head }: Json): string {
  const { output_tokens, output_tokens_details, ...sent } = usage as Json;
  const opened = { ...head, content: [], stop_reason: null, stop_sequence: null, usage: { ...sent, output_tokens: 1 } };
  const events = [event("message_start", { message: opened }), event("ping", {})];
  for (const [index, block] of (content as Json[]).entries()) events.push(...blockEvents(index, block));
  const details = output_tokens_details === undefined ? {} : { output_tokens_details };
  const totals = { delta: { stop_reason, stop_sequence }, usage: { output_tokens, ...details } };
  return [...events, event("message_delta", totals), event("message_stop", {})].join("");
}

function blockEvents(index: number, block: Json): string[] {
  const delta = (more: Json) => event("content_block_delta", { index, delta: more });
  const { start, deltas } = openedBlock(block);
  return [
    event("content_block_start", { index, content_block: start }),
    ...deltas.map(delta),
    event("content_block_stop", { index }),
  ];
}

function openedBlock(block: Json): { start: Json; deltas: Json[] } {
  const { type, text, thinking, signature, input } = block;
  switch (type) {
    case "text":
      return {
        start: { ...block, text: "" },
        deltas: halves(text).map((piece) => ({ type: "text_delta", text: piece })),
      };
    case "thinking": {
      const deltas: Json[] = halves(thinking).map((piece) => ({ type: "thinking_delta", thinking: piece }));
      if (signature !== "") deltas.push({ type: "signature_delta", signature });
      return { start: { ...block, thinking: "", signature: "" }, deltas };
    }
    case "tool_use":
    case "server_tool_use": {
      const pieces = ["", ...(Object.keys(input as Json).length === 0 ? [] : halves(JSON.stringify(input)))];
      return {
        start: { ...block, input: {} },
        deltas: pieces.map((partial_json) => ({ type: "input_json_delta", partial_json })),
      };
    }
    default:
      return { start: block, deltas: [] };
  }
}

const event = (type: string, more: Json) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;

function halves(text: unknown): string[] {
  if (typeof text !== "string" || text === "") return [];
  const letters = [...text];
  const middle = Math.ceil(letters.length / 2);
  return [letters.slice(0, middle).join(""), letters.slice(middle).join("")].filter((piece) => piece !== "");
}
