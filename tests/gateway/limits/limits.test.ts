import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Gateway, startGateway } from "../../support/gateway";

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ env: { LOG_LEVEL: "info" } });
});
afterAll(() => gateway?.close());

const post = (body: BodyInit, headers: Record<string, string> = {}) =>
  fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json", ...headers },
    body,
  });
const codeOf = async (response: Response) => ((await response.json()) as { error: { code: string } }).error.code;

/** Sends raw bytes and resolves with the whole answer when the server closes the connection. */
function raw(bytes: string | string[], pauseMs = 0): Promise<string> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(gateway.url);
    const socket = connect(Number(port), "127.0.0.1");
    let text = "";
    socket.on("data", (chunk) => (text += chunk));
    socket.on("close", () => resolve(text));
    socket.on("error", (error: NodeJS.ErrnoException) => (error.code === "ECONNRESET" ? resolve(text) : reject(error)));
    const pieces = typeof bytes === "string" ? [bytes] : bytes;
    for (const [index, piece] of pieces.entries()) {
      setTimeout(() => socket.writable && socket.write(piece), index * pauseMs);
    }
  });
}

describe("bodies", () => {
  test("larger than the limit are refused by their announced length, and by their real one", async () => {
    const large = JSON.stringify({
      model: "sandbox-chat",
      messages: [{ role: "user", content: "x".repeat(12_000_000) }],
    });
    const announced = await post(large);
    expect(announced.status).toBe(413);
    expect(await codeOf(announced)).toBe("request_too_large");
    const stream = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 12; i += 1) controller.enqueue(Buffer.alloc(1_000_000, 120));
        controller.close();
      },
    });
    const chunked = await post(stream, {}).catch(() => null);
    if (chunked !== null) expect(chunked.status).toBe(413);
  });

  test("that are compressed, no UTF-8 or no JSON have codes of their own", async () => {
    expect(await codeOf(await post("{}", { "content-encoding": "zstd" }))).toBe("unsupported_media_type");
    expect(await codeOf(await post("{}", { "content-encoding": "gzip" }))).toBe("invalid_request");
    expect(await codeOf(await post(gzipSync("{}"), { "content-encoding": "gzip" }))).toBe("missing_model");
    expect(await codeOf(await post(gzipSync(Buffer.alloc(20_000_000)), { "content-encoding": "gzip" }))).toBe(
      "request_too_large",
    );
    expect(await codeOf(await post("{", { "content-encoding": "Identity" }))).toBe("invalid_json");
    expect(await codeOf(await post(Buffer.from([0x7b, 0xff, 0xfe])))).toBe("invalid_json");
    expect(await codeOf(await post("{"))).toBe("invalid_json");
    expect(await codeOf(await post(`${"[".repeat(10_000)}${"]".repeat(10_000)}`))).toBe("invalid_json");
  });
});

describe("connections", () => {
  test("a request whose headers never end is closed", async () => {
    const started = Date.now();
    await raw("POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nX-Slow: ");
    expect(Date.now() - started).toBeLessThan(20_000);
  });

  test("ambiguous framing is one 400 and the end of the connection", async () => {
    const smuggled =
      "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\n";
    const answer = await raw(smuggled);
    expect(answer).toMatch(/^HTTP\/1\.1 400/);
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  test("headers beyond the limit are refused", async () => {
    const answer = await raw(`GET /health HTTP/1.1\r\nHost: x\r\nX-Long: ${"a".repeat(40_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431/);
  });
});

test("every request is one JSON line without secrets or bodies", async () => {
  const marker = "a-prompt-that-must-not-be-logged";
  const response = await post(JSON.stringify({ model: "sandbox-chat", messages: [{ role: "user", content: marker }] }));
  const id = response.headers.get("x-request-id");
  await expect.poll(() => gateway.output().includes(String(id)), { timeout: 5_000 }).toBe(true);
  const lines = gateway
    .output()
    .split("\n")
    .filter((line) => line.includes(String(id)));
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0]!)).toMatchObject({
    model: "sandbox-chat",
    status: 200,
    supplier: expect.any(String),
    costUsd: expect.any(String),
  });
  expect(gateway.output()).not.toContain(marker);
  expect(gateway.output()).not.toContain(gateway.key);
});
