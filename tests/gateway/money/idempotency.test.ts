import { randomUUID } from "node:crypto";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ChatGateway, eventually, expectCleanBooks, startChatGateway } from "../../support/chat-gateway";

let gateway: ChatGateway;
beforeAll(async () => {
  gateway = await startChatGateway();
});
afterAll(() => gateway?.close());

type Init = { key?: string; signal?: AbortSignal };
const ask = (idempotencyKey: string, body: object = {}, init: Init = {}) =>
  gateway.chat({ user: "tokens=8", ...body }, { ...init, headers: { "idempotency-key": idempotencyKey } });
const billed = async (callId: string | null) => (await gateway.standIn.bill()).filter(({ id }) => id === callId);
const codeOf = async (response: Response) => ((await response.json()) as { error: { code: string } }).error.code;
/** Returns the headers of the answer, without those of the connection. */
const ownHeaders = ({ headers }: Response) =>
  [...headers].filter(([name]) => name.startsWith("x-") || name === "content-type" || name === "request-id");

describe("the same key with the same body", () => {
  test("a whole answer comes again, byte for byte, and is charged once", async () => {
    const key = randomUUID();
    const first = await ask(key);
    expect(first.status).toBe(200);
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    const body = await first.text();
    for (let again = 0; again < 3; again += 1) {
      const replay = await ask(key);
      expect(replay.status).toBe(200);
      expect(replay.headers.get("idempotent-replayed")).toBe("true");
      expect(await replay.text()).toBe(body);
      expect(ownHeaders(replay)).toEqual(ownHeaders(first));
    }
    const callId = first.headers.get("x-request-id")!;
    expect(await billed(callId)).toHaveLength(1);
    expect((await gateway.booked(callId)).usage).toHaveLength(1);
  });

  test("a stream comes again as the same events", async () => {
    const key = randomUUID();
    const body = { stream: true, stream_options: { include_usage: true } };
    const first = await ask(key, body);
    const events = await first.text();
    expect(events).toMatch(/\[DONE\]\s*$/);
    const replay = await ask(key, body);
    expect(await replay.text()).toBe(events);
    expect(replay.headers.get("content-type")).toBe(first.headers.get("content-type"));
    expect(ownHeaders(replay)).toEqual(ownHeaders(first));
    expect(await billed(first.headers.get("x-request-id"))).toHaveLength(1);
  });

  test("of twenty at once exactly one is worked on; the others are told to wait, and get its answer then", async () => {
    const keys = Array.from({ length: 10 }, () => randomUUID());
    const before = (await gateway.standIn.bill()).length;
    const all = keys.flatMap((key) => Array.from({ length: 20 }, () => ask(key, { user: "tokens=8;delay=300" })));
    const answers = await Promise.all(all);
    for (const answer of answers) {
      if (answer.status === 200) continue;
      expect(answer.status).toBe(409);
      expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
      expect(await codeOf(answer)).toBe("operation_in_progress");
    }
    expect((await gateway.standIn.bill()).length - before).toBe(keys.length);
    for (const key of keys) {
      const replay = await ask(key, { user: "tokens=8;delay=300" });
      expect(replay.headers.get("idempotent-replayed")).toBe("true");
    }
    expect((await gateway.standIn.bill()).length - before).toBe(keys.length);
  });

  test("what was refused runs when it is asked again", async () => {
    const key = randomUUID();
    await gateway.standIn.plan({ queue: ["503", "503", "503"] });
    const refused = await ask(key, { user: "someone" });
    expect(refused.status).toBe(503);
    await gateway.standIn.plan({});
    const answered = await ask(key, { user: "someone" });
    expect(answered.status).toBe(200);
    expect(answered.headers.get("idempotent-replayed")).toBeNull();
    expect((await ask(key, { user: "someone" })).headers.get("idempotent-replayed")).toBe("true");
    // A rejection before the hold stores nothing either.
    const unknown = randomUUID();
    expect((await ask(unknown, { model: "no-such-model" })).status).toBe(404);
    expect(await gateway.sql("SELECT 1 FROM idempotent_call WHERE idem_key = $1", [unknown])).toEqual([]);
  });

  test("a key without limits and with an exempt payer is charged once too", async () => {
    const key = randomUUID();
    const first = await ask(key, {}, { key: gateway.key });
    const callId = first.headers.get("x-request-id")!;
    expect((await gateway.booked(callId)).hold).toMatchObject({ state: "settled" });
    expect((await ask(key, {}, { key: gateway.key })).headers.get("x-request-id")).toBe(callId);
    expect(await billed(callId)).toHaveLength(1);
  });
});

describe("what is another request", () => {
  test("another body, another address and another API key", async () => {
    const key = randomUUID();
    expect((await ask(key)).status).toBe(200);
    const other = await ask(key, { user: "tokens=9" });
    expect(other.status).toBe(409);
    expect(other.headers.get("x-should-retry")).toBe("false");
    expect(await codeOf(other)).toBe("idempotency_conflict");
    const elsewhere = await fetch(`${gateway.url}/v1/embeddings`, {
      method: "POST",
      headers: { authorization: `Bearer ${gateway.budgetKey}`, "idempotency-key": key },
      body: JSON.stringify({ model: "fast-chat", input: "x" }),
    });
    expect(await codeOf(elsewhere)).toBe("idempotency_conflict");
    const foreign = await ask(key, {}, { key: gateway.key });
    expect([foreign.status, foreign.headers.get("idempotent-replayed")]).toEqual([200, null]);
  });

  test.each(["", "a b", "ü", "x".repeat(256)])("%j is no key", async (key) => {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${gateway.budgetKey}`,
        "idempotency-key": encodeURI(key) === key ? key : "a b",
      },
      body: JSON.stringify({ model: "fast-chat", messages: [{ role: "user", content: "x" }] }),
    });
    expect(response.status).toBe(400);
    expect(await codeOf(response)).toBe("invalid_idempotency_key");
  });
});

describe("streams that end badly", () => {
  test("one that the supplier cut comes again as far as it came, with its error, and is not charged again", async () => {
    const key = randomUUID();
    const body = { stream: true, user: "fault=reset:900;tokens=40" };
    const first = await ask(key, body);
    const events = await first.text();
    expect(events).toContain("stream_interrupted");
    const replay = await ask(key, body);
    expect(await replay.text()).toBe(events);
    expect((await gateway.booked(first.headers.get("x-request-id")!)).usage).toHaveLength(1);
  });

  test("one that the client left is told to have been interrupted", async () => {
    const key = randomUUID();
    const body = { stream: true, max_tokens: 200, user: "tokens=200;pace=20" };
    const left = new AbortController();
    const first = await ask(key, body, { signal: left.signal });
    await first.body!.getReader().read();
    left.abort();
    const callId = first.headers.get("x-request-id")!;
    const { usage } = await eventually(
      () => gateway.booked(callId),
      (booked) => booked.usage.length > 0,
    );
    expect(usage[0]).toMatchObject({ outcome: "client_abort" });
    const replay = await ask(key, body);
    const text = await replay.text();
    expect(replay.headers.get("idempotent-replayed")).toBe("true");
    expect(text).toContain('"content"');
    expect(text).toContain("stream_interrupted");
    expect(text).not.toContain("[DONE]");
  });

  test("one of which nobody knows the outcome stays in progress until it is known", async () => {
    const key = randomUUID();
    const body = { model: "hasty-chat", user: "fault=no-answer" };
    const first = await ask(key, body);
    expect(first.status).toBeGreaterThanOrEqual(500);
    const callId = first.headers.get("x-request-id")!;
    expect((await gateway.booked(callId)).hold).toMatchObject({ state: "review" });
    const waiting = await ask(key, body);
    expect(waiting.headers.get("retry-after")).toBe("60");
    expect(await codeOf(waiting)).toBe("operation_in_progress");
    await gateway.sql("SELECT accounting_release(ARRAY[$1::uuid], '{review}', 'looked up: never executed')", [callId]);
    const again = await ask(key, { ...body });
    expect(again.headers.get("x-request-id")).not.toBe(callId);
    expect(again.status).toBeGreaterThanOrEqual(500);
  });
});

describe("answers at rest", () => {
  test("are sealed", async () => {
    const key = randomUUID();
    await ask(key, { messages: [{ role: "user", content: "a canary in the prompt" }] });
    const [row] = await gateway.sql("SELECT answer, settlement FROM idempotent_call WHERE idem_key = $1", [key]);
    expect(row.answer).toMatch(/^gw1\./);
    expect(JSON.stringify(row)).not.toMatch(/w0 w1|canary/);
    expect(row.settlement).toContain("costNanoUsd");
  });

  test("the books agree", () => expectCleanBooks(gateway));
});

describe("official SDKs", () => {
  test("the chat SDK's own retries repeat the key, and the answer is parsed alike", async () => {
    const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.budgetKey, maxRetries: 4 });
    const hello = {
      model: "fast-chat",
      messages: [{ role: "user" as const, content: "Hello" }],
      user: "tokens=5;delay=400",
    };
    const headers = { "Idempotency-Key": randomUUID() };
    const [one, two] = await Promise.all([
      client.chat.completions.create(hello, { headers }),
      client.chat.completions.create(hello, { headers }),
    ]);
    expect(two).toEqual(one);
    await expect(
      client.chat.completions.create({ ...hello, user: "tokens=6" }, { headers, maxRetries: 0 }),
    ).rejects.toThrow(OpenAI.ConflictError);
  });

  test("the messages SDK, on a chat-style supplier, whole and streamed", async () => {
    const client = new Anthropic({ baseURL: gateway.url, apiKey: gateway.budgetKey, maxRetries: 0 });
    const hello = { model: "fast-chat", max_tokens: 20, messages: [{ role: "user" as const, content: "Hello" }] };
    const headers = { "Idempotency-Key": randomUUID() };
    const first = await client.messages.create(hello, { headers });
    expect(await client.messages.create(hello, { headers })).toEqual(first);
    const streamed = { "Idempotency-Key": randomUUID() };
    const whole = await client.messages.stream(hello, { headers: streamed }).finalMessage();
    expect(await client.messages.stream(hello, { headers: streamed }).finalMessage()).toEqual(whole);
    await expect(client.messages.create({ ...hello, max_tokens: 21 }, { headers })).rejects.toThrow(
      Anthropic.ConflictError,
    );
  });
});
