import { createHash } from "node:crypto";
import { Agent, createServer, request } from "node:http";
import { type AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { bindConnection } from "../server/connection";
import { readMultipart } from "./multipart";
import { readBody } from "./read-body";

const FORM = { "content-type": "multipart/form-data; boundary=b" };
const UPLOAD = { fileFields: ["file"], fileBytes: 1_000, folder: tmpdir() };

test.each([
  ["whole body", "hello", (request: Request) => readBody(request, 1_000, 60_000)],
  ["half body", "he", (request: Request) => readBody(request, 1_000, 60_000)],
  ["whole form", "--b--", (request: Request) => readMultipart(request, UPLOAD)],
])("a client that left while its key was looked up, with a %s sent, keeps nobody waiting", async (_, sent, reads) => {
  const read = new Promise<unknown>((resolve) => {
    const server = createServer((incoming, outgoing) => {
      const request = new Request("http://gw/", { method: "POST", headers: FORM });
      bindConnection(request, { incoming, outgoing });
      client.destroy();
      outgoing.once("close", () =>
        setTimeout(() => {
          const late = new Promise<string>((tell) => setTimeout(() => tell("still waiting"), 500));
          const ended = reads(request).catch((error) => error.code);
          void Promise.race([ended, late]).then(resolve);
          server.close();
        }, 20),
      );
    });
    const client = new Socket();
    server.listen(0, "127.0.0.1", () => client.connect((server.address() as AddressInfo).port, "127.0.0.1"));
    client.on("connect", () => client.write(`POST / HTTP/1.1\r\nHost: gw\r\nContent-Length: 5\r\n\r\n${sent}`));
  });
  expect(await read).toBe("invalid_request");
});

test("a long body comes whole, and one that is too long leaves its connection free for the next", async () => {
  const server = createServer(async (incoming, outgoing) => {
    const request = new Request("http://gw/", { method: "POST" });
    bindConnection(request, { incoming, outgoing });
    const told = await readBody(request, 6_000_000, 60_000).then(
      (text) => `${text.length} ${createHash("sha256").update(text).digest("hex")}`,
      (error) => error.code,
    );
    outgoing.end(told);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = (body: Buffer) =>
    new Promise<string>((resolve, reject) => {
      const { port } = server.address() as AddressInfo;
      // Chunked, so that its length is unknown until the end.
      const headers = { "transfer-encoding": "chunked" };
      const sent = request({ port, host: "127.0.0.1", method: "POST", agent, headers }, (answer) => {
        let text = "";
        answer.on("data", (chunk) => (text += chunk)).on("end", () => resolve(text));
      });
      sent.on("error", reject);
      sent.end(body);
    });
  const long = Buffer.from("löng ".repeat(900_000));
  const whole = `4500000 ${createHash("sha256").update(long).digest("hex")}`;
  expect(
    await Promise.all([send(long), send(Buffer.alloc(20_000_000, "x")), send(long), send(Buffer.from("s"))]),
  ).toEqual([whole, "request_too_large", whole, expect.stringMatching(/^1 /)]);
  agent.destroy();
  server.close();
});

test.each([
  ["at once", 0],
  ["when all of it has been there for a while", 20],
])("a body that is read %s is whole, however it came, and leaves its connection for the next", async (_, afterMs) => {
  const unended: string[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const request = new Request("http://gw/", { method: "POST", headers: incoming.headers as HeadersInit });
    bindConnection(request, { incoming, outgoing });
    if (afterMs > 0) await new Promise((resolve) => setTimeout(resolve, afterMs));
    const text = await readBody(request, 10, 60_000).catch(({ code }) => code);
    outgoing.once("finish", () => incoming.readableEnded || unended.push(text));
    outgoing.end(`<${text}>`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const client = new Socket().setNoDelay();
  await new Promise<void>((resolve) => {
    client.connect((server.address() as AddressInfo).port, "127.0.0.1", resolve);
  });
  const told: string[] = [];
  for (const [length, ...parts] of [
    ["Content-Length: 5", "hello"],
    ["Content-Length: 5", "he", "llo"],
    ["Content-Length: 0", ""],
    ["Transfer-Encoding: chunked", "5\r\nhello\r\n0\r\n\r\n"],
    ["Transfer-Encoding: chunked", "2\r\nhe\r\n3\r\nllo\r\n", "0\r\n\r\n"],
    ["Transfer-Encoding: chunked", "b\r\nhello world\r\n0\r\n\r\n"],
    ["Content-Length: 5", "again"],
  ]) {
    const answer = new Promise<string>((resolve) => client.once("data", (bytes) => resolve(String(bytes))));
    const [first, ...rest] = parts;
    client.write(`POST / HTTP/1.1\r\nHost: gw\r\n${length}\r\n\r\n${first}`);
    for (const part of rest) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      client.write(part);
    }
    told.push((await answer).split("\r\n\r\n")[1]!);
  }
  expect(told).toEqual(["<hello>", "<hello>", "<>", "<hello>", "<hello>", "<request_too_large>", "<again>"]);
  // A rejected body may end later.
  expect(unended.filter((text) => text !== "request_too_large")).toEqual([]);
  client.destroy();
  server.close();
});

describe("a compressed body", () => {
  const text = JSON.stringify({ model: "m", words: "löng ".repeat(1_000) });
  const bytes = Buffer.from(text);
  const read = (body: Buffer, encoding: string, limit = 100_000) => {
    const headers = { "content-encoding": encoding };
    return readBody(new Request("http://gw/", { method: "POST", headers, body: new Uint8Array(body) }), limit);
  };

  test.each([
    ["gzip", gzipSync(bytes)],
    ["x-gzip", gzipSync(bytes)],
    ["GZIP", gzipSync(bytes)],
    ["deflate", deflateSync(bytes)],
    ["br", brotliCompressSync(bytes)],
    ["identity", bytes],
  ])("%s is opened", async (encoding, body) => {
    expect(await read(body, encoding)).toBe(text);
  });

  test("that would be longer than the limit is refused, however short it is", async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    expect(bomb.length).toBeLessThan(100_000);
    await expect(read(bomb, "gzip")).rejects.toMatchObject({ code: "request_too_large" });
    expect(await read(gzipSync(bytes), "gzip", bytes.length)).toBe(text);
    await expect(read(gzipSync(bytes), "gzip", bytes.length - 1)).rejects.toMatchObject({ code: "request_too_large" });
  });

  test.each([
    ["that is none", "gzip", bytes, "invalid_request"],
    ["whose end is missing", "gzip", gzipSync(bytes).subarray(0, -9), "invalid_request"],
    ["of another kind", "br", gzipSync(bytes), "invalid_request"],
    ["that is no text", "gzip", gzipSync(Buffer.from([0xff, 0xfe, 0x80])), "invalid_json"],
    ["of an unknown kind", "zstd", bytes, "unsupported_media_type"],
    ["compressed twice", "gzip, gzip", gzipSync(gzipSync(bytes)), "unsupported_media_type"],
    ["of a kind that objects have by themselves", "constructor", bytes, "unsupported_media_type"],
  ])("%s is refused", async (_, encoding, body, code) => {
    await expect(read(body, encoding)).rejects.toMatchObject({ code });
  });
});

test("a byte order mark in front of a body is no part of it", async () => {
  for (const text of ["{}", "", "\ufeff{}"]) {
    const request = new Request("http://gw/", { method: "POST", body: Buffer.from(`\ufeff${text}`) });
    expect(await readBody(request, 1_000)).toBe(text);
  }
});
