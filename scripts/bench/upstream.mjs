// The supplier of the benchmark: answers at once, whole or as 100 separate events. Prints its port.
import { createServer } from "node:http";

const EVENTS = 100;
const usage = {
  prompt_tokens: 24,
  completion_tokens: 100,
  total_tokens: 124,
  prompt_tokens_details: { cached_tokens: 0 },
};
const whole = JSON.stringify({
  id: "chatcmpl-bench",
  object: "chat.completion",
  created: 1_790_000_000,
  model: "bench",
  choices: [
    { index: 0, message: { role: "assistant", content: "word ".repeat(100) }, logprobs: null, finish_reason: "stop" },
  ],
  usage,
  system_fingerprint: "fp_bench",
});
const event = (delta, finish, extra) =>
  `data: ${JSON.stringify({ id: "chatcmpl-bench", object: "chat.completion.chunk", created: 1_790_000_000, model: "bench", system_fingerprint: "fp_bench", choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }], ...extra })}\n\n`;
const events = [
  event({ role: "assistant", content: "" }, null),
  ...Array.from({ length: EVENTS - 2 }, (_, i) => event({ content: ` word${i}` }, null)),
  event({}, "stop"),
];
const last = `${`data: ${JSON.stringify({ id: "chatcmpl-bench", object: "chat.completion.chunk", model: "bench", choices: [], usage })}\n\n`}data: [DONE]\n\n`;

const server = createServer((request, response) => {
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
    // One event a turn of the loop, so that each travels as a chunk of its own, as from a real model.
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
