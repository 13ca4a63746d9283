// A supplier for tests in its own process: node main.mjs <file of the bill> [port]. Prints its port.
import { createServer } from "node:http";
import { Batches } from "./batches.mjs";
import { Bill } from "./bill.mjs";
import { chat } from "./chat.mjs";
import { MessageBatches } from "./message-batches.mjs";
import { messages } from "./messages.mjs";
import { native } from "./native.mjs";
import { quietPlan } from "./plan.mjs";
import { Record } from "./record.mjs";
import { speech } from "./sounds.mjs";
import { speak } from "./speak.mjs";
import { embeddings, rerank, transcription } from "./vectors.mjs";

const supplier = { plan: quietPlan(), bill: new Bill(process.argv[2] ?? "bill.jsonl"), record: new Record() };

const batches = new Batches(supplier);
const messageBatches = new MessageBatches(supplier);

const server = createServer((request, response) => {
  /** @type {Buffer[]} */
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("error", () => undefined);
  request.on("end", () => {
    answer(request, Buffer.concat(chunks), response).catch((problem) => {
      process.stderr.write(`${problem?.stack}\n`);
      response.destroy();
    });
  });
});
server.on("connection", (socket) => socket.setNoDelay(true));
// Announced to clients, which close idle connections one second earlier.
server.keepAliveTimeout = 6_000;
server.requestTimeout = 0;
server.listen({ port: Number(process.argv[3] ?? 0), host: "127.0.0.1", backlog: 4_096 }, () => {
  const address = server.address();
  process.stdout.write(`${typeof address === "object" ? address?.port : ""}\n`);
});
// Exit with the parent process.
process.stdin.on("end", () => process.exit(0)).resume();

/** @param {import("node:http").IncomingMessage} request @param {Buffer} body @param {import("node:http").ServerResponse} response */
async function answer(request, body, response) {
  const url = new URL(request.url ?? "/", "http://stand-in");
  switch (`${request.method} ${url.pathname}`) {
    case "POST /v1/chat/completions":
      return speak(chat, supplier, request, body, response);
    case "POST /v1/messages":
      return speak(messages, supplier, request, body, response);
    case "POST /v1/messages/count_tokens":
      return count(request, body, response);
    case "POST /v1/responses":
      return speak(native, supplier, request, body, response);
    case "POST /v1/embeddings":
      return speak(embeddings, supplier, request, body, response);
    case "POST /v1/rerank":
      return speak(rerank, supplier, request, body, response);
    case "POST /v1/audio/speech":
      return speak(speech, supplier, request, body, response);
    case "POST /v1/audio/transcriptions":
      return speak(transcription, supplier, request, body, response);
    case "GET /__bill":
      return json(response, await supplier.bill.read());
    case "GET /__seen":
      return json(response, supplier.record.read(url.searchParams.get("id")));
    case "DELETE /__seen":
      return json(response, supplier.record.clear());
    case "POST /__plan":
      supplier.plan = { ...quietPlan(), ...JSON.parse(body.toString()) };
      return json(response, supplier.plan);
    default:
      if (await batches.answer(request, url, body, response)) return;
      if (await messageBatches.answer(request, url, body, response)) return;
      response.writeHead(404, { "content-type": "application/json" });
      response.end(
        JSON.stringify({ error: { message: "no such endpoint", type: "invalid_request_error", code: null } }),
      );
  }
}

/** Answers token counting, which is not billed. @param {import("node:http").IncomingMessage} request @param {Buffer} body @param {import("node:http").ServerResponse} response */
function count(request, body, response) {
  const seen = supplier.record.begin(request, body, "ok");
  response.once("close", () => supplier.record.end(seen, response.writableFinished));
  json(response, { input_tokens: Math.max(1, Math.ceil(body.length / 4)) });
}

/** @param {import("node:http").ServerResponse} response @param {unknown} content */
function json(response, content) {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(content ?? null));
}
