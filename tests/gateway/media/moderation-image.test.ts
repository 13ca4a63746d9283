import OpenAI, { toFile } from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as audio from "../../support/audio";
import { expectCleanBooks } from "../../support/chat-gateway";
import { startGateway } from "../../support/gateway";
import { errorOf, type MediaGateway, startMediaGateway } from "../../support/media-gateway";

let gateway: MediaGateway;
let sdk: OpenAI;
beforeAll(async () => {
  gateway = await startMediaGateway();
  sdk = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.budgetKey, maxRetries: 0 });
});
afterAll(() => gateway?.close());

const lastSeen = () => gateway.supplier.seen.at(-1)!;

describe("moderations", () => {
  test("the official SDK, unchanged: one verdict for each text", async () => {
    const { results } = await sdk.moderations.create({ model: "moderate", input: ["kill it", "a park"] });
    expect(results.map(({ flagged }) => flagged)).toEqual([true, false]);
    expect(lastSeen()).toMatchObject({ path: "/v1/moderations", body: { model: "up-moderate" } });
  });

  test("parts that belong together have one verdict, and gw's own fields stay here", async () => {
    const input = [
      { type: "text", text: "kill it" },
      { type: "image_url", image_url: { url: "https://example.com/a.png" } },
    ];
    const response = await gateway.post("/v1/moderations", { model: "moderate", input, region: "eu" });
    expect(((await response.json()) as { results: object[] }).results).toHaveLength(1);
    expect(lastSeen().body).toEqual({ model: "up-moderate", input });
    expect(response.headers.get("x-gw-cost-usd")).toBe("0.000000000");
  });

  test("a price is charged for the tokens that gw counts, since such suppliers count none", async () => {
    const response = await gateway.post("/v1/moderations", { model: "moderate", input: "a park in the sun" });
    expect(await gateway.booked(response)).toMatchObject({ charged: 0n, tokenSource: "estimated", inputTokens: 5 });
  });

  test.each([
    [{}, "missing_fields"],
    [{ input: "" }, "invalid_request"],
    [{ input: [] }, "invalid_request"],
    [{ input: ["a", 1] }, "invalid_request"],
    [{ input: [{ type: "text" }] }, "invalid_request"],
    [{ input: [{ type: "sound", text: "a" }] }, "invalid_request"],
    [{ input: [{ type: "image_url", image_url: {} }] }, "invalid_request"],
    [{ input: Array.from({ length: 2_049 }, () => "a") }, "invalid_request"],
  ])("%j is refused", async (body, code) => {
    const response = await gateway.post("/v1/moderations", { model: "moderate", ...body });
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ code });
  });

  test("fewer verdicts than texts are no answer; another supplier is asked after a refusal", async () => {
    const few = await gateway.post("/v1/moderations", { model: "moderate-few", input: ["a", "b"] });
    expect(few.status).toBe(502);
    const failover = await gateway.post("/v1/moderations", { model: "moderate-failover", input: "a" });
    expect(failover.headers.get("x-gw-supplier")).toBe("second");
  });
});

describe("images", () => {
  test("the official SDK, unchanged: the tokens that the supplier reports are charged", async () => {
    const { data, response } = await sdk.images
      .generate({ model: "paint", prompt: "a lighthouse", n: 2, size: "1024x1024", quality: "low" })
      .withResponse();
    expect(data.data!.map(({ b64_json }) => b64_json)).toEqual(["iVBORw0KGgo=", "iVBORw0KGgo="]);
    expect(lastSeen()).toMatchObject({ path: "/v1/images/generations", body: { model: "up-paint", n: 2 } });
    const { charged, held, tokenSource } = await gateway.booked(response);
    expect(charged).toBe(9n * 5_000n + 544n * 40_000n);
    expect(held).toBeGreaterThanOrEqual(charged);
    expect(tokenSource).toBe("supplier");
  });

  test("a price for each image is charged for those that came", async () => {
    const response = await gateway.post("/v1/images/generations", { model: "paint-each", prompt: "a", n: 3 });
    expect(await gateway.booked(response)).toMatchObject({ charged: 120_000_000n, held: 120_000_000n });
  });

  test.each(["paint-silent", "paint-insane"])(
    "%s: what is not reported is estimated by quality and size",
    async (model) => {
      const body = { model, prompt: "a", quality: "medium", size: "1024x1536" };
      const response = await gateway.post("/v1/images/generations", body);
      expect(await gateway.booked(response)).toMatchObject({
        outputTokens: 1_584,
        charged: 1_584n * 40_000n,
        tokenSource: "estimated",
      });
    },
  );

  test.each([
    [{}, "missing_fields"],
    [{ prompt: "" }, "invalid_request"],
    [{ prompt: "a", n: 11 }, "invalid_request"],
    [{ prompt: "a", n: 0 }, "invalid_request"],
    [{ prompt: "a", size: 1024 }, "invalid_request"],
    [{ prompt: "a", stream: true }, "unsupported_parameter"],
    [{ prompt: "a", partial_images: 2 }, "unsupported_parameter"],
    [{ prompt: "a", model: "moderate" }, "capability_unsupported"],
  ])("%j is refused", async (body, code) => {
    const response = await gateway.post("/v1/images/generations", { model: "paint", ...body });
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ code });
  });

  test("a page is no answer, and what the supplier refuses is told and not charged", async () => {
    expect((await gateway.post("/v1/images/generations", { model: "paint-html", prompt: "a" })).status).toBe(502);
    expect((await gateway.post("/v1/images/generations", { model: "paint-400", prompt: "a" })).status).toBe(400);
  });
});

describe("audio translations", () => {
  test("the official SDK, unchanged", async () => {
    const file = await toFile(audio.mp3(4), "sound.mp3");
    const { text } = await sdk.audio.translations.create({ model: "hear", file });
    expect(text).toMatch(/^heard \d+ bytes$/);
    expect(lastSeen()).toMatchObject({ path: "/v1/audio/translations", body: { model: "up-hear" } });
  });

  test("a language is refused: the text is in English always", async () => {
    const form = new FormData();
    form.append("model", "hear");
    form.append("language", "de");
    form.append("file", new Blob([audio.mp3(3) as BlobPart]), "sound");
    const response = await gateway.post("/v1/audio/translations", form);
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ code: "unsupported_parameter", param: "language" });
  });
});

test("the books are clean", () => expectCleanBooks(gateway));

test("a fresh installation answers all three without a supplier", async () => {
  const fresh = await startGateway({});
  try {
    const { key } = await fresh.createKey({});
    const client = new OpenAI({ baseURL: `${fresh.url}/v1`, apiKey: key, maxRetries: 0 });
    const verdicts = await client.moderations.create({ model: "sandbox-moderation", input: ["murder", "a park"] });
    expect(verdicts.results.map(({ flagged }) => flagged)).toEqual([true, false]);
    const painted = await client.images.generate({ model: "sandbox-image", prompt: "a lighthouse", size: "1536x1024" });
    const png = Buffer.from(painted.data![0]!.b64_json!, "base64");
    expect([png.toString("latin1", 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual(["PNG", 192, 128]);
    const again = await client.images.generate({ model: "sandbox-image", prompt: "a lighthouse", size: "1536x1024" });
    expect(again.data).toEqual(painted.data);
    const { text } = await client.audio.translations.create({
      model: "sandbox-whisper",
      file: await toFile(audio.wav(2), "sound.wav"),
    });
    expect(text).not.toBe("");
  } finally {
    await fresh.close();
  }
});
