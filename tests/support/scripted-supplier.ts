import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { chatEvents, chatMessage } from "./scripted-supplier/chat";
import { messagesEvents, messagesMessage } from "./scripted-supplier/messages";

/** The supplier's next answer, in either dialect. */
export type Script = {
  thinking?: string;
  text?: string;
  calls?: { id?: string; name?: string; input: object }[];
  stop?: "end" | "length" | "sequence" | "refusal";
  /** Token counts; `cached` is part of `input`. */
  usage?: { input: number; cached: number; output: number; reasoning: number };
  /** Chat-style only: omits usage even if the request asks for it. */
  hidesUsage?: true;
  /** An error answer in the dialect's format. */
  failure?: { status: number; type: string; message: string; retryAfter?: number; details?: object };
  /** An error answer in any other format: JSON, or a string that is sent unchanged. */
  refusal?: { status: number; body: unknown };
  /** Ends the stream after its first pieces: with an error event, or by closing the connection. */
  breaks?: "error" | "cut";
  /** Milliseconds between two events, and before an answer that is not streamed. */
  paceMs?: number;
  delayMs?: number;
};

// biome-ignore lint/suspicious/noExplicitAny: bodies of any shape, read by assertions only
type SeenCall = { path: string; headers: IncomingHttpHeaders; body: any; aborted: boolean };

/** A supplier in the test's own process. It supports both dialects, follows scripts, and records requests. */
export type ScriptedSupplier = {
  /** Base URL including the version path, as for a supplier's `base_url`. */
  url: string;
  calls: SeenCall[];
  /** The newest request. */
  last(): SeenCall;
  /** Sets the answers to the next requests, in order; the last one repeats. */
  say(...scripts: Script[]): void;
  /** Sets a function that returns the answer to a request; in effect until the next `say`. */
  answer(by: (call: SeenCall) => Script): void;
  close(): Promise<void>;
};

export const USAGE = { input: 120, cached: 100, output: 9, reasoning: 0 };

export async function startScriptedSupplier(): Promise<ScriptedSupplier> {
  const calls: SeenCall[] = [];
  let scripts: Script[] = [{ text: "Hello there" }];
  let chosen: ((call: SeenCall) => Script) | null = null;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      const call: SeenCall = { path: request.url ?? "", headers: request.headers, body, aborted: false };
      calls.push(call);
      response.on("close", () => {
        call.aborted = !response.writableFinished;
      });
      void answer(call, chosen?.(call) ?? (scripts.length > 1 ? scripts.shift()! : scripts[0]!), response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls,
    last: () => calls.at(-1)!,
    say: (...next) => {
      scripts = next;
      chosen = null;
    },
    answer: (by) => {
      chosen = by;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer({ path, body }: SeenCall, script: Script, response: ServerResponse): Promise<void> {
  const isMessages = path.startsWith("/v1/messages");
  if (script.failure) return fail(isMessages, script.failure, response);
  if (script.refusal) {
    const { status, body: said } = script.refusal;
    return void response.writeHead(status).end(typeof said === "string" ? said : JSON.stringify(said));
  }
  if (path === "/v1/messages/count_tokens") return json(response, 200, { input_tokens: 42 });
  if (path !== "/v1/messages" && path !== "/v1/chat/completions") return json(response, 404, {});
  if (body.stream !== true) await new Promise((resolve) => setTimeout(resolve, script.delayMs ?? 0));
  if (body.stream !== true)
    return json(response, 200, isMessages ? messagesMessage(body, script) : chatMessage(body, script));
  const events = isMessages ? messagesEvents(body, script) : chatEvents(body, script);
  const kept = script.breaks ? events.slice(0, 5) : events;
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of kept) {
    if (response.destroyed) return;
    response.write(event);
    await new Promise((resolve) => setTimeout(resolve, script.paceMs ?? 0));
  }
  if (script.breaks === "cut") return void response.destroy();
  if (script.breaks === "error") {
    const error = { type: "overloaded_error", message: "Overloaded" };
    const data = JSON.stringify(isMessages ? { type: "error", error } : { error });
    response.write(`${isMessages ? "event: error\n" : ""}data: ${data}\n\n`);
  }
  response.end();
}

function fail(isMessages: boolean, failure: NonNullable<Script["failure"]>, response: ServerResponse): void {
  const { status, type, message, retryAfter, details } = failure;
  if (retryAfter !== undefined) response.setHeader("retry-after", String(retryAfter));
  json(
    response,
    status,
    isMessages ? { type: "error", error: { type, message, details } } : { error: { type, message, code: type } },
  );
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
