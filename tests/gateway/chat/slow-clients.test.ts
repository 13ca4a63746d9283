import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as audio from "../../support/audio";
import { type Gateway, startGateway } from "../../support/gateway";

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ env: { GW_REQUEST_TIMEOUT_MS: "1500", GW_UPLOAD_TIMEOUT_MS: "8000" } });
});
afterAll(() => gateway?.close());

type Told = { status: number; code: string | null; afterMs: number };

/** Sends a body in pieces with pauses between them; if `ends` is false, the request stays incomplete. */
function drip(path: string, type: string, pieces: readonly Buffer[], pauseMs: number, ends = true): Promise<Told> {
  return new Promise((resolve, reject) => {
    const startedMs = performance.now();
    const headers = { authorization: `Bearer ${gateway.key}`, "content-type": type, "transfer-encoding": "chunked" };
    const request = httpRequest(`${gateway.url}${path}`, { method: "POST", headers }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk) => (text += chunk));
      response.on("end", () => {
        const body = JSON.parse(text) as { error?: { code: string } };
        resolve({
          status: response.statusCode!,
          code: body.error?.code ?? null,
          afterMs: performance.now() - startedMs,
        });
      });
    });
    request.on("error", reject);
    for (const [index, piece] of pieces.entries()) {
      setTimeout(() => request.writable && request.write(piece), index * pauseMs);
    }
    if (ends) setTimeout(() => request.writable && request.end(), pieces.length * pauseMs);
  });
}

const chat = Buffer.from(JSON.stringify({ model: "sandbox-chat", messages: [{ role: "user", content: "Hello" }] }));
const sliced = (bytes: Buffer, count: number) =>
  Array.from({ length: count }, (_, index) =>
    bytes.subarray(Math.floor((index * bytes.length) / count), Math.floor(((index + 1) * bytes.length) / count)),
  );

const BOUNDARY = "a-boundary";
const form = Buffer.concat([
  Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="model"\r\n\r\nsandbox-whisper\r\n`),
  Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n`),
  audio.wav(1),
  Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
]);
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

test("a JSON body that drips is refused when its time is over, and the connection ends", async () => {
  const told = await drip("/v1/chat/completions", "application/json", sliced(chat, 20), 300);
  expect(told).toMatchObject({ status: 408, code: "request_timeout" });
  expect(told.afterMs).toBeGreaterThan(1_300);
});

test("one that comes in pieces but in time is answered", async () => {
  expect(await drip("/v1/chat/completions", "application/json", sliced(chat, 4), 100)).toMatchObject({ status: 200 });
});

test("an upload may take longer than other requests, as long as it goes on", async () => {
  const told = await drip("/v1/audio/transcriptions", MULTIPART, sliced(form, 12), 300);
  expect(told).toMatchObject({ status: 200 });
  expect(told.afterMs).toBeGreaterThan(3_000);
});

test("an upload that stands still is refused", async () => {
  const told = await drip("/v1/audio/transcriptions", MULTIPART, sliced(form, 4).slice(0, 2), 100, false);
  expect(told).toMatchObject({ status: 408, code: "request_timeout" });
  expect(told.afterMs).toBeLessThan(6_000);
});
