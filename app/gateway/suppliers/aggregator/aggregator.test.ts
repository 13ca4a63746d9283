import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { supplierError } from "../../call/supplier-error";
import { readChatAnswer } from "../../dialects/chat/answer";
import { ChatStreamReader } from "../../dialects/chat/stream";
import { readAggregatorFailure } from "./failure";
import { readModel } from "./models";
import { withoutRouting } from "./request";

const recorded = (name: string) => readFileSync(new URL(`./__fixtures__/${name}`, import.meta.url));

describe("a request", () => {
  const inference =
    '{"model":"acme/large", "seed":12345678901234567890,"messages":[{"role":"user","content":"a \\"provider\\""}]';

  test("reaches the aggregator byte for byte, and asks what the work has cost", () => {
    expect(withoutRouting(`${inference}}`, "chat")).toBe(`{"usage":{"include":true},${inference.slice(1)}}`);
    expect(withoutRouting(`${inference}}`, "embeddings")).toBe(`${inference}}`);
  });

  test("loses what would choose suppliers, other models, or extras", () => {
    const steering =
      '"provider":{"order":["abroad"]},"models":["acme/dear"],"route":"fallback","plugins":[{"id":"web"}],' +
      '"pr\\u006fvider":{"only":["abroad"]},"transforms":[],"preset":"x","usage":{"include":false}';
    const clean = JSON.parse(withoutRouting(`${inference},${steering},"top_k":4}`, "chat"));
    expect(Object.keys(clean)).toEqual(["usage", "model", "seed", "messages", "top_k"]);
    expect(clean.usage).toEqual({ include: true });
    expect(withoutRouting(`${inference},${steering}}`, "embeddings")).toBe(`${inference.replace(", ", ",")}}`);
  });
});

describe("a refusal", () => {
  const told = (name: string, status: number, headers = {}) =>
    supplierError(readAggregatorFailure({ status, headers, body: recorded(name) }), 1);

  test("of a provider keeps the provider's code and words", () => {
    expect(told("refusal-of-a-provider.json", 400)).toMatchObject({
      status: 400,
      code: "context_length_exceeded",
      catalogueCode: "vendorc_http_error",
      type: "invalid_request_error",
      humanMessage: "Acme: This model's maximum context length is 8192 tokens.",
    });
  });

  test("of its own is told as what it is, with its status", () => {
    expect(told("refusal-of-its-own.json", 400)).toMatchObject({
      status: 400,
      code: "vendorc_http_error",
      humanMessage: "acme/unknown-model is not a valid model ID",
    });
  });

  test("by moderation concerns the client, and not the credential", () => {
    expect(readAggregatorFailure({ status: 403, headers: {}, body: recorded("moderation.json") })).toMatchObject({
      status: 400,
    });
    expect(told("moderation.json", 403)).toMatchObject({ status: 400, code: "vendorc_http_error" });
  });

  test("of the operator's account is not shown", () => {
    const body = Buffer.from('{"error":{"code":402,"message":"Insufficient credits. Add more at …"}}');
    const problem = supplierError(readAggregatorFailure({ status: 402, headers: {}, body }), 1);
    expect(problem).toMatchObject({ status: 502, code: "upstream_error" });
    expect(problem.humanMessage).not.toContain("credits");
  });

  test("for a limit says when to come back, from wherever it says so", () => {
    expect(told("limit.json", 429)).toMatchObject({ status: 429, code: "rate_limit_exceeded", retryAfterSeconds: 12 });
    expect(told("limit.json", 429, { "retry-after": "3" })).toMatchObject({ retryAfterSeconds: 3 });
    const reset = JSON.stringify({ error: { metadata: { headers: { "X-RateLimit-Reset": Date.now() + 9_500 } } } });
    expect(readAggregatorFailure({ status: 429, headers: {}, body: Buffer.from(reset) }).retryAfterSeconds).toBe(10);
  });

  test.each(["", "<html>", "null", '{"error":"no"}', '{"error":{"metadata":{"raw":"{"}}}'])(
    "that is %j is one all the same",
    (body) => {
      expect(readAggregatorFailure({ status: 500, headers: {}, body: Buffer.from(body) })).toMatchObject({
        kind: "status",
        status: 500,
        executed: "no",
      });
    },
  );
});

describe("a stream", () => {
  const read = (name: string, showUsage: boolean) => {
    const reader = new ChatStreamReader(showUsage);
    const seen = reader.push(recorded(name))?.toString("utf8") ?? "";
    return { reader, seen };
  };

  test("passes without its heartbeats, with usage and without what it has cost", () => {
    const { reader, seen } = read("stream.sse", true);
    expect(reader).toMatchObject({ state: "finished", started: true });
    expect(reader.outputText()).toBe("Hello there");
    expect(reader.usage).toMatchObject({
      inputTokens: 12,
      cachedInputTokens: 4,
      outputTokens: 2,
      supplierCostNanoUsd: 420_000n,
    });
    expect(seen).not.toMatch(/PROCESSING|cost|byok/);
    expect(seen).toContain('"total_tokens":14');
    expect(read("stream.sse", false).seen).not.toContain("usage");
  });

  test("that breaks in its middle is an error, though its connection ends well", () => {
    const { reader, seen } = read("broken-stream.sse", true);
    expect(reader.state).toBe("failed");
    expect(reader.failure).toMatchObject({ message: "Provider disconnected", protocol: false });
    expect(seen).toContain("Hello");
    expect(seen).not.toContain("error");
  });
});

test("a whole answer comes without what it has cost, else byte for byte", () => {
  const usage = '"usage":{"prompt_tokens":12,"completion_tokens":2,"total_tokens":14';
  const answer = `{"id":"gen-3", "choices":[{"index":0,"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}],`;
  const { body, usage: read } = readChatAnswer(Buffer.from(`${answer}${usage},"cost":0.1,"is_byok":false}}`));
  expect(body.toString("utf8").replaceAll(" ", "")).toBe(`${answer}${usage}}}`.replaceAll(" ", ""));
  expect(read?.supplierCostNanoUsd).toBe(100_000_000n);
});

test("an answer that is nested too deeply to be written without its cost is the supplier's fault, not the client's", () => {
  const deep = `${'{"a":'.repeat(2_000)}1${"}".repeat(2_000)}`;
  const answer = `{"choices":[{"message":{"content":"Hi"}}],"usage":{"prompt_tokens":1,"completion_tokens":1,"cost":1},"x":${deep}}`;
  expect(() => readChatAnswer(Buffer.from(answer))).toThrow(expect.objectContaining({ kind: "protocol" }));
});

test("a choice that failed inside a 200 is a failure", () => {
  const choice = {
    index: 0,
    message: { content: "Hel" },
    finish_reason: "error",
    error: { code: 502, message: "gone" },
  };
  expect(() => readChatAnswer(Buffer.from(JSON.stringify({ choices: [choice] })))).toThrow("gone");
});

test("its models are read with limits, abilities and prices, where it says them", () => {
  const { data } = JSON.parse(recorded("models.json").toString("utf8"));
  expect(readModel(data[0])).toEqual({
    name: "Acme: Large",
    contextTokens: 200_000,
    maxOutputTokens: 64_000,
    tools: true,
    images: true,
    inputPerMtok: 2_500_000_000n,
    outputPerMtok: 10_000_000_000n,
    cachedInputPerMtok: 250_000_000n,
  });
  expect(readModel(data[1])).toMatchObject({ tools: false, images: false, inputPerMtok: null, maxOutputTokens: null });
});
