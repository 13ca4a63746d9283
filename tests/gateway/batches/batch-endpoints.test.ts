import type OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { begin, chatLine, clientOf, linesOf, over } from "../../support/batches";
import { expectCleanBooks, startChatGateway } from "../../support/chat-gateway";
import { type Gateway, startGateway } from "../../support/gateway";

describe("a batch for each of the endpoints, with the models of a fresh installation", () => {
  let gateway: Gateway;
  let client: OpenAI;
  beforeAll(async () => {
    gateway = await startGateway();
    client = clientOf(gateway, gateway.key);
  });
  afterAll(() => gateway?.close());

  async function answersOf(endpoint: "/v1/responses" | "/v1/embeddings" | "/v1/completions", bodies: object[]) {
    const lines = bodies.map((body, index) => ({ custom_id: `line-${index}`, method: "POST", url: endpoint, body }));
    const batch = await over(client, (await begin(client, lines, { endpoint })).id);
    expect(batch).toMatchObject({ status: "completed", endpoint, error_file_id: null });
    const told = await linesOf(client, batch.output_file_id);
    expect(told.map(({ custom_id }) => custom_id)).toEqual(lines.map(({ custom_id }) => custom_id));
    return told.map(({ response }) => response?.body) as unknown as Record<string, unknown>[];
  }

  test("responses, which are kept for who goes on with them", async () => {
    const models = ["sandbox-chat", "sandbox-messages"];
    const [first, second, unkept] = await answersOf("/v1/responses", [
      ...models.map((model) => ({ model, input: "Say hello." })),
      { model: "sandbox-chat", input: "Say hello.", store: false },
    ]);
    for (const body of [first, second])
      expect(body).toMatchObject({ object: "response", status: "completed", output: [{ type: "message" }] });
    expect((await client.responses.retrieve(first?.id as string)).id).toBe(first?.id);
    await expect(client.responses.retrieve(unkept?.id as string)).rejects.toMatchObject({ status: 404 });
    const [next] = await answersOf("/v1/responses", [
      { model: "sandbox-messages", input: "And again.", previous_response_id: first?.id },
    ]);
    expect(next).toMatchObject({ object: "response", status: "completed", output: [{ type: "message" }] });
  });

  test("embeddings, as numbers and as base64", async () => {
    const ask = { model: "sandbox-embed", input: ["one", "two"] };
    const [numbers, base64] = await answersOf("/v1/embeddings", [ask, { ...ask, encoding_format: "base64" }]);
    expect(numbers).toMatchObject({ object: "list", data: [{ index: 0 }, { index: 1 }] });
    const [{ embedding }] = numbers!.data as [{ embedding: number[] }];
    expect(embedding).toHaveLength(256);
    expect(typeof (base64!.data as [{ embedding: unknown }])[0].embedding).toBe("string");
  });

  test("completions", async () => {
    const [body] = await answersOf("/v1/completions", [{ model: "sandbox-chat", prompt: "Once", max_tokens: 9 }]);
    expect(body).toMatchObject({ object: "text_completion", choices: [{ index: 0, text: expect.any(String) }] });
  });

  test("what cannot be a line of its endpoint is named with its line, and nothing is called", async () => {
    const lines = [
      { input: "hi", model: "sandbox-embed" },
      { model: "sandbox-chat" },
      { input: "hi", model: "sandbox-chat", background: true },
    ].map((body, index) => ({ custom_id: `line-${index}`, method: "POST", url: "/v1/responses", body }));
    const batch = await over(client, (await begin(client, lines, { endpoint: "/v1/responses" })).id);
    expect(batch).toMatchObject({ status: "failed", output_file_id: null });
    expect(batch.errors?.data?.map(({ line }) => line)).toEqual([1, 2, 3]);
    expect(batch.errors?.data?.map(({ param }) => param).slice(1)).toEqual(["input", "background"]);
  });
});

test("a batch whose wallet is empty ends and calls nobody; once there is money, the next one is carried out", async () => {
  const gateway = await startChatGateway();
  const client = clientOf(gateway, gateway.budgetKey);
  await gateway.sql("SELECT wallet_mark_exempt(id, false, 'test') FROM ledger_account WHERE kind = 'wallet'");
  const lines = Array.from({ length: 5 }, (_, index) => chatLine(index));
  const batch = await over(client, (await begin(client, lines)).id, 45_000);
  expect(batch).toMatchObject({
    ...{ status: "failed", output_file_id: null, request_counts: { total: 5, completed: 0, failed: 5 } },
    errors: { data: [{ code: "billing_limit_reached" }] },
  });
  const refused = await linesOf(client, batch.error_file_id);
  expect(refused.map(({ custom_id }) => custom_id).toSorted()).toEqual(lines.map(({ custom_id }) => custom_id));
  for (const { response, error } of refused)
    expect(error?.code ?? response?.body.error?.code).toBe("billing_limit_reached");
  expect(await gateway.standIn.bill()).toEqual([]);
  expect(await gateway.sql("SELECT count(*)::int AS calls FROM usage_event WHERE charged > 0")).toEqual([{ calls: 0 }]);
  await gateway.sql(
    "SELECT wallet_post(id, 'adjustment', 1000000000, 'adjustment', 'test:' || id, 'test', 'funds') FROM ledger_account WHERE kind = 'wallet'",
  );
  const paid = await over(client, (await begin(client, lines)).id);
  expect(paid).toMatchObject({ status: "completed", request_counts: { total: 5, completed: 5, failed: 0 } });
  await expectCleanBooks(gateway);
  await gateway.close();
});
