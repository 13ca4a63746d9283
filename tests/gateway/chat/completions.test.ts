import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BothDialects, startBothDialects } from "../../support/both-dialects";
import { expectCleanBooks, usageRows } from "../../support/chat-gateway";
import { type Gateway, startGateway } from "../../support/gateway";

describe("the sandbox", () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway?.close());

  test("completes a prompt, whole and streamed, and books it; auto chooses a model", async () => {
    const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 });
    const ask = { model: "sandbox-chat", prompt: "Good morning", max_tokens: 64 };
    const { data, response } = await client.completions.create(ask).withResponse();
    expect(data).toMatchObject({ object: "text_completion", choices: [{ index: 0, finish_reason: "stop" }] });
    expect(data.choices[0]!.text).toContain("Good morning");
    expect(data.usage).toMatchObject({ total_tokens: expect.any(Number) });
    const booked = await usageRows(gateway, response.headers.get("x-request-id")!);
    expect(booked).toMatchObject([{ outcome: "complete" }]);
    let text = "";
    for await (const part of await client.completions.create({ ...ask, stream: true })) text += part.choices[0]?.text;
    expect(text).toBe(data.choices[0]!.text);
    expect((await client.completions.create({ ...ask, model: "auto" })).choices[0]!.text).not.toBe("");
    await expectCleanBooks(gateway);
  });
});

describe.each(["chat-model", "messages-model"])("%s", (model) => {
  let both: BothDialects;
  let client: OpenAI;
  beforeAll(async () => {
    both = await startBothDialects();
    client = new OpenAI({ baseURL: `${both.gateway.url}/v1`, apiKey: both.gateway.key, maxRetries: 0 });
  });
  afterAll(() => both?.close());

  test("is asked with the prompt as what the user says, and is charged", async () => {
    both.supplier.say({ text: "Hello there", usage: { input: 120, cached: 100, output: 9, reasoning: 0 } });
    const { data, response } = await client.completions
      .create({ model, prompt: ["Say hello."], stop: ["\n\n", "END"], temperature: 0.5 })
      .withResponse();
    expect(data).toMatchObject({ choices: [{ text: "Hello there", finish_reason: "stop" }] });
    expect(data.usage).toMatchObject({ prompt_tokens: 120, completion_tokens: 9, total_tokens: 129 });
    // 20 tokens at 1 USD, 100 cached tokens at 0.1 USD, 9 output tokens at 2 USD per million.
    expect(await usageRows(both.gateway, response.headers.get("x-request-id")!)).toMatchObject([
      { outcome: "complete", cost: 48_000n },
    ]);
    const asked = both.supplier.last().body as Record<string, unknown>;
    expect(asked).toMatchObject({ model: "upstream", max_tokens: 16, temperature: 0.5 });
    expect(JSON.stringify(asked.messages)).toContain("Say hello.");
    expect(asked).not.toHaveProperty("prompt");
  });

  test("streams text, one finish reason, and usage only for those who ask", async () => {
    both.supplier.say({ text: "One two three", usage: { input: 12, cached: 0, output: 3, reasoning: 0 } });
    const events = async (more: object) => {
      const answer = await client.completions.create({ model, prompt: "hi", stream: true, ...more }).asResponse();
      const text = await answer.text();
      expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
      return text
        .split("\n\n")
        .slice(0, -2)
        .map((event) => JSON.parse(event.slice("data: ".length)) as OpenAI.Completion);
    };
    const plain = await events({});
    expect(plain.map(({ choices }) => choices[0]?.text ?? "").join("")).toBe("One two three");
    expect(plain.flatMap(({ choices }) => choices[0]?.finish_reason ?? [])).toEqual(["stop"]);
    expect(plain.some((event) => event.usage != null)).toBe(false);
    const told = await events({ stream_options: { include_usage: true } });
    expect(told.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 12, completion_tokens: 3 } });
  });

  test("an answer that is cut off says so", async () => {
    both.supplier.say({ text: "One", stop: "length" });
    const { choices } = await client.completions.create({ model, prompt: "hi", max_tokens: 1 });
    expect(choices).toMatchObject([{ text: "One", finish_reason: "length" }]);
  });

  test("what a chat cannot be asked for is refused before anything is sent", async () => {
    const before = both.supplier.calls.length;
    for (const [field, value] of [
      ["prompt", ["a", "b"]],
      ["prompt", [1, 2]],
      ["n", 2],
      ["best_of", 2],
      ["suffix", "}"],
      ["echo", true],
      ["logprobs", 1],
      ["logit_bias", { 50256: -100 }],
      ["unheard_of", 1],
    ] as const) {
      const refused = client.completions.create({ model, prompt: "hi", [field]: value } as never);
      await expect(refused, field).rejects.toMatchObject({ status: 400, code: "unsupported_parameter", param: field });
    }
    await expect(client.completions.create({ model } as never)).rejects.toMatchObject({ code: "missing_fields" });
    expect(both.supplier.calls.length).toBe(before);
  });

  test("tuning goes to those who know it, and is named where it is left out", async () => {
    both.supplier.say({ text: "Hi" });
    const { response } = await client.completions.create({ model, prompt: "hi", seed: 7 }).withResponse();
    const isChat = model === "chat-model";
    expect(response.headers.get("x-gw-dropped-params")).toBe(isChat ? null : "seed");
    expect((both.supplier.last().body as { seed?: number }).seed).toBe(isChat ? 7 : undefined);
  });

  test("keeps the books in order", () => expectCleanBooks(both.gateway));
});
