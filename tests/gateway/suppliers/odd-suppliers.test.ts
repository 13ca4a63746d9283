import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BothDialects, startBothDialects } from "../../support/both-dialects";
import { eventually, expectCleanBooks, usageRows } from "../../support/chat-gateway";

let both: BothDialects;
let chat: OpenAI;
let messages: Anthropic;
let budgetKey: string;
beforeAll(async () => {
  both = await startBothDialects();
  budgetKey = (await both.gateway.createKey({ budget_limit: 5, budget_period: "monthly" })).key;
  chat = new OpenAI({ baseURL: `${both.gateway.url}/v1`, apiKey: budgetKey, maxRetries: 0 });
  messages = new Anthropic({ baseURL: both.gateway.url, apiKey: budgetKey, maxRetries: 0 });
});
afterAll(() => both?.close());

const hi = [{ role: "user" as const, content: "hi" }];
const complete = (model: string, more: object = {}) =>
  chat.chat.completions.create({ model, messages: hi, max_tokens: 5, ...more });
const say = (model: string, more: object = {}) =>
  messages.messages.create({ model, messages: hi, max_tokens: 5, ...more });
const caught = (asked: Promise<unknown>) =>
  asked.then(
    () => null,
    // biome-ignore lint/suspicious/noExplicitAny: the errors of two SDKs, read by assertions only
    (problem: any) => problem,
  );
const rowsOf = (callId: string | null) =>
  eventually(
    () => both.gateway.sql("SELECT * FROM usage_event WHERE request_id = $1", [callId]),
    (rows) => rows.length > 0,
  );
/** Waits for log lines of the gateway with these words and returns them. */
const linesWith = (words: string) =>
  eventually(
    async () =>
      both.gateway
        .output()
        .split("\n")
        .filter((line) => line.includes(words) && line.endsWith("}"))
        .map((line) => JSON.parse(line)),
    (lines) => lines.length > 0,
  );

describe("a supplier's words", () => {
  test.each([
    [
      "a list of faults",
      { detail: [{ loc: ["body", "stop"], msg: "too many", type: "too_long" }] },
      "stop: too many",
      "stop",
    ],
    [
      "an error in a list",
      [{ error: { code: 422, message: "Bad value", status: "INVALID_ARGUMENT" } }],
      "Bad value",
      undefined,
    ],
    ["plain text", "no healthy upstream", "no healthy upstream", undefined],
  ])("in %s reach both SDKs as their typed errors", async (_shape, body, words, param) => {
    both.supplier.say({ refusal: { status: 422, body } });
    for (const ask of [complete, say]) {
      const error = await caught(ask("chat-model"));
      expect(
        [OpenAI.UnprocessableEntityError, Anthropic.UnprocessableEntityError].some((kind) => error instanceof kind),
      ).toBe(true);
      const told = error.error.error ?? error.error;
      expect(told.human_message).toBe(words);
      expect(told.param).toBe(param);
      expect(told.code).not.toMatch(/^\d+$/);
    }
  });

  test("about a prompt that does not fit have one code, from either kind of supplier to either kind of client", async () => {
    const message = "prompt is too long: 9000 tokens > 8192 maximum";
    both.supplier.say({
      refusal: { status: 400, body: { type: "error", error: { type: "invalid_request_error", message } } },
    });
    for (const model of ["messages-model", "chat-model"])
      for (const ask of [complete, say]) {
        const error = await caught(ask(model));
        const told = error.error.error ?? error.error;
        expect(told).toMatchObject({ code: "context_length_exceeded", human_message: message });
      }
  });
});

const strict = () =>
  both.supplier.answer(({ body }) =>
    body.stream_options === undefined
      ? { text: "Hello there", hidesUsage: true }
      : { refusal: { status: 400, body: { detail: "Unrecognized request argument: stream_options" } } },
  );

describe("a supplier that forbids stream_options", () => {
  test("streams to clients of both kinds, also to one that asks for usage, and gw's own count is charged", async () => {
    strict();
    const calls: (string | null)[] = [];
    for (const more of [{}, { stream_options: { include_usage: true } }]) {
      const { data, response } = await chat.chat.completions
        .create({ model: "silent-model", messages: hi, stream: true, ...more })
        .withResponse();
      let text = "";
      for await (const { choices } of data) text += choices[0]?.delta.content ?? "";
      expect(text).toBe("Hello there");
      calls.push(response.headers.get("x-request-id"));
    }
    const stream = messages.messages.stream({ model: "silent-model", messages: hi, max_tokens: 50 });
    const { response } = await stream.withResponse();
    expect(await stream.finalText()).toBe("Hello there");
    calls.push(response.headers.get("x-request-id"));
    for (const call of calls) {
      const [row] = await usageRows(both.gateway, call!);
      expect(row).toMatchObject({ outcome: "complete", tokenSource: "estimated", outputTokens: 2 });
      expect(row!.charged).toBeGreaterThan(0n);
    }
  });
});

describe("a supplier that reports more than it can have done", () => {
  const report = (output: number, reasoning = 0) =>
    both.supplier.say({ text: "Hello there", usage: { input: 9, cached: 0, output, reasoning } });

  test.each([
    ["whole", false],
    ["streamed", true],
  ])("is not believed, %s: what came is charged, marked and told in the log", async (_how, stream) => {
    report(9_000);
    for (const key of [budgetKey, both.gateway.key]) {
      const response = await fetch(`${both.gateway.url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "chat-model", messages: hi, max_tokens: 5, stream }),
      });
      await response.text();
      const callId = response.headers.get("x-request-id");
      const [row] = await rowsOf(callId);
      // 2 USD per million output tokens, 1 USD per million input tokens.
      expect(row).toMatchObject({
        token_source: "estimated",
        output_tokens: 2,
        refused_usage: { outputTokens: 9_000 },
      });
      expect(BigInt(row.cost)).toBe(BigInt(row.input_tokens) * 1_000n + 2n * 2_000n);
      const [line] = await linesWith(`"call":"${callId}"`);
      expect(line).toMatchObject({ tokenSource: "estimated", refusedUsage: { outputTokens: 9_000 } });
    }
    const warnings = await linesWith("more usage than its request");
    expect(warnings).toEqual([
      expect.objectContaining({ level: "warn", supplier: "speaks-chat", model: "chat-model" }),
    ]);
  });

  test("is believed about reasoning within the ceiling", async () => {
    report(400, 398);
    const { response } = await chat.chat.completions
      .create({ model: "chat-model", messages: hi, max_completion_tokens: 400 })
      .withResponse();
    const [row] = await rowsOf(response.headers.get("x-request-id"));
    expect(row).toMatchObject({
      token_source: "supplier",
      output_tokens: 400,
      reasoning_tokens: 398,
      refused_usage: null,
    });
  });
});

test("afterwards the books are in order", () => expectCleanBooks(both.gateway));

// This test must be the last one, because gw remembers what it learns about the model.
test("a supplier that is not known to forbid stream_options is asked once more without", async () => {
  strict();
  const stream = (await complete("chat-model", { stream: true })) as unknown as AsyncIterable<{
    choices: { delta: { content?: string } }[];
  }>;
  let text = "";
  for await (const { choices } of stream) text += choices[0]?.delta.content ?? "";
  expect(text).toBe("Hello there");
});
