import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectCleanBooks } from "../../support/chat-gateway";
import { type Gateway, startGateway } from "../../support/gateway";

type Answer = (response: ServerResponse, request: IncomingMessage) => unknown;

/** The answers of both suppliers in one test, and their numbers of requests. `word` in a prompt identifies the test. */
type Case = { word: string; first: Answer; second: Answer; asked: { first: number; second: number } };
const cases = new Map<string, Case>();

function aCase(answers: Partial<Pick<Case, "first" | "second">> = {}): Case {
  const nothing = () => undefined;
  const one = {
    word: `case:${cases.size};`,
    first: nothing,
    second: nothing,
    asked: { first: 0, second: 0 },
    ...answers,
  };
  cases.set(one.word, one);
  return one;
}

let servers: Server[] = [];
let gateway: Gateway;

async function supplier(name: "first" | "second"): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const one = cases.get(/case:\d+;/.exec(Buffer.concat(chunks).toString())?.[0] ?? "")!;
      one.asked[name] += 1;
      void one[name](response, request);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

beforeAll(async () => {
  const [first, second] = [await supplier("first"), await supplier("second")];
  const route = (supplier: string, priority: number) => ({
    ...{ supplier, upstream_model: "upstream", priority },
    price: { input_per_mtok: 1, output_per_mtok: 2, per_request: 0.001 },
  });
  const routes = [route("first", 1), route("second", 2)];
  const chat = { id: "m", capability: "chat", context_tokens: 200_000, max_output_tokens: 8_000, routes };
  gateway = await startGateway({
    config: {
      suppliers: [
        { name: "first", kind: "chat", base_url: first, cooldown: false },
        { name: "second", kind: "chat", base_url: second, cooldown: false },
      ],
      models: [chat, { id: "e", capability: "embedding", routes }, { id: "i", capability: "image", routes }],
    },
  });
});
afterAll(async () => {
  await gateway?.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  servers = [];
});

const post = (path: string, body: object, signal: AbortSignal | null = null) =>
  fetch(`${gateway.url}/v1/${path}`, {
    method: "POST",
    signal,
    headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
const saying = ({ word }: Case) => ({
  ...{ model: "m", messages: [{ role: "user", content: word }], max_tokens: 100, stream: true },
});
const JSON_ANSWER = { "content-type": "application/json" };
const event = (chunk: object) => `data: ${JSON.stringify(chunk)}\n\n`;
const says = (delta: object) => event({ id: "c", model: "u", choices: [{ index: 0, delta, finish_reason: null }] });
const END = `${event({ id: "c", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}${event({
  ...{ id: "c", choices: [], usage: { prompt_tokens: 5, completion_tokens: 20, total_tokens: 25 } },
})}data: [DONE]\n\n`;
const streams = (response: ServerResponse) => response.writeHead(200, { "content-type": "text/event-stream" });

/** Reads a stream incrementally, as a client does. */
async function reading(response: Response) {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const until = async (words: string) => {
    while (!text.includes(words)) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`the stream ended behind ${text}`);
      text += value;
    }
  };
  const rest = async () => {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) text += piece.value;
    return text;
  };
  return { until, rest };
}

describe("what one supplier works at, no other is asked for", () => {
  test("a long thought reaches a chat client while it lasts", async () => {
    let goOn!: () => void;
    const seen = new Promise<void>((resolve) => (goOn = resolve));
    const one = aCase({
      first: async (response) => {
        streams(response);
        for (let i = 0; i < 1_500; i += 1) response.write(says({ reasoning: ` thought number ${i}` }));
        await seen;
        response.end(says({ content: "Two." }) + END);
      },
    });
    const client = await reading(await post("chat/completions", saying(one)));
    await client.until("thought number 1499");
    goOn();
    expect(await client.rest()).toMatch(/Two\..*\[DONE\]/s);
    expect(one.asked).toEqual({ first: 1, second: 0 });
  });

  const PICTURE = `data:image/png;base64,${"iVBORw0KGgoAAAAA".repeat(512 * 1024)}`;
  test.each(["chat/completions", "messages", "responses"])(
    "a picture of eight megabytes in one event: %s",
    async (path) => {
      const one = aCase({
        first: (response) => {
          streams(response).write(says({ content: "Here." }));
          response.end(says({ images: [{ type: "image_url", image_url: { url: PICTURE } }] }) + END);
        },
      });
      const body = path === "responses" ? { model: "m", input: one.word, stream: true } : saying(one);
      const text = await (await post(path, body)).text();
      expect(text).toContain(PICTURE.slice(PICTURE.indexOf(",") + 1));
      expect(text).toMatch(/\[DONE\]|message_stop|response\.completed/);
      expect(one.asked).toEqual({ first: 1, second: 0 });
    },
  );

  test("vectors of 44 megabytes", async () => {
    const vector = Array.from({ length: 1_536 }, (_, index) => -0.012345678 - index / 1e6);
    const data = Array.from({ length: 2_048 }, (_, index) => ({ object: "embedding", index, embedding: vector }));
    const vectors = JSON.stringify({ object: "list", data, model: "u", usage: { prompt_tokens: 9, total_tokens: 9 } });
    const one = aCase({ first: (response) => response.writeHead(200, JSON_ANSWER).end(vectors) });
    const input = data.map(({ index }) => `${one.word} ${index}`);
    const response = await post("embeddings", { model: "e", input });
    expect(response.status).toBe(200);
    expect((await response.text()).length).toBeGreaterThan(vectors.length - 1);
    expect(one.asked).toEqual({ first: 1, second: 0 });
  });

  test("four pictures of ten megabytes", async () => {
    const b64_json = "iVBORw0KGgoAAAAA".repeat(832 * 1024);
    const pictures = JSON.stringify({ created: 1, data: Array.from({ length: 4 }, () => ({ b64_json })) });
    const one = aCase({ first: (response) => response.writeHead(200, JSON_ANSWER).end(pictures) });
    const response = await post("images/generations", { model: "i", prompt: one.word, n: 4 });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(pictures);
    expect(one.asked).toEqual({ first: 1, second: 0 });
  });

  test.each([
    ["breaks off", ": bye\n\n", { first: 1, second: 0 }, { first: 1, second: 1 }],
    [
      "reports an error",
      event({ error: { code: 429, message: "busy" } }),
      { first: 1, second: 0 },
      { first: 1, second: 1 },
    ],
  ])("a request that leaves something behind, of a supplier that begins and %s", async (_how, end, kept, safe) => {
    for (const [store, expected] of [
      [true, kept],
      [false, safe],
    ] as const) {
      const one = aCase({
        first: (response) => {
          streams(response).write(says({ role: "assistant", content: "" }));
          response.write(end, () => response.destroy());
        },
        second: (response) => streams(response).end(says({ content: "Two." }) + END),
      });
      const response = await post("chat/completions", { ...saying(one), store });
      expect(response.ok).toBe(!store);
      if (store) expect(response.headers.get("x-should-retry")).toBe("false");
      await response.text();
      expect(one.asked).toEqual(expected);
    }
  });
});

describe.concurrent("a supplier that says nothing for long", () => {
  /** Makes the first supplier fail after the client has received bytes. */
  function waiting(second: Answer) {
    let giveUp!: () => void;
    const heard = new Promise<void>((resolve) => (giveUp = resolve));
    const first: Answer = async (response) => {
      await heard;
      response.writeHead(503).end();
    };
    return { one: aCase({ first, second }), giveUp };
  }

  test.each([
    ["chat/completions", ": keep-alive\n\n", /Two\..*\[DONE\]/s],
    ["messages", 'event: ping\ndata: {"type":"ping"}\n\n', /Two\..*message_stop/s],
  ])("gives way to another one, while the client hears that its stream lives: %s", async (path, beat, answer) => {
    const { one, giveUp } = waiting((response) => streams(response).end(says({ content: "Two." }) + END));
    const response = await post(path, saying(one));
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    const client = await reading(response);
    await client.until(beat);
    giveUp();
    const text = await client.rest();
    expect(text.startsWith(beat)).toBe(true);
    expect(text).toMatch(answer);
    expect(one.asked).toEqual({ first: 1, second: 1 });
  });

  test("and fails with all others is an error inside the stream", async () => {
    const { one, giveUp } = waiting((response) => response.writeHead(500).end());
    const client = await reading(await post("chat/completions", saying(one)));
    await client.until(": keep-alive");
    giveUp();
    const text = await client.rest();
    expect(JSON.parse(text.slice(text.indexOf("{"))).error.code).toBe("all_providers_exhausted");
    expect(text).not.toContain("[DONE]");
  });

  test("is let go when its client leaves", async () => {
    const one = aCase();
    const left = new Promise<void>((resolve) => {
      one.first = async (response) => {
        await once(response, "close");
        resolve();
      };
    });
    const abort = new AbortController();
    const client = await reading(await post("chat/completions", saying(one), abort.signal));
    await client.until(": keep-alive");
    abort.abort();
    await left;
    expect(one.asked.second).toBe(0);
  });
});

test("afterwards the books are in order", () => expectCleanBooks(gateway));
