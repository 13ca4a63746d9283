import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventsOf, expectCleanBooks, textOf, usageRows } from "../../support/chat-gateway";
import { type Gateway, startGateway } from "../../support/gateway";

let gateway: Gateway;
let client: OpenAI;
beforeAll(async () => {
  gateway = await startGateway();
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 });
});
afterAll(() => gateway?.close());

const hello = { model: "sandbox-chat", messages: [{ role: "user" as const, content: "Good morning" }] };

describe("a fresh installation with nothing configured", () => {
  test("answers a chat completion, and books it", async () => {
    const { data, response } = await client.chat.completions.create(hello).withResponse();
    expect(data.choices[0]!.message.content).toContain("Good morning");
    expect(data.usage!.total_tokens).toBe(data.usage!.prompt_tokens + data.usage!.completion_tokens);
    expect(response.headers.get("x-gw-supplier")).toBe("sandbox");
    const usage = await usageRows(gateway, response.headers.get("x-request-id")!);
    const cost = BigInt(data.usage!.prompt_tokens) * 500n + BigInt(data.usage!.completion_tokens) * 1_500n;
    expect(usage).toMatchObject([{ outcome: "complete", cost }]);
    expect(Number(response.headers.get("x-gw-cost-usd"))).toBeCloseTo(Number(cost) / 1e9, 12);
  });

  test("streams, calls tools, and gives instances of schemas", async () => {
    const streamed = await client.chat.completions.stream(hello).finalChatCompletion();
    expect(streamed.choices[0]!.message.content).toContain("Good morning");
    const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
    const called = await client.chat.completions.create({
      ...hello,
      tools: [{ type: "function", function: { name: "find_city", parameters } }],
    });
    expect(
      JSON.parse((called.choices[0]!.message.tool_calls![0] as { function: { arguments: string } }).function.arguments),
    ).toEqual({
      city: "Good morning",
    });
    const shaped = await client.chat.completions.create({
      ...hello,
      response_format: { type: "json_schema", json_schema: { name: "x", schema: parameters } },
    });
    expect(JSON.parse(shaped.choices[0]!.message.content!)).toEqual({ city: "Good morning" });
  });

  test("leaves a stream's end to the client as it reads it", async () => {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${gateway.key}` },
      body: JSON.stringify({ ...hello, stream: true, stream_options: { include_usage: true } }),
    });
    const events = await eventsOf(response);
    expect(textOf(events)).toContain("Good morning");
    expect(events.at(-2)).toHaveProperty("usage.completion_tokens");
    expect(events.at(-1)).toBe("[DONE]");
  });

  test("keeps the books in order", () => expectCleanBooks(gateway));
});
