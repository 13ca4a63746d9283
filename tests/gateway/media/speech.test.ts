import { request as httpRequest } from "node:http";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually, expectCleanBooks } from "../../support/chat-gateway";
import { startGateway } from "../../support/gateway";
import { errorOf, type MediaGateway, startMediaGateway } from "../../support/media-gateway";

let gateway: MediaGateway;
let client: OpenAI;
beforeAll(async () => {
  gateway = await startMediaGateway();
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.budgetKey, maxRetries: 0 });
});
afterAll(() => gateway?.close());

const speak = (body: object, init: Parameters<MediaGateway["post"]>[2] = {}) =>
  gateway.post("/v1/audio/speech", { model: "tts", input: "Hello!", ...body }, init);

test("the official SDK gets the sound", async () => {
  const response = await client.audio.speech.create({ model: "tts", input: "Hello", voice: "alloy" });
  expect(response.headers.get("content-type")).toBe("audio/mpeg");
  expect((await response.arrayBuffer()).byteLength).toBe(900 * 417);
  const spoken = await client.audio.speech.create({
    model: "tts",
    input: "Hello",
    voice: "alloy",
    response_format: "wav",
    speed: 4,
  });
  expect(spoken.headers.get("content-type")).toBe("audio/wav");
  expect(Buffer.from(await spoken.arrayBuffer()).toString("latin1", 0, 4)).toBe("RIFF");
  expect(gateway.supplier.seen.at(-1)!.body).toEqual({
    model: "up-tts",
    input: "Hello",
    voice: "alloy",
    response_format: "wav",
    speed: 4,
  });
  await expect(client.audio.speech.create({ model: "tts", input: "x".repeat(4_097), voice: "a" })).rejects.toThrow(
    OpenAI.BadRequestError,
  );
  await expect(client.audio.speech.create({ model: "tts-429", input: "x", voice: "a" })).rejects.toThrow(
    OpenAI.RateLimitError,
  );
});

test("characters are charged exactly; the headers say so before the sound", async () => {
  const response = await speak({ input: "😀é and more" });
  expect(response.headers.get("x-gw-cost-usd")).toMatch(/^0\.000166/);
  expect(response.headers.get("x-gw-supplier")).toBe("primary");
  await response.arrayBuffer();
  const { charged, held, tokenSource, outcome } = await gateway.booked(response);
  expect({ charged, held, tokenSource, outcome }).toEqual({
    charged: 166_000n,
    held: 166_000n,
    tokenSource: "supplier",
    outcome: "complete",
  });
});

test("where tokens have a price, gw counts them", async () => {
  const response = await speak({ model: "tts-tokens", input: "one two three four" });
  expect(response.headers.has("x-gw-cost-usd")).toBe(false);
  await response.arrayBuffer();
  expect(await gateway.booked(response)).toMatchObject({
    charged: 4n * 600n + 18_000n,
    inputTokens: 4,
    tokenSource: "estimated",
  });
});

test("a supplier that sends no sound is not an answer; another one is asked", async () => {
  const moved = await speak({ model: "tts-failover" });
  expect(moved.headers.get("x-gw-failover")).toBe("true");
  expect((await moved.arrayBuffer()).byteLength).toBe(900 * 417);
  for (const model of ["tts-html", "tts-empty"]) {
    const response = await speak({ model });
    expect(response.status).toBe(502);
    expect((await errorOf(response)).code).toBe("upstream_invalid_response");
  }
});

test("a supplier that breaks off breaks the answer off: nobody takes half a file for a whole one", async () => {
  const response = await speak({ model: "tts-cut" });
  expect(response.status).toBe(200);
  await expect(response.arrayBuffer()).rejects.toThrow();
  expect(await gateway.booked(response)).toMatchObject({ outcome: "upstream_abort", charged: 91_000n });
});

test("a client that leaves ends the supplier's work within a second and pays for what it asked", async () => {
  const abort = new AbortController();
  const response = await speak({ model: "tts-slow" }, { signal: abort.signal });
  await response.body!.getReader().read();
  abort.abort();
  const cut = await eventually(
    async () => gateway.supplier.seen.at(-1)!.cut,
    (value) => value,
    1_000,
  );
  expect(cut).toBe(true);
  expect(await gateway.booked(response)).toMatchObject({ outcome: "client_abort", charged: 91_000n });
});

test("the first sound arrives before the last has been made", async () => {
  const abort = new AbortController();
  const response = await speak({ model: "tts-slow" }, { signal: abort.signal });
  const { value } = await response.body!.getReader().read();
  expect(value!.byteLength).toBeGreaterThan(0);
  // The supplier is still sending, so the disconnect interrupts its answer.
  abort.abort();
  await expect.poll(() => gateway.supplier.seen.at(-1)!.cut, { timeout: 5_000 }).toBe(true);
});

describe("refused:", () => {
  test.each([
    [{ input: "" }, 400, "invalid_request"],
    [{ input: undefined }, 400, "missing_fields"],
    [{ model: undefined }, 400, "missing_model"],
    [{ model: "auto" }, 400, "unsupported_auto_mode"],
    [{ model: "hear" }, 400, "capability_unsupported"],
    [{ input: "x".repeat(4_097) }, 400, "invalid_request"],
    [{ speed: 0.2 }, 400, "invalid_request"],
    [{ speed: 4.1 }, 400, "invalid_request"],
    [{ response_format: "opus" }, 400, "invalid_request"],
    [{ region: "mars" }, 503, "sovereign_route_unavailable"],
  ])("%j", async (body, status, code) => {
    const response = await speak(body);
    expect({ status: response.status, code: (await errorOf(response)).code }).toEqual({ status, code });
  });
});

test("a slow reader holds the supplier back and gets every byte", async () => {
  const { port } = new URL(gateway.url);
  const received = await new Promise<number>((resolve, reject) => {
    const request = httpRequest({
      port,
      path: "/v1/audio/speech",
      method: "POST",
      headers: { authorization: `Bearer ${gateway.budgetKey}`, "content-type": "application/json" },
    });
    request.on("error", reject);
    request.on("response", (response) => {
      let bytes = 0;
      response.on("data", (chunk) => {
        bytes += chunk.length;
        response.pause();
        setTimeout(() => response.resume(), 5);
      });
      response.on("end", () => resolve(bytes));
      response.on("error", reject);
    });
    request.end(JSON.stringify({ model: "tts", input: "x", response_format: "wav" }));
  });
  expect(received).toBe(44 + 20 * 8_000 * 2);
});

test("the books are clean", () => expectCleanBooks(gateway));

test("the sandbox speaks", async () => {
  const sandbox = await startGateway();
  try {
    const sdk = new OpenAI({ baseURL: `${sandbox.url}/v1`, apiKey: sandbox.key, maxRetries: 0 });
    const mp3 = await sdk.audio.speech.create({ model: "sandbox-tts", input: "Hello there", voice: "any" });
    expect(mp3.headers.get("content-type")).toBe("audio/mpeg");
    expect((await mp3.arrayBuffer()).byteLength).toBeGreaterThan(500);
    const wav = await sdk.audio.speech.create({
      model: "sandbox-tts",
      input: "Hello there",
      voice: "any",
      response_format: "wav",
    });
    expect(Buffer.from(await wav.arrayBuffer()).toString("latin1", 0, 4)).toBe("RIFF");
    expect(wav.headers.get("x-gw-cost-usd")).toMatch(/^0\.000165/);
  } finally {
    await sandbox.close();
  }
});
