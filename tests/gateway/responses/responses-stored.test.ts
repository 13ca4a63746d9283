import { createOpenAI } from "@ai-sdk/openai";
import { generateText, stepCountIs, tool } from "ai";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type BothDialects, startBothDialects } from "../../support/both-dialects";
import { type Gateway, startGateway } from "../../support/gateway";

let both: BothDialects;
let client: OpenAI;
const clientOf = ({ url }: Gateway, apiKey: string) => new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 });
beforeAll(async () => {
  both = await startBothDialects();
  client = clientOf(both.gateway, both.gateway.key);
});
afterAll(() => both?.close());

const asked = () => JSON.stringify(both.supplier.last().body);

describe.each(["chat-model", "messages-model"])("%s", (model) => {
  test("goes on with a response, whole or streamed, turn after turn", async () => {
    both.supplier.say({ text: "My name is Ada" });
    const first = await client.responses.create({ model, input: "Who are you?" });
    both.supplier.say({ text: "As I said" });
    const streamed = client.responses.stream({ model, input: "Again?", previous_response_id: first.id });
    const second = await streamed.finalResponse();
    expect(second.previous_response_id).toBe(first.id);
    for (const words of ["Who are you?", "My name is Ada", "Again?"]) expect(asked()).toContain(words);
    await client.responses.create({ model, input: "And?", previous_response_id: second.id });
    for (const words of ["Who are you?", "My name is Ada", "Again?", "As I said", "And?"])
      expect(asked()).toContain(words);
    expect(asked()).not.toContain("previous_response_id");
  });

  test("says what it goes on with when its answer is shortened to what is left of a budget, too", async () => {
    const { key } = await both.gateway.createKey({ budget_limit: 0.01, budget_period: "monthly" });
    const poor = clientOf(both.gateway, key);
    const first = await poor.responses.create({ model, input: "Who are you?", max_output_tokens: 10 });
    const going = { model, input: "Again?", previous_response_id: first.id, max_output_tokens: 1_000_000 };
    const headers = { "x-gw-fit-output": "true" };
    const { data: second, response } = await poor.responses.create(going, { headers }).withResponse();
    expect(response.headers.get("x-gw-fitted-max-tokens")).not.toBeNull();
    expect(second.previous_response_id).toBe(first.id);
    expect((await poor.responses.retrieve(second.id)).previous_response_id).toBe(first.id);
  });

  test("brings tools through several turns of the AI SDK, which refers to what it was told", async () => {
    both.supplier.say(
      { text: "Let me look", calls: [{ name: "get_weather", input: { city: "Rome" } }] },
      { text: "Sun" },
    );
    const { text } = await generateText({
      model: createOpenAI({ baseURL: `${both.gateway.url}/v1`, apiKey: both.gateway.key })(model),
      prompt: "weather?",
      tools: {
        get_weather: tool({
          inputSchema: z.object({ city: z.string() }),
          execute: async ({ city }) => `sun in ${city}`,
        }),
      },
      stopWhen: stepCountIs(3),
      maxRetries: 0,
    });
    expect(text).toBe("Sun");
    for (const words of ["weather?", "Let me look", "get_weather", "sun in Rome"]) expect(asked()).toContain(words);
  });
});

/** Clients react to this code by sending the whole conversation. */
const NO_SUCH_PREVIOUS = { status: 400, code: "previous_response_not_found", param: "previous_response_id" };

describe("a stored response", () => {
  test("is read with what led to it, and deleted for good", async () => {
    both.supplier.say({ text: "Kept" });
    const { id } = await client.responses.create({
      model: "chat-model",
      input: [
        { role: "user", content: "one" },
        { role: "user", content: "two" },
      ],
    });
    expect((await client.responses.retrieve(id)).output).toMatchObject([{ content: [{ text: "Kept" }] }]);
    const items = [];
    for await (const item of client.responses.inputItems.list(id, { limit: 1, order: "asc" })) items.push(item);
    expect(items).toMatchObject([{ content: [{ text: "one" }] }, { content: [{ text: "two" }] }]);
    await expect(client.responses.cancel(id)).rejects.toMatchObject({ status: 400 });
    await client.responses.delete(id);
    for (const gone of [
      () => client.responses.retrieve(id),
      () => client.responses.delete(id),
      () => client.responses.inputItems.list(id),
    ])
      await expect(gone()).rejects.toMatchObject({ status: 404 });
    await expect(
      client.responses.create({ model: "chat-model", input: "x", previous_response_id: id }),
    ).rejects.toMatchObject(NO_SUCH_PREVIOUS);
  });

  test("is not there for anybody but its owner, by its id and by its items, and no supplier is asked", async () => {
    const { id, output } = await client.responses.create({ model: "chat-model", input: "mine" });
    expect((await client.responses.retrieve(id)).id).toBe(id);
    await both.gateway.sql("UPDATE stored_response SET user_id = 424242 WHERE id = $1", [id]);
    const calls = both.supplier.calls.length;
    const model = "chat-model";
    for (const refused of [
      () => client.responses.retrieve(id),
      () => client.responses.delete(id),
      () => client.responses.create({ model, input: [{ type: "item_reference", id: output[0]!.id! }] }),
    ])
      await expect(refused()).rejects.toMatchObject({ status: 404 });
    for (const stream of [false, true])
      await expect(
        client.responses.create({ model, input: "x", previous_response_id: id, stream }),
      ).rejects.toMatchObject(NO_SUCH_PREVIOUS);
    expect(both.supplier.calls.length).toBe(calls);
  });

  test("is none where its client said so", async () => {
    const { id, output } = await client.responses.create({ model: "chat-model", input: "x", store: false });
    await expect(client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
    await expect(
      client.responses.create({ model: "chat-model", input: [{ type: "item_reference", id: output[0]!.id! }] }),
    ).rejects.toMatchObject({ status: 404, param: "input[0]" });
  });
});

test("where nothing is stored, what refers to it is refused by name", async () => {
  const gateway = await startGateway({ env: { GW_STORED_RESPONSES_DAYS: "0" } });
  try {
    const other = clientOf(gateway, gateway.key);
    const { id } = await other.responses.create({ model: "sandbox-chat", input: "x" });
    await expect(
      other.responses.create({ model: "sandbox-chat", input: "x", previous_response_id: id }),
    ).rejects.toMatchObject({ status: 400, code: "unsupported_parameter", param: "previous_response_id" });
  } finally {
    await gateway.close();
  }
});
