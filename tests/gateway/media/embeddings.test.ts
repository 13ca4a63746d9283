import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectCleanBooks } from "../../support/chat-gateway";
import { errorOf, type MediaGateway, startMediaGateway } from "../../support/media-gateway";

let gateway: MediaGateway;
let client: OpenAI;
beforeAll(async () => {
  gateway = await startMediaGateway();
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.budgetKey, maxRetries: 0 });
});
afterAll(() => gateway?.close());

describe("the official SDK, unchanged", () => {
  test.each(["embed", "embed-base64", "embed-floats"])(
    "reads vectors of %s, however its supplier writes them",
    async (model) => {
      const answer = await client.embeddings.create({ model, input: ["hello", "hi"] });
      expect(answer.data.map(({ embedding }) => embedding)).toEqual([
        [5, 0.5, -1.25, 0],
        [2, 0.5, -1.25, 1],
      ]);
      expect(answer.usage).toEqual({ prompt_tokens: 14, total_tokens: 14 });
    },
  );

  test.each(["embed", "embed-base64", "embed-floats"])("gets floats of %s when it asks for floats", async (model) => {
    const { data } = await client.embeddings.create({ model, input: "hello", encoding_format: "float" });
    expect(data).toEqual([{ object: "embedding", index: 0, embedding: [5, 0.5, -1.25, 0] }]);
  });

  test("raises its typed errors", async () => {
    await expect(client.embeddings.create({ model: "embed", input: [] })).rejects.toThrow(OpenAI.BadRequestError);
    await expect(client.embeddings.create({ model: "nothing", input: "a" })).rejects.toThrow(OpenAI.NotFoundError);
    await expect(client.embeddings.create({ model: "embed-400", input: "a" })).rejects.toMatchObject({
      status: 400,
      code: "stand_in",
    });
  });
});

test("the answer has the documented shape and its headers the exact cost", async () => {
  const response = await gateway.post("/v1/embeddings", { model: "embed", input: "hello", user: "u", dimensions: 4 });
  expect(await response.json()).toEqual({
    id: expect.stringMatching(/^embd-/),
    object: "list",
    model: "up-embed",
    data: [{ object: "embedding", index: 0, embedding: [5, 0.5, -1.25, 0] }],
    usage: { prompt_tokens: 7, total_tokens: 7 },
  });
  const { charged, inputTokens, outputTokens, tokenSource, held } = await gateway.booked(response);
  expect({ charged, inputTokens, outputTokens, tokenSource }).toEqual({
    charged: 140n,
    inputTokens: 7,
    outputTokens: 0,
    tokenSource: "supplier",
  });
  expect(held).toBeGreaterThanOrEqual(charged);
  expect(response.headers.get("x-gw-cost-usd")).toMatch(/^0\.00000014/);
  expect(response.headers.get("x-gw-input-tokens")).toBe("7");
  expect(gateway.supplier.seen.at(-1)).toMatchObject({
    path: "/v1/embeddings",
    body: { model: "up-embed", input: "hello", user: "u", dimensions: 4 },
    headers: { authorization: "Bearer sk-secret-of-the-supplier" },
  });
});

test("lists of tokens are taken as they are", async () => {
  const response = await gateway.post("/v1/embeddings", { model: "embed", input: [[1, 2, 3], [4]], region: "eu" });
  expect(response.status).toBe(200);
  expect(gateway.supplier.seen.at(-1)!.body).toEqual({ model: "up-embed", input: [[1, 2, 3], [4]] });
});

test.each(["embed-silent", "embed-insane"])(
  "where %s tells no usage, gw's own count is charged and stated",
  async (model) => {
    const response = await gateway.post("/v1/embeddings", { model, input: "one two three four" });
    const { usage } = (await response.json()) as { usage: { prompt_tokens: number; total_tokens: number } };
    expect(usage).toEqual({ prompt_tokens: 4, total_tokens: 4 });
    expect(await gateway.booked(response)).toMatchObject({ charged: 80n, inputTokens: 4, tokenSource: "estimated" });
  },
);

test("failover and regions hold here as everywhere", async () => {
  const moved = await gateway.post("/v1/embeddings", { model: "embed-failover", input: "a" });
  expect(moved.headers.get("x-gw-failover")).toBe("true");
  expect(moved.headers.get("x-gw-region")).toBe("us");
  const locked = await gateway.post("/v1/embeddings", { model: "embed-failover", input: "a", region: "eu" });
  expect(locked.status).toBeGreaterThanOrEqual(500);
  const nowhere = await gateway.post("/v1/embeddings", { model: "embed", input: "a", region: "mars" });
  expect((await errorOf(nowhere)).code).toBe("sovereign_route_unavailable");
  const { key } = await gateway.createKey({ allowed_models: ["rank"] });
  expect((await errorOf(await gateway.post("/v1/embeddings", { model: "embed", input: "a" }, { key }))).code).toBe(
    "model_not_allowed",
  );
});

test.each([
  [{ model: "embed" }, 400, "missing_fields"],
  [{ input: "a" }, 400, "missing_model"],
  [{ model: "auto", input: "a" }, 400, "unsupported_auto_mode"],
  [{ model: "rank", input: "a" }, 400, "capability_unsupported"],
  [{ model: "embed", input: "word ".repeat(2_100) }, 400, "context_length_exceeded"],
  [{ model: "embed-html", input: "a" }, 502, "upstream_invalid_response"],
])("%# is refused with its code", async (body, status, code) => {
  const response = await gateway.post("/v1/embeddings", body);
  expect({ status: response.status, code: (await errorOf(response)).code }).toEqual({ status, code });
});

test("2048 tokens pass and 2049 do not", async () => {
  const at = await gateway.post("/v1/embeddings", { model: "embed", input: " a".repeat(2_048) });
  expect(at.status).toBe(200);
  const above = await gateway.post("/v1/embeddings", { model: "embed", input: ["a", " a".repeat(2_049)] });
  expect(await errorOf(above)).toMatchObject({ code: "context_length_exceeded", param: "input[1]" });
});

test("what would have to be counted is counted for those only who may ask: the limits of a key come first", async () => {
  const { key } = await gateway.createKey({ budget_limit: 0.000000001, budget_period: "monthly" });
  const tooLong = { model: "embed", input: "word ".repeat(2_100) };
  const poor = await gateway.post("/v1/embeddings", tooLong, { key });
  expect((await errorOf(poor)).code).toBe("budget_exceeded");
  const refused = await gateway.post("/v1/embeddings", tooLong);
  expect((await errorOf(refused)).code).toBe("context_length_exceeded");
  // The hold is released, and nothing is charged.
  expect(await gateway.booked(refused)).toMatchObject({ outcome: "not_executed", charged: 0n, attempts: [] });
});

test("the books are clean", () => expectCleanBooks(gateway));
