import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as zlib from "node:zlib";
import { Pool } from "undici";
import { afterEach, describe, expect, test } from "vitest";
import type { SupplierReply } from "../../../canonical/exchange";
import { post } from "../post";

let server: Server | undefined;
let pool: Pool | undefined;

afterEach(async () => {
  await pool?.destroy();
  server?.closeAllConnections();
  server?.close();
});

async function ask(listener: RequestListener, stream: boolean): Promise<SupplierReply> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve));
  pool = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const times = { timeoutMs: 2_000, idleTimeoutMs: 2_000 };
  return post({ pool, path: "/x", headers: {}, body: "{}", stream, ...times }).reply;
}

const answering =
  (headers: Record<string, string>, ...pieces: (string | Buffer)[]): RequestListener =>
  (_request, response) => {
    response.writeHead(200, headers);
    for (const piece of pieces) response.write(piece);
    response.end();
  };

function read(reply: SupplierReply): Promise<string> {
  if (reply.kind === "whole") return Promise.resolve(reply.body.toString());
  return new Promise((resolve, reject) => {
    let text = "";
    const data = (chunk: Buffer) => {
      text += chunk.toString();
    };
    reply.source.start({ data, end: () => resolve(text), fail: reject });
  });
}

const EVENTS = 'data: {"a":1}\n\ndata: [DONE]\n\n';

describe("a stream that was asked for is one by what it says", () => {
  test.each([
    ["as text", { "content-type": "text/plain" }],
    ["as JSON", { "content-type": "application/json" }],
    ["without a media type", {}],
  ])("also where it comes %s", async (_how, headers) => {
    for (const text of [EVENTS, `: hello\n\n${EVENTS}`, `\uFEFF${EVENTS}`, `\n\nevent: x\n${EVENTS}`]) {
      const reply = await ask(answering(headers as Record<string, string>, text), true);
      expect(reply.kind).toBe("stream");
      expect(await read(reply)).toBe(text);
    }
  });

  test.each(['{"data":1}', '[{"a":1}]', "<html>data:</html>", "database error", ""])("and %j is none", async (text) => {
    const reply = await ask(answering({ "content-type": "application/json" }, text), true);
    expect(reply.kind).toBe("whole");
    expect(await read(reply)).toBe(text);
  });

  test("nor is one where none was asked for", async () => {
    expect((await ask(answering({ "content-type": "text/plain" }, EVENTS), false)).kind).toBe("whole");
  });
});

describe("a header that says how an answer is packed", () => {
  const TEXT = '{"choices":[{"message":{"content":"Grüß"}}]}';
  const packed: [string, string, Buffer][] = [
    ["gzip", "gzip", zlib.gzipSync(TEXT)],
    ["a frameless deflate", "deflate", zlib.deflateRawSync(TEXT)],
    ["one beside `identity`", "identity, gzip", zlib.gzipSync(TEXT)],
    ["gzip of what is open already", "gzip", Buffer.from(TEXT)],
    ["no packing at all", "identity", Buffer.from(TEXT)],
  ];
  if ("zstdCompressSync" in zlib)
    packed.push(["zstd", "zstd", (zlib as never as { zstdCompressSync(text: string): Buffer }).zstdCompressSync(TEXT)]);

  test.each(packed)("%s", async (_name, encoding, bytes) => {
    for (const cut of [1, 10, bytes.length]) {
      const pieces = [bytes.subarray(0, cut), bytes.subarray(cut)];
      const reply = await ask(answering({ "content-encoding": encoding }, ...pieces), false);
      expect(await read(reply)).toBe(TEXT);
    }
  });

  test("an empty answer is empty", async () => {
    expect(await read(await ask(answering({ "content-encoding": "gzip" }), false))).toBe("");
  });

  test("an error answer that cannot be opened keeps its status", async () => {
    const broken: RequestListener = (_request, response) => {
      response.writeHead(429, { "content-encoding": "gzip", "retry-after": "9" });
      response.end(zlib.gzipSync("x".repeat(1_000)).subarray(0, 12).fill(7, 10));
    };
    await expect(ask(broken, true)).rejects.toMatchObject({ status: 429, executed: "no", retryAfterSeconds: 9 });
  });
});
