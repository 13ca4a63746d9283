import { type IncomingMessage, request } from "node:http";
import { createOpenAI } from "@ai-sdk/openai";
import { streamText, tool } from "ai";
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { AGENT_ASK, AGENT_PRICE, type AgentGateway, startAgentGateway } from "../../support/agent-gateway";
import { AGENT_USAGE, answerEvents, eventOf } from "../../support/agent-supplier";
import { eventually, expectCleanBooks, pause, usageRows } from "../../support/chat-gateway";
import { nativeViolations } from "../../support/stream-grammar";

let gateway: AgentGateway;
beforeAll(async () => {
  gateway = await startAgentGateway({ count: 1, fixed: true }, { more: { cooldown: false } });
});
afterAll(() => gateway?.close());
beforeEach(() => gateway.supplier.answer(() => undefined));

const bookedFor = (response: Response) =>
  eventually(
    () => usageRows(gateway, response.headers.get("x-request-id")!),
    (rows) => rows.length > 0,
  );
const costOf = ({
  input_tokens: input,
  output_tokens: output,
  input_tokens_details: { cached_tokens: cached },
}: typeof AGENT_USAGE) =>
  BigInt(input - cached) * AGENT_PRICE.input +
  BigInt(cached) * AGENT_PRICE.cached +
  BigInt(output) * AGENT_PRICE.output;

describe("an answer", () => {
  test("passes byte for byte, unknown events too, and is charged by what it reports", async () => {
    const odd = 'event: response.odd\ndata: {"type" : "response.odd",  "big": 12345678901234567890, "é":"\\u00e9"}\n\n';
    const events = answerEvents(["Hello", " wörld ☃"]);
    events.splice(4, 0, odd);
    gateway.supplier.answer(() => ({ events }));
    const response = await gateway.respond();
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
    expect(response.headers.get("x-gw-supplier")).toBe("pool");
    const text = await response.text();
    expect(text).toBe(events.join(""));
    expect(nativeViolations(text)).toEqual([]);
    const [row] = await bookedFor(response);
    expect(row).toMatchObject({
      outcome: "complete",
      tokenSource: "supplier",
      inputTokens: 30,
      outputTokens: 5,
      charged: costOf(AGENT_USAGE),
    });
  });

  test("was asked for with the client's own bytes, its session's headers, and the supplier's own token", async () => {
    const ask = `{"model":"alone",  "input":[{"role":"user","content":"hi","n":1.0e3}],"stream":true,"store":true,"new":{"field":[1]}}`;
    const headers = {
      "session-id": "s-1",
      session_id: "s-2",
      "thread-id": "t-1",
      originator: "agent_cli",
      "x-other": "no",
      cookie: "a=b",
    };
    await (await gateway.respond(ask, { headers })).text();
    const call = gateway.supplier.calls.at(-1)!;
    expect(call.body).toBe(ask);
    expect(call.token).toBe("access-only");
    expect(call.headers).toMatchObject({
      "session-id": "s-1",
      session_id: "s-2",
      "thread-id": "t-1",
      originator: "agent_cli",
    });
    for (const name of ["x-other", "cookie", "x-forwarded-for"]) expect(call.headers[name]).toBeUndefined();
    expect(JSON.stringify(call.headers)).not.toContain("gw_");
    await (await gateway.respond({ region: "eu", store: true })).text();
    expect(JSON.parse(gateway.supplier.calls.at(-1)!.body)).toEqual({
      ...AGENT_ASK,
      model: "upstream-agent",
      store: true,
    });
  });

  test.each([
    [
      "the AI SDK",
      async () => {
        const openai = createOpenAI({ baseURL: `${gateway.url}/v1/vendorb`, apiKey: gateway.key });
        const { textStream, usage, finishReason } = streamText({
          model: openai.responses("agent"),
          prompt: "hi",
          maxRetries: 0,
          tools: { look: tool({ inputSchema: z.object({ city: z.string() }) }) },
        });
        let text = "";
        for await (const piece of textStream) text += piece;
        return { text, finish: await finishReason, input: (await usage).inputTokens };
      },
    ],
    [
      "the chat SDK's responses",
      async () => {
        const client = new OpenAI({ baseURL: `${gateway.url}/v1/vendorb`, apiKey: gateway.key, maxRetries: 0 });
        const stream = await client.responses.create({
          model: "agent",
          input: [{ role: "user", content: "hi" }],
          stream: true,
        });
        let text = "";
        let input = 0;
        for await (const event of stream) {
          if (event.type === "response.output_text.delta") text += event.delta;
          if (event.type === "response.completed") input = event.response.usage!.input_tokens;
        }
        return { text, finish: "stop", input };
      },
    ],
  ])("is understood by %s", async (_name, ask) => {
    expect(await ask()).toEqual({ text: "Hello there", finish: "stop", input: 30 });
  });
});

describe("a request", () => {
  test.each([
    ["without stream", { stream: undefined }, 400, "stream"],
    ["with stream false", { stream: false }, 400, "stream"],
    ["with input that is a text", { input: "hi" }, 400, "input"],
    ["without input", { input: undefined }, 400, "input"],
  ])("%s is refused by name, before any supplier", async (_name, more, status, param) => {
    const before = gateway.supplier.calls.length;
    const response = await gateway.respond(more);
    expect(response.status).toBe(status);
    const { error } = (await response.json()) as { error: Record<string, string> };
    expect(error.param).toBe(param);
    expect(error.message).toBe(`${error.code} - ${error.human_message}`);
    expect(gateway.supplier.calls).toHaveLength(before);
  });

  test("goes to native agents' suppliers only, and chat requests never go to those", async () => {
    const before = gateway.supplier.calls.length;
    const wrong = await gateway.respond({ model: "chatty" });
    expect([wrong.status, ((await wrong.json()) as { error: { code: string } }).error.code]).toEqual([
      400,
      "capability_unsupported",
    ]);
    const chat = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "agent", messages: [{ role: "user", content: "hi" }] }),
    });
    expect(((await chat.json()) as { error: { code: string } }).error.code).toBe("capability_unsupported");
    expect(gateway.supplier.calls).toHaveLength(before);
    const either = await gateway.respond({ model: "either" });
    expect(either.headers.get("x-gw-supplier")).toBe("alone");
    await either.text();
  });

  test("stays inside its region, on this way too", async () => {
    const { key } = await gateway.createKey({ allowed_regions: "eu" });
    const before = gateway.supplier.calls.length;
    const response = await gateway.respond({ model: "abroad" }, { key });
    expect(((await response.json()) as { error: { code: string } }).error.code).toBe("sovereign_route_unavailable");
    expect(gateway.supplier.calls).toHaveLength(before);
  });

  test("without a key is refused, and auto is for chat", async () => {
    expect((await gateway.respond({}, { key: "gw_wrong" })).status).toBe(401);
    const auto = await gateway.respond({ model: "auto" });
    expect(((await auto.json()) as { error: { code: string } }).error.code).toBe("unsupported_auto_mode");
  });

  test.each(["/v1/vendorb/responses", "/v1/responses", "/v1/realtime?model=m"])(
    "that asks for a websocket is told at once that it goes by HTTP: %s",
    async (path) => {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const upgrade = request(gateway.url + path, {
          headers: {
            connection: "Upgrade",
            upgrade: "websocket",
            "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
            "sec-websocket-version": "13",
            authorization: `Bearer ${gateway.key}`,
          },
        });
        upgrade.on("response", (response) => resolve(response));
        upgrade.on("upgrade", () => reject(new Error("it was upgraded")));
        upgrade.on("error", reject);
        upgrade.end();
      });
      expect(response.statusCode).toBe(426);
      expect(response.headers).toMatchObject({ upgrade: "HTTP/1.1", "content-type": "application/json" });
      expect(response.headers.connection).toMatch(/^upgrade$/i);
      expect(JSON.parse((await response.toArray()).join(""))).toMatchObject({ error: { code: "not_implemented" } });
    },
  );

  test("that comes by GET gets a plain 4xx", async () => {
    expect((await fetch(`${gateway.url}/v1/vendorb/responses`)).status).toBe(405);
  });
});

describe("a supplier that fails", () => {
  test.each([
    [400, { error: { code: "context_length_exceeded", message: "too long" } }, 400, "context_length_exceeded"],
    [401, { error: { code: "token_expired", message: "sk-secret is expired" } }, 502, "vendorb_token_error"],
    [403, { detail: "Your account is not allowed" }, 502, "vendorb_token_error"],
    [404, { detail: "no such model" }, 404, "request_rejected"],
    [
      429,
      { error: { type: "usage_limit_reached", message: "limit", resets_in_seconds: 77 } },
      429,
      "rate_limit_exceeded",
    ],
    [500, { error: { message: "boom" } }, 500, "upstream_error"],
  ])("with a %s before anything was sent is a plain status", async (status, body, told, code) => {
    gateway.supplier.answer(() => ({ status, body }));
    const response = await gateway.respond({ model: "alone" });
    const text = await response.text();
    expect([response.status, JSON.parse(text).error.code]).toEqual([told, code]);
    expect(text).not.toMatch(/sk-secret|account is not allowed/);
    if (status === 429) expect(response.headers.get("retry-after")).toBe("77");
    expect((await bookedFor(response))[0]).toMatchObject({ charged: 0n });
  });

  test("in its first event is a plain status, and another supplier is asked where there is one", async () => {
    const error = (code: string) => [
      eventOf({ type: "response.failed", response: { status: "failed", error: { code, message: "no" } } }),
    ];
    gateway.supplier.answer(() => ({ events: error("context_length_exceeded") }));
    const refused = await gateway.respond({ model: "alone" });
    expect([refused.status, ((await refused.json()) as { error: { code: string } }).error.code]).toEqual([
      400,
      "context_length_exceeded",
    ]);
    gateway.supplier.answer(({ token }) => (token === "access-only" ? { events: error("server_error") } : undefined));
    const response = await gateway.respond({ model: "backed" });
    expect([response.status, response.headers.get("x-gw-supplier"), response.headers.get("x-gw-failover")]).toEqual([
      200,
      "pool",
      "true",
    ]);
    expect(nativeViolations(await response.text())).toEqual([]);
  });

  test("in the middle ends the stream with response.failed: its own, or gw's when the connection breaks", async () => {
    const events = answerEvents(["one", " two", " three"]);
    const failed = eventOf({
      type: "response.failed",
      odd: 1,
      response: { status: "failed", error: { code: "server_error", message: "boom" }, usage: AGENT_USAGE },
    });
    gateway.supplier.answer(() => ({ events: [...events.slice(0, 5), failed] }));
    const own = await gateway.respond();
    expect(await own.text()).toBe([...events.slice(0, 5), failed].join(""));
    expect((await bookedFor(own))[0]).toMatchObject({
      outcome: "upstream_abort",
      errorCode: "stream_error",
      tokenSource: "supplier",
      charged: costOf(AGENT_USAGE),
    });

    gateway.supplier.answer(() => ({ events: events.slice(0, 6), breaks: true, paceMs: 5 }));
    const cut = await gateway.respond();
    const text = await cut.text();
    expect(nativeViolations(text)).toEqual([]);
    expect(text.startsWith(events.slice(0, 6).join(""))).toBe(true);
    expect(text).toContain("stream_interrupted");
    expect(text).not.toContain("response.completed");
    const [row] = await bookedFor(cut);
    expect(row).toMatchObject({ outcome: "upstream_abort", tokenSource: "estimated" });
    expect(row!.outputTokens).toBeGreaterThan(0);
  });

  test("to report usage is charged for what was counted, and what nobody can have used is not believed", async () => {
    gateway.supplier.answer(() => ({ events: answerEvents(["Hello", " there"], null) }));
    const silent = await gateway.respond();
    await silent.text();
    expect((await bookedFor(silent))[0]).toMatchObject({
      outcome: "complete",
      tokenSource: "estimated",
      outputTokens: 2,
    });
    gateway.supplier.answer(() => ({
      events: answerEvents(["Hello"], { ...AGENT_USAGE, output_tokens: 2_000_000_000 }),
    }));
    const absurd = await gateway.respond();
    await absurd.text();
    expect((await bookedFor(absurd))[0]).toMatchObject({ tokenSource: "estimated", outputTokens: 1 });
  });

  test("to see that the client has left is told within a second, and what came is charged", async () => {
    const words = Array.from({ length: 200 }, (_, index) => ` w${index}`);
    gateway.supplier.answer(() => ({ events: answerEvents(words), paceMs: 20 }));
    const leaving = new AbortController();
    const response = await gateway.respond({}, { signal: leaving.signal });
    const reader = response.body!.getReader();
    await reader.read();
    await pause(200);
    leaving.abort();
    const call = gateway.supplier.calls.at(-1)!;
    await eventually(async () => call.aborted, Boolean, 1_000);
    expect(call.aborted).toBe(true);
    expect((await bookedFor(response))[0]).toMatchObject({ outcome: "client_abort", tokenSource: "estimated" });
  });

  test("leaves clean books", () => expectCleanBooks(gateway));
});
