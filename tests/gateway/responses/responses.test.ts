import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BothDialects, startBothDialects } from "../../support/both-dialects";
import { expectCleanBooks, usageRows } from "../../support/chat-gateway";
import { type Gateway, startGateway } from "../../support/gateway";
import { nativeViolations } from "../../support/stream-grammar";

const LOOK = { type: "function" as const, name: "look", parameters: { type: "object", properties: {} }, strict: false };

describe("the sandbox", () => {
  let gateway: Gateway;
  let client: OpenAI;
  beforeAll(async () => {
    gateway = await startGateway();
    client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 });
  });
  afterAll(() => gateway?.close());

  test("answers a response, whole and streamed, and books it", async () => {
    const { data, response } = await client.responses
      .create({ model: "sandbox-chat", input: "Good morning" })
      .withResponse();
    expect(data.output_text).toContain("Good morning");
    const booked = await usageRows(gateway, response.headers.get("x-request-id")!);
    expect(booked).toMatchObject([{ outcome: "complete" }]);
    expect(Number(response.headers.get("x-gw-cost-usd"))).toBeCloseTo(Number(booked[0]!.cost) / 1e9, 12);
    const streamed = client.responses.stream({ model: "sandbox-chat", input: "Good morning" });
    expect(JSON.stringify((await streamed.finalResponse()).output)).toContain("Good morning");
  });

  test("keeps the books in order", () => expectCleanBooks(gateway));
});

describe.each(["chat-model", "messages-model"])("%s, which is served in translation", (model) => {
  let both: BothDialects;
  let client: OpenAI;
  beforeAll(async () => {
    both = await startBothDialects();
    client = new OpenAI({ baseURL: `${both.gateway.url}/v1`, apiKey: both.gateway.key, maxRetries: 0 });
  });
  afterAll(() => both?.close());

  test("is asked and answers in the client's own words, and is charged", async () => {
    both.supplier.say({ text: "Hello there", usage: { input: 120, cached: 100, output: 9, reasoning: 0 } });
    const { data, response } = await client.responses
      .create({ model, input: "hi", instructions: "Be brief.", store: false })
      .withResponse();
    expect(data.output_text).toBe("Hello there");
    expect(data.usage).toMatchObject({
      input_tokens: 120,
      output_tokens: 9,
      input_tokens_details: { cached_tokens: 100 },
    });
    expect(response.headers.get("x-gw-output-tokens")).toBe("9");
    // 20 tokens at 1 USD, 100 cached tokens at 0.1 USD, 9 output tokens at 2 USD per million.
    expect(await usageRows(both.gateway, response.headers.get("x-request-id")!)).toMatchObject([
      { outcome: "complete", cost: 48_000n },
    ]);
    expect(JSON.stringify(both.supplier.last().body)).toContain("Be brief.");
  });

  test("streams every event in its place", async () => {
    both.supplier.say({ thinking: "Hmm, what now?", text: "Let me look", calls: [{ name: "look", input: { a: 1 } }] });
    const response = await client.responses.create({ model, input: "hi", tools: [LOOK], stream: true }).asResponse();
    const seen = await response.text();
    expect(nativeViolations(seen)).toEqual([]);
    for (const type of [
      "reasoning_summary_text.delta",
      "output_text.delta",
      "function_call_arguments.done",
      "completed",
    ])
      expect(seen).toContain(`event: response.${type}\n`);
  });

  test("leaves out tools that run elsewhere, and names them; demanded, they are refused", async () => {
    both.supplier.say({ text: "Without" });
    const body = { model, input: "hi", tools: [LOOK, { type: "web_search" as const }] };
    const { data, response } = await client.responses.create(body).withResponse();
    expect(data.output_text).toBe("Without");
    expect(response.headers.get("x-gw-dropped-params")).toBe("tools.web_search");
    expect(both.supplier.last().body.tools).toHaveLength(1);
    await expect(
      client.responses.create({ ...body, tool_choice: { type: "web_search_preview" } }),
    ).rejects.toMatchObject({
      status: 400,
      code: "unsupported_parameter",
      param: "tool_choice",
    });
  });

  test("that breaks off tells so, and is charged for what came", async () => {
    both.supplier.say({ text: "one two three four five six", breaks: "cut" });
    const { data: stream, response } = await client.responses
      .create({ model, input: "hi", stream: true })
      .withResponse();
    const types: string[] = [];
    const reading = async () => {
      for await (const event of stream) types.push(event.type);
    };
    await expect(reading()).rejects.toMatchObject({ code: "stream_interrupted" });
    expect(types).toContain("response.output_text.delta");
    expect(await usageRows(both.gateway, response.headers.get("x-request-id")!)).toMatchObject([
      { outcome: "upstream_abort" },
    ]);
  });

  test("keeps the books in order", () => expectCleanBooks(both.gateway));
});
