import OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AgentSupplier, answerEvents, startAgentSupplier } from "../../support/agent-supplier";
import { expectCleanBooks, usageRows } from "../../support/chat-gateway";
import { type Gateway, startGateway } from "../../support/gateway";

let supplier: AgentSupplier;
let gateway: Gateway;
let client: OpenAI;
beforeAll(async () => {
  supplier = await startAgentSupplier();
  gateway = await startGateway({
    config: {
      suppliers: [
        {
          ...{ name: "own", kind: "chat", base_url: supplier.url, responses: true },
          credentials: [{ name: "main", api_key: "sk-supplier" }],
        },
      ],
      models: [
        {
          ...{ id: "fast", capability: "chat", context_tokens: 8_000, max_output_tokens: 1_000 },
          routes: [{ supplier: "own", upstream_model: "upstream", price: { input_per_mtok: 1, output_per_mtok: 2 } }],
        },
      ],
    },
  });
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 });
});
afterAll(async () => {
  await gateway?.close();
  await supplier?.close();
});

test("a supplier of the same format gets what gw has never heard of, keeps nothing, and its events pass as they are", async () => {
  const events = answerEvents(["Hello ", "there"]);
  supplier.answer(() => ({ events }));
  const body = { model: "fast", input: "hi", stream: true as const, odd: { n: 1.5 }, region: "global" };
  const response = await client.responses.create(body as never).asResponse();
  expect(await response.text()).toBe(events.join(""));
  const sent = JSON.parse(supplier.calls.at(-1)!.body);
  expect(sent).toEqual({ model: "upstream", input: "hi", stream: true, odd: { n: 1.5 }, store: false });
  const [booked] = await usageRows(gateway, response.headers.get("x-request-id")!);
  // 30 input tokens at 1 USD and 5 output tokens at 2 USD per million.
  expect(booked).toMatchObject({ outcome: "complete", cost: 40_000n });
  expect(response.headers.get("x-gw-dropped-params")).toBeNull();
});

test("what is stored says what it goes on with, though its supplier is told nothing of it", async () => {
  const says = (id: string) =>
    supplier.answer(() => ({
      events: answerEvents(["Hello ", "there"]).map((event) => event.replaceAll("resp_1", id)),
    }));
  const read = async (more: object) =>
    (await client.responses.create({ model: "fast", input: "hi", stream: true, ...more }).asResponse()).text();
  says("resp_first");
  await read({});
  says("resp_second");
  await read({ previous_response_id: "resp_first" });
  const sent = JSON.parse(supplier.calls.at(-1)!.body);
  expect(sent).not.toHaveProperty("previous_response_id");
  expect(sent.input).toHaveLength(3);
  expect(await client.responses.retrieve("resp_second")).toMatchObject({
    ...{ store: true, previous_response_id: "resp_first" },
  });
});

test("the books are in order", () => expectCleanBooks(gateway));
