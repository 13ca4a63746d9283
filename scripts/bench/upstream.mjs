// The supplier of the benchmark in all dialects: answers immediately, as a whole or as 100 separate events. Prints its
// port.
import { createServer } from "node:http";
import { STREAMED_WORDS, WHOLE_TEXT } from "./answers.mjs";

const chatHead = { id: "chatcmpl-bench", created: 1_790_000_000, model: "bench", system_fingerprint: "fp_bench" };
const chatUsage = {
  prompt_tokens: 24,
  completion_tokens: 100,
  total_tokens: 124,
  prompt_tokens_details: { cached_tokens: 0 },
};
const chatChunk = (choices, more) =>
  `data: ${JSON.stringify({ ...chatHead, object: "chat.completion.chunk", choices, ...more })}\n\n`;
const chatPiece = (delta, finish_reason = null) => chatChunk([{ index: 0, delta, logprobs: null, finish_reason }]);
const chat = {
  whole: JSON.stringify({
    ...chatHead,
    object: "chat.completion",
    choices: [{ index: 0, message: { role: "assistant", content: WHOLE_TEXT }, logprobs: null, finish_reason: "stop" }],
    usage: chatUsage,
  }),
  events: [
    chatPiece({ role: "assistant", content: "" }),
    ...Array.from({ length: STREAMED_WORDS.chat }, (_, i) => chatPiece({ content: ` word${i}` })),
    chatPiece({}, "stop"),
  ],
  last: `${chatChunk([], { usage: chatUsage })}data: [DONE]\n\n`,
};

const messageHead = { id: "msg_bench", type: "message", role: "assistant", model: "bench" };
const messageUsage = {
  input_tokens: 24,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 100,
};
const messagesEvent = (data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const messagesPiece = (text) =>
  messagesEvent({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });
const messages = {
  whole: JSON.stringify({
    ...messageHead,
    content: [{ type: "text", text: WHOLE_TEXT }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: messageUsage,
  }),
  events: [
    messagesEvent({
      type: "message_start",
      message: { ...messageHead, content: [], stop_reason: null, stop_sequence: null, usage: messageUsage },
    }),
    messagesEvent({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    ...Array.from({ length: STREAMED_WORDS.messages }, (_, i) => messagesPiece(` word${i}`)),
    messagesEvent({ type: "content_block_stop", index: 0 }),
  ],
  last:
    messagesEvent({
      type: "message_delta",
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: messageUsage,
    }) + messagesEvent({ type: "message_stop" }),
};

const streamedText = Array.from({ length: STREAMED_WORDS.responses }, (_, i) => ` word${i}`).join("");
const inContent = { item_id: "msg_bench", output_index: 0, content_index: 0 };
const part = (text) => ({ type: "output_text", annotations: [], logprobs: [], text });
const item = (status, content) => ({ id: "msg_bench", type: "message", status, role: "assistant", content });
const responseHead = { id: "resp_bench", object: "response", created_at: 1_790_000_000, model: "bench", error: null };
const responseOf = (status, output) => ({ ...responseHead, status, output, usage: null });
const finished = (text) => ({
  ...responseOf("completed", [item("completed", [part(text)])]),
  usage: {
    input_tokens: 24,
    output_tokens: 100,
    total_tokens: 124,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  },
});
const responseEvents = [
  { type: "response.created", response: responseOf("in_progress", []) },
  { type: "response.in_progress", response: responseOf("in_progress", []) },
  { type: "response.output_item.added", output_index: 0, item: item("in_progress", []) },
  { type: "response.content_part.added", ...inContent, part: part("") },
  ...Array.from({ length: STREAMED_WORDS.responses }, (_, i) => ({
    type: "response.output_text.delta",
    ...inContent,
    delta: ` word${i}`,
    logprobs: [],
  })),
  { type: "response.output_text.done", ...inContent, text: streamedText, logprobs: [] },
  { type: "response.content_part.done", ...inContent, part: part(streamedText) },
  { type: "response.output_item.done", output_index: 0, item: item("completed", [part(streamedText)]) },
  { type: "response.completed", response: finished(streamedText) },
].map(({ type, ...data }, sequence_number) => messagesEvent({ type, sequence_number, ...data }));
const responses = {
  whole: JSON.stringify(finished(WHOLE_TEXT)),
  events: responseEvents.slice(0, -1),
  last: responseEvents.at(-1),
};

const embeddings = {
  whole: JSON.stringify({
    object: "list",
    model: "bench",
    data: [{ object: "embedding", index: 0, embedding: Array.from({ length: 256 }, (_, i) => i / 256) }],
    usage: { prompt_tokens: 24, total_tokens: 24 },
  }),
};

const DIALECTS = { "/v1/messages": messages, "/v1/responses": responses, "/v1/embeddings": embeddings };

const server = createServer((request, response) => {
  const { whole, events, last } = DIALECTS[request.url] ?? chat;
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (chunk) => (body += chunk));
  request.on("end", () => {
    if (!body.includes('"stream":true')) {
      response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(whole) });
      response.end(whole);
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    let next = 0;
    // One event per turn of the event loop, so that each is a separate chunk, as from a real model.
    const send = () => {
      if (next === events.length) {
        response.end(last);
        return;
      }
      response.write(events[next++]);
      setImmediate(send);
    };
    send();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));
