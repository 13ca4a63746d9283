import { once } from "node:events";
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createSocketServer, type Socket } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { Pool } from "undici";
import { afterEach, describe, expect, test } from "vitest";
import type { ByteSource } from "../../canonical/exchange";
import type { SupplierFailure } from "../../canonical/supplier-failure";
import { answerMemory } from "./answer-memory";
import { post } from "./post";
import { retryAfter } from "./read-failure";

let server: Server | undefined;
let pool: Pool | undefined;

afterEach(async () => {
  await pool?.destroy();
  server?.closeAllConnections();
  server?.close();
});

async function send(listener: RequestListener, more: Partial<Parameters<typeof post>[0]> = {}) {
  server = createServer(listener);
  await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve));
  pool = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return post({
    pool,
    path: "/x",
    headers: {},
    body: "{}",
    stream: false,
    timeoutMs: 2_000,
    idleTimeoutMs: 2_000,
    ...more,
  });
}

function dripInto(response: ServerResponse): void {
  const drip = setInterval(() => response.write(" "), 100);
  response.on("close", () => clearInterval(drip));
}

const failureOf = async (
  listener: RequestListener,
  more: Partial<Parameters<typeof post>[0]> = {},
): Promise<SupplierFailure> =>
  (await send(listener, more)).reply.then(
    () => Promise.reject(new Error("it did not fail")),
    (failure) => failure,
  );

describe("what a failure proves about the supplier's work", () => {
  test("no connection: nothing was executed", async () => {
    pool = new Pool("http://127.0.0.1:9");
    const exchange = post({
      pool,
      path: "/x",
      headers: {},
      body: "{}",
      stream: false,
      timeoutMs: 500,
      idleTimeoutMs: 500,
    });
    await expect(exchange.reply).rejects.toMatchObject({ kind: "connect", executed: "no" });
  });

  test("a connection that does not come about in the supplier's time: nothing was executed", async () => {
    const silent = createSocketServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    pool = new Pool(`https://127.0.0.1:${(silent.address() as AddressInfo).port}`);
    const began = performance.now();
    const times = { timeoutMs: 300, idleTimeoutMs: 300 };
    const exchange = post({ pool, path: "/x", headers: {}, body: "{}", stream: false, ...times });
    await expect(exchange.reply).rejects.toMatchObject({ kind: "timeout", executed: "no" });
    expect(performance.now() - began).toBeLessThan(3_000);
    silent.close();
  });

  test("a reset after the request left: nobody knows", async () => {
    const failure = await failureOf((request) => void request.socket.destroy());
    expect(failure).toMatchObject({ kind: "reset", executed: "unknown" });
  });

  test("silence after the request left: nobody knows", async () => {
    const failure = await failureOf(() => {}, { timeoutMs: 300 });
    expect(failure).toMatchObject({ kind: "timeout", executed: "unknown" });
  });

  test("an error status: nothing was executed, and the supplier's words are kept", async () => {
    const failure = await failureOf((_request, response) => {
      response.writeHead(429, { "retry-after": "7" });
      response.end(JSON.stringify({ error: { code: "slow_down", type: "rate_limit_error", message: "Too fast" } }));
    });
    expect(failure).toMatchObject({
      kind: "status",
      status: 429,
      executed: "no",
      supplierCode: "slow_down",
      message: "Too fast",
      retryAfterSeconds: 7,
    });
  });

  test("a whole answer cut in the middle had been executed", async () => {
    const failure = await failureOf((_request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half");
      setTimeout(() => response.destroy(), 20);
    });
    expect(failure).toMatchObject({ executed: "yes" });
  });
});

test("an error page without end is read only as far as it is of use", async () => {
  const failure = await failureOf((_request, response) => {
    response.writeHead(500);
    const flood = () => {
      while (response.writable && response.write("x".repeat(65_536)));
      if (response.writable) response.once("drain", flood);
    };
    flood();
  });
  expect(failure).toMatchObject({ kind: "status", status: 500 });
});

test.each([
  ["cut off", (response: ServerResponse) => void response.socket?.destroySoon()],
  ["never ended", () => {}],
  ["sent a byte at a time", (response: ServerResponse) => dripInto(response)],
])("an error answer whose body is %s says what its status says, and soon", async (_name, go) => {
  const began = performance.now();
  const failure = await failureOf(
    (_request, response) => {
      response.writeHead(429, { "retry-after": "7", "content-length": 1_000 });
      response.write('{"error":{"message":"a');
      go(response);
    },
    { idleTimeoutMs: 20_000 },
  );
  expect(failure).toMatchObject({ kind: "status", status: 429, retryAfterSeconds: 7, executed: "no" });
  expect(performance.now() - began).toBeLessThan(5_000);
});

test("a redirect is not followed", async () => {
  const failure = await failureOf((_request, response) => {
    response.writeHead(302, { location: "http://127.0.0.1:1/" });
    response.end();
  });
  expect(failure).toMatchObject({ kind: "status", status: 302 });
});

test("giving up closes the supplier's connection", async () => {
  let socket: Socket | undefined;
  const exchange = await send((request) => {
    socket = request.socket;
    exchange.abort();
  });
  await expect(exchange.reply).rejects.toMatchObject({ kind: "aborted" });
  await expect.poll(() => socket?.destroyed).toBe(true);
});

describe("streams", () => {
  test("wait for their reader, keep their order and end once", async () => {
    const exchange = await send(
      (_request, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        for (let i = 0; i < 50; i += 1) response.write(`data: ${i}\n\n`);
        response.end();
      },
      { stream: true },
    );
    const reply = await exchange.reply;
    if (reply.kind !== "stream") throw new Error("not a stream");
    await new Promise((resolve) => setTimeout(resolve, 50));
    const chunks: Buffer[] = [];
    await new Promise<void>((resolve, reject) =>
      reply.source.start({ data: (chunk) => void chunks.push(chunk), end: resolve, fail: reject }),
    );
    expect(Buffer.concat(chunks).toString()).toBe(Array.from({ length: 50 }, (_, i) => `data: ${i}\n\n`).join(""));
  });

  test("that break off fail, and fall silent no longer than allowed", async () => {
    const exchange = await send(
      (_request, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write("data: 1\n\n");
      },
      { stream: true, idleTimeoutMs: 300 },
    );
    const reply = await exchange.reply;
    if (reply.kind !== "stream") throw new Error("not a stream");
    const failure = await new Promise((resolve) =>
      reply.source.start({ data: () => {}, end: () => resolve(null), fail: resolve }),
    );
    expect(failure).toMatchObject({ kind: "timeout" });
  });
});

test("Retry-After in seconds, as a date, in milliseconds, and nonsense", () => {
  const now = Date.parse("2026-11-21T10:00:00Z");
  expect(retryAfter({ "retry-after": "5" })).toBe(5);
  expect(retryAfter({ "retry-after": "Sat, 21 Nov 2026 10:00:30 GMT" }, now)).toBe(30);
  expect(retryAfter({ "retry-after-ms": "1500", "retry-after": "9" })).toBe(2);
  expect(retryAfter({ "retry-after": "Sat, 21 Nov 2026 09:00:00 GMT" }, now)).toBe(0);
  expect(retryAfter({ "retry-after": "5, 6" })).toBe(5);
  for (const nothing of ["soon", "-3", "after 5", ""]) expect(retryAfter({ "retry-after": nothing })).toBeNull();
  expect(retryAfter({})).toBeNull();
});

test("a body that is read while it is sent goes out whole, with its length and type", async () => {
  const pieces = [Buffer.alloc(128 * 1024, 1), Buffer.alloc(128 * 1024, 2)];
  let received: { length: number; headers: Record<string, unknown> } | undefined;
  const exchange = await send(
    (request, response) => {
      let length = 0;
      request.on("data", (chunk) => (length += chunk.length));
      request.on("end", () => {
        received = { length, headers: request.headers };
        response.end("{}");
      });
    },
    {
      headers: { "content-type": "application/json" },
      body: {
        contentType: "application/x-test",
        contentLength: 128 * 1024 * 40,
        async *open() {
          for (let sent = 0; sent < 40; sent += 1) yield pieces[sent % 2]!;
        },
      },
    },
  );
  await exchange.reply;
  expect(received).toMatchObject({
    length: 128 * 1024 * 40,
    headers: { "content-type": "application/x-test", "content-length": String(128 * 1024 * 40) },
  });
});

test("a body whose source breaks is a failure, and the connection is not used again", async () => {
  const failure = await failureOf(() => {}, {
    body: {
      contentType: "application/x-test",
      contentLength: 100,
      async *open() {
        yield Buffer.from("some");
        throw new Error("the disk is gone");
      },
    },
  });
  expect(failure.kind).toBe("reset");
});

test("sound is brought as it comes where a stream was asked for", async () => {
  const exchange = await send(
    (_request, response) => {
      response.writeHead(200, { "content-type": "audio/mpeg" });
      response.end("ID3");
    },
    { stream: true },
  );
  expect((await exchange.reply).kind).toBe("stream");
});

test.each<Record<string, string>>([{ authorization: "Bearer sk-supplier-1234" }, { "x-api-key": "sk-supplier-1234" }])(
  "a credential that the supplier says back is not passed on: %j",
  async (headers) => {
    const answer = JSON.stringify({ error: { message: "The key sk-supplier-1234 may not use this model", code: 400 } });
    const failure = await failureOf((_request, response) => response.writeHead(400).end(answer), { headers });
    expect(failure.message).toBe("The key … may not use this model");
  },
);

describe("an answer that comes compressed, although that was not asked for,", () => {
  const WORDS = `data: ${"word ".repeat(100_000)}\n\n`;
  const WAYS = { gzip: gzipSync, "x-gzip": gzipSync, deflate: deflateSync, br: brotliCompressSync } as const;

  test.each(Object.entries(WAYS))("is opened, whole and streamed: %s", async (encoding, compress) => {
    const packed = compress(WORDS);
    for (const stream of [false, true]) {
      const exchange = await send(
        (_request, response) => {
          response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": encoding });
          for (let at = 0; at < packed.length; at += 7) response.write(packed.subarray(at, at + 7));
          response.end();
        },
        { stream },
      );
      const reply = await exchange.reply;
      const body = reply.kind === "whole" ? reply.body : await read(reply.source);
      expect(body.toString()).toBe(WORDS);
    }
  });

  test("also where it is an error", async () => {
    const failure = await failureOf((_request, response) => {
      response.writeHead(400, { "content-encoding": "gzip" });
      response.end(gzipSync(JSON.stringify({ error: { message: "Too long" } })));
    });
    expect(failure).toMatchObject({ status: 400, message: "Too long" });
  });

  test("and breaks off, or is no such thing, is a failure of a supplier that has worked", async () => {
    for (const body of [gzipSync(WORDS).subarray(0, 100), Buffer.from("not compressed at all")]) {
      const failure = await failureOf((_request, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
        response.end(body);
      });
      expect(failure).toMatchObject({ kind: "protocol", executed: "yes" });
    }
  });

  const read = (source: ByteSource) =>
    new Promise<Buffer>((resolve, reject) => {
      const chunks: Buffer[] = [];
      source.start({
        data: (chunk) => void chunks.push(chunk),
        end: () => resolve(Buffer.concat(chunks)),
        fail: reject,
      });
    });
});

test("a whole answer of fifty megabytes is taken, and counts as memory until it is released", async () => {
  const exchange = await send((_request, response) => void response.end(Buffer.alloc(50 * 1024 * 1024, "x")));
  const reply = await exchange.reply;
  if (reply.kind !== "whole") throw new Error("not whole");
  expect(reply.body.length).toBe(50 * 1024 * 1024);
  expect(answerMemory.bytes).toBe(49 * 1024 * 1024);
  reply.release?.();
  expect(answerMemory.bytes).toBe(0);
});
