import { CohereClient, CohereClientV2 } from "cohere-ai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectCleanBooks } from "../../support/chat-gateway";
import { startGateway } from "../../support/gateway";
import { errorOf, type MediaGateway, startMediaGateway } from "../../support/media-gateway";

let gateway: MediaGateway;
beforeAll(async () => {
  gateway = await startMediaGateway();
});
afterAll(() => gateway?.close());

const documents = ["a long text about other things", "short", "not so short"];
const best = [1, 2, 0];

describe("the official SDK, unchanged", () => {
  test("its first version", async () => {
    const client = new CohereClient({ environment: gateway.url, token: gateway.budgetKey });
    const answer = await client.rerank({
      model: "rank",
      query: "q",
      documents: documents.map((text) => ({ text })),
      topN: 2,
      returnDocuments: true,
    });
    expect(answer.results.map(({ index }) => index)).toEqual(best.slice(0, 2));
    expect(answer.results[0]!.document).toMatchObject({ text: "short" });
    expect(answer.id).toBe("r-1");
    expect(gateway.supplier.seen.at(-1)!.body).toEqual({ model: "up-rank", query: "q", documents, top_n: 2 });
  });

  test("its second version", async () => {
    const client = new CohereClientV2({ environment: gateway.url, token: gateway.budgetKey });
    const answer = await client.rerank({ model: "rank", query: "q", documents });
    expect(answer.results.map(({ index }) => index)).toEqual(best);
    expect(answer.results.every(({ relevanceScore }) => relevanceScore > 0)).toBe(true);
    await expect(client.rerank({ model: "nothing", query: "q", documents }, { maxRetries: 0 })).rejects.toMatchObject({
      statusCode: 404,
    });
  });
});

test("the answer has the documented shape, and searches are what is charged", async () => {
  const response = await gateway.post("/v1/rerank", { model: "rank", query: "q", documents });
  const answer = (await response.json()) as { model: string; results: object[] };
  expect(answer.model).toBe("rank");
  expect(Object.keys(answer.results[0]!)).toEqual(["index", "relevance_score"]);
  // The supplier reports one search but no tokens; tokens have a price, so gw counts them itself.
  const { charged, inputTokens, tokenSource } = await gateway.booked(response);
  expect(charged).toBe(2_000_000n + BigInt(inputTokens) * 50n);
  expect(tokenSource).toBe("estimated");
  const many = await gateway.post("/v1/rerank", {
    model: "rank",
    query: "q",
    documents: Array.from({ length: 250 }, () => "d"),
  });
  const searches = await gateway.booked(many);
  expect(searches.charged).toBe(6_000_000n + BigInt(searches.inputTokens) * 50n);
  expect(searches.held).toBeGreaterThanOrEqual(searches.charged);
});

test("without any usage it is one search and gw's own count of the texts", async () => {
  const response = await gateway.post("/v1/rerank", { model: "rank-silent", query: "q", documents });
  const { charged, tokenSource, inputTokens } = await gateway.booked(response);
  expect(tokenSource).toBe("estimated");
  expect(charged).toBe(2_000_000n + BigInt(inputTokens) * 50n);
});

test("failover keeps to the region", async () => {
  expect(
    (await gateway.post("/v1/rerank", { model: "rank-failover", query: "q", documents })).headers.get("x-gw-failover"),
  ).toBe("true");
  const locked = await gateway.post("/v1/rerank", { model: "rank-failover", query: "q", documents, region: "eu" });
  expect(locked.status).toBe(503);
});

test.each([
  [{ model: "rank", documents }, 400, "missing_fields"],
  [{ model: "rank", query: "q" }, 400, "missing_fields"],
  [{ query: "q", documents }, 400, "missing_model"],
  [{ model: "auto", query: "q", documents }, 400, "unsupported_auto_mode"],
  [{ model: "embed", query: "q", documents }, 400, "capability_unsupported"],
  [{ model: "rank", query: "q", documents: [] }, 400, "invalid_request"],
  [{ model: "rank", query: "q", documents: [{ title: "x" }] }, 400, "invalid_request"],
  [{ model: "rank-empty", query: "q", documents }, 502, "upstream_invalid_response"],
])("%# is refused with its code", async (body, status, code) => {
  for (const path of ["/v1/rerank", "/v2/rerank"]) {
    const response = await gateway.post(path, body);
    expect({ status: response.status, code: (await errorOf(response)).code }).toEqual({ status, code });
  }
});

test("only POST, with a key", async () => {
  expect((await fetch(`${gateway.url}/v2/rerank`)).status).toBe(405);
  expect((await fetch(`${gateway.url}/v2/rerank`, { method: "POST", body: "{}" })).status).toBe(401);
});

test("the books are clean", () => expectCleanBooks(gateway));

test("the sandbox ranks by the words in common", async () => {
  const sandbox = await startGateway();
  try {
    const client = new CohereClient({ environment: sandbox.url, token: sandbox.key });
    const texts = ["The moon is far away.", "Paris is the capital of France.", "Cats sleep a lot."];
    const { results } = await client.rerank({ model: "sandbox-rerank", query: "capital of France", documents: texts });
    expect(results[0]!.index).toBe(1);
  } finally {
    await sandbox.close();
  }
});
