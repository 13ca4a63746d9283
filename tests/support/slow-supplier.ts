import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Answer = (response: ServerResponse) => unknown;

/** A slow supplier of chat completions. A word in the prompt selects the answer that `expect` registered under it. */
export type SlowSupplier = {
  /** A catalogue with this supplier and its model `m`. */
  config: object;
  /** Registers an answer. Returns its word; `asked` returns the number of requests with this word. */
  expect(answer: Answer): { word: string; asked(): number };
  close(): void;
};

export async function startSlowSupplier(): Promise<SlowSupplier> {
  const cases = new Map<string, { answer: Answer; asked: number }>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const one = cases.get(/case:\d+;/.exec(Buffer.concat(chunks).toString())?.[0] ?? "")!;
      one.asked += 1;
      void one.answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const routes = [{ supplier: "slow", upstream_model: "upstream", price: { input_per_mtok: 1, output_per_mtok: 2 } }];
  return {
    config: {
      suppliers: [{ name: "slow", kind: "chat", base_url, cooldown: false }],
      models: [{ id: "m", capability: "chat", context_tokens: 200_000, max_output_tokens: 8_000, routes }],
    },
    expect(answer) {
      const word = `case:${cases.size};`;
      const one = { answer, asked: 0 };
      cases.set(word, one);
      return { word, asked: () => one.asked };
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const event = (choices: readonly object[], more: object = {}) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "u", choices, ...more })}\n\n`;

/** Begins a stream of chat completions: sends the headers. */
export const beginStream = (response: ServerResponse) =>
  response.writeHead(200, { "content-type": "text/event-stream" });
export const says = (content: string) => event([{ index: 0, delta: { content }, finish_reason: null }]);
export const END = `${event([{ index: 0, delta: {}, finish_reason: "stop" }])}${event([], {
  usage: { prompt_tokens: 5, completion_tokens: 20, total_tokens: 25 },
})}data: [DONE]\n\n`;

const HEARTBEAT = /^(: keep-alive|event: (ping|keepalive)\ndata: \{"type":"\2"\})$/;

/** Detects heartbeats in a stream, which client libraries skip. */
export class Stethoscope {
  readonly #decoder = new TextDecoder();
  #waiting: (() => void)[] = [];

  /** Passes the stream through and watches for heartbeats. */
  listenTo(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const heard = new TransformStream<Uint8Array, Uint8Array>({
      transform: (piece, controller) => {
        controller.enqueue(piece);
        if (!HEARTBEAT.test(this.#decoder.decode(piece).trim())) return;
        for (const goOn of this.#waiting) goOn();
        this.#waiting = [];
      },
    });
    return stream.pipeThrough(heard);
  }

  heartbeat(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
