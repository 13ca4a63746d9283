import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as audio from "../../support/audio";
import { expectCleanBooks } from "../../support/chat-gateway";
import { errorOf, type MediaGateway, startMediaGateway } from "../../support/media-gateway";

let gateway: MediaGateway;
beforeAll(async () => {
  gateway = await startMediaGateway();
});
afterAll(() => gateway?.close());

const post = (path: string, body: object | FormData, key: string) =>
  gateway.post(path, body, { headers: { "idempotency-key": key } });

function form(sound: Buffer, language = "de"): FormData {
  const made = new FormData();
  made.append("model", "hear");
  made.append("language", language);
  made.append("file", new Blob([sound as BlobPart]), "sound");
  return made;
}

function picture(model: string): FormData {
  const made = new FormData();
  made.append("model", model);
  made.append("prompt", "a");
  for (const byte of [1, 2]) made.append("image[]", new Blob([Buffer.from([0xff, 0xd8, 0xff, byte])]), "a.jpg");
  return made;
}

test.each([
  ["/v1/audio/speech", () => ({ model: "tts", input: "Hello!", voice: "alloy" })],
  ["/v1/embeddings", () => ({ model: "embed", input: ["one", "two"] })],
  ["/v1/rerank", () => ({ model: "rank", query: "q", documents: ["a", "b"] })],
  ["/v1/moderations", () => ({ model: "moderate", input: "a" })],
  ["/v1/images/generations", () => ({ model: "paint", prompt: "a" })],
  ["/v1/images/edits", () => picture("paint")],
  ["/v1/audio/translations", () => form(audio.mp3(3), "")],
  ["/v1/audio/transcriptions", () => form(audio.mp3(3))],
] as const)("%s: the answer comes again and is charged once", async (path, body) => {
  const key = randomUUID();
  const before = gateway.supplier.seen.length;
  const first = await post(path, body(), key);
  expect(first.status).toBe(200);
  const bytes = Buffer.from(await first.arrayBuffer());
  const replay = await post(path, body(), key);
  expect(replay.headers.get("idempotent-replayed")).toBe("true");
  expect(Buffer.from(await replay.arrayBuffer()).equals(bytes)).toBe(true);
  for (const name of ["content-type", "x-request-id", "x-gw-cost-usd", "x-gw-input-tokens", "x-gw-supplier"]) {
    expect(replay.headers.get(name), name).toBe(first.headers.get(name));
  }
  expect(gateway.supplier.seen.length - before).toBe(1);
  expect(await gateway.booked(first)).toMatchObject({ outcome: "complete" });
});

test("another file, or another field beside it, is another request", async () => {
  const key = randomUUID();
  expect((await post("/v1/audio/transcriptions", form(audio.mp3(3)), key)).status).toBe(200);
  for (const other of [form(audio.mp3(4)), form(audio.mp3(3), "en")]) {
    const refused = await post("/v1/audio/transcriptions", other, key);
    expect(refused.status).toBe(409);
    expect(await errorOf(refused)).toMatchObject({ code: "idempotency_conflict" });
  }
});

test("a sound that broke off is not given as a whole one", async () => {
  const key = randomUUID();
  const body = { model: "tts-cut", input: "Hello!", voice: "alloy" };
  await post("/v1/audio/speech", body, key)
    .then((response) => response.arrayBuffer())
    .catch(() => null);
  await expect
    .poll(async () => {
      const again = await post("/v1/audio/speech", body, key);
      return again.status === 200 ? "complete" : (await errorOf(again)).code;
    })
    .toBe("stream_interrupted");
});

test("the books agree", () => expectCleanBooks(gateway));
