import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { apiError } from "~/errors/app-error";
import { bindConnection } from "~/http/server/connection";
import { Call } from "../call-record";
import { chatDialect } from "../dialects/chat";
import type { Dialect } from "../dialects/dialect";
import { messagesDialect } from "../dialects/messages";
import { nativeDialect } from "../dialects/native";
import { responsesDialect } from "../dialects/responses";
import { speechDialect } from "../dialects/speech";
import { COMMENT } from "./open-streams";
import { keepWaiting, waitingClientOf } from "./waiting-client";

beforeEach(() => vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] }));
afterEach(() => {
  // No client is waiting any more: the ticker stops.
  vi.advanceTimersByTime(2_000);
  vi.useRealTimers();
});

/** The part of a Node server response that the code uses. */
function aResponse() {
  const seen = { status: 0, headers: {} as Record<string, string>, text: "", ended: false };
  return {
    seen,
    outgoing: {
      writableNeedDrain: false,
      writeHead: (status: number, headers: Record<string, string>) => Object.assign(seen, { status, headers }),
      write: (bytes: Buffer) => {
        seen.text += bytes.toString();
        return true;
      },
      end: (bytes?: Buffer) => Object.assign(seen, { text: seen.text + (bytes?.toString() ?? ""), ended: true }),
      once: () => undefined,
      on: () => undefined,
      off: () => undefined,
    },
  };
}

function waiting(dialect: Dialect, stream = true, headers: Record<string, string> = {}) {
  const request = new Request("http://gw.example/v1/x", { method: "POST" });
  const { seen, outgoing } = aResponse();
  const incoming = { headers, on: () => undefined, off: () => undefined };
  // biome-ignore lint/suspicious/noExplicitAny: a stand-in for both sides of a connection
  bindConnection(request, { incoming, outgoing } as any);
  const call = new Call(request);
  keepWaiting(call, { stream }, dialect);
  return { call, seen };
}

describe("a client that waits for the first event", () => {
  test("hears nothing for fifteen seconds, so that a failure has its status, and then something every fifteen", () => {
    const { call, seen } = waiting(chatDialect);
    vi.advanceTimersByTime(14_900);
    expect([seen.status, seen.text]).toEqual([0, ""]);
    expect(waitingClientOf(call)!.fail(apiError("upstream_error"))).toBeNull();
    const { seen: patient, call: other } = waiting(chatDialect);
    vi.advanceTimersByTime(46_000);
    expect(patient).toMatchObject({
      ...{ status: 200, text: COMMENT.toString().repeat(3), ended: false },
      headers: { "content-type": "text/event-stream; charset=utf-8", "x-request-id": other.id },
    });
    expect(waitingClientOf(other)!.over()).not.toBeNull();
    vi.advanceTimersByTime(60_000);
    expect(patient.text).toBe(COMMENT.toString().repeat(3));
  });

  const AGENT = { originator: "codex_exec" };
  const KEEPALIVE = 'event: keepalive\ndata: {"type":"keepalive"}\n\n';
  test.each<[string, Dialect, Record<string, string>, string, string]>([
    ["messages", messagesDialect, {}, 'event: ping\ndata: {"type":"ping"}\n\n', "event: error"],
    ["responses", responsesDialect, {}, ": keep-alive\n\n", "event: response.failed"],
    ["responses that a native agent reads", responsesDialect, AGENT, KEEPALIVE, "event: response.failed"],
    ["native agents", nativeDialect, AGENT, KEEPALIVE, "event: response.failed"],
    ["chat", chatDialect, {}, ": keep-alive\n\n", 'data: {"error"'],
    ["chat that a native agent reads", chatDialect, AGENT, ": keep-alive\n\n", 'data: {"error"'],
  ])("hears it in the form of %s, and so it does of a failure", (_name, dialect, headers, beat, error) => {
    const { call, seen } = waiting(dialect, true, headers);
    vi.advanceTimersByTime(16_000);
    expect(seen.text).toBe(beat);
    expect(waitingClientOf(call)!.fail(apiError("all_providers_exhausted"))).not.toBeNull();
    expect(seen.ended).toBe(true);
    expect(seen.text.startsWith(beat + error)).toBe(true);
    expect(seen.text).toContain("all_providers_exhausted");
  });

  test("of a whole answer, or of sound, hears nothing: there is no place for it", () => {
    for (const { seen } of [waiting(chatDialect, false), waiting(speechDialect)]) {
      vi.advanceTimersByTime(60_000);
      expect(seen.status).toBe(0);
    }
  });
});

describe("the official client libraries take a stream that begins with signs of life", () => {
  let server: Server;
  afterEach(() => void server.close());

  async function serving(events: string): Promise<string> {
    server = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
      response.end(events);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const failed = (dialect: Dialect) =>
    dialect.errorEvent({
      code: "upstream_error",
      type: "api_error",
      message: "upstream_error - no",
      humanMessage: "no",
    });

  test("chat", async () => {
    const word = { id: "c", object: "chat.completion.chunk", created: 1, model: "m" };
    const events = `${COMMENT}${COMMENT}data: ${JSON.stringify({ ...word, choices: [{ index: 0, delta: { content: "a" } }] })}\n\n`;
    const ask = async (text: string) => {
      const client = new OpenAI({ baseURL: await serving(text), apiKey: "k", maxRetries: 0 });
      const messages = [{ role: "user" as const, content: "hi" }];
      let seen = "";
      for await (const { choices } of await client.chat.completions.create({ model: "m", messages, stream: true }))
        seen += choices[0]?.delta.content ?? "";
      return seen;
    };
    expect(await ask(`${events}data: [DONE]\n\n`)).toBe("a");
    await expect(ask(`${COMMENT}${failed(chatDialect)}`)).rejects.toBeInstanceOf(OpenAI.APIError);
  });

  test("responses", async () => {
    const response = { id: "r", status: "completed", output: [] };
    const done = `event: response.completed\ndata: ${JSON.stringify({ type: "response.completed", sequence_number: 0, response })}\n\n`;
    const client = new OpenAI({ baseURL: await serving(`${COMMENT}${COMMENT}${done}`), apiKey: "k", maxRetries: 0 });
    const types: string[] = [];
    for await (const { type } of await client.responses.create({ model: "m", input: "hi", stream: true }))
      types.push(type);
    expect(types).toEqual(["response.completed"]);
  });

  test("messages", async () => {
    const ping = messagesDialect.heartbeat!.toString();
    const event = (data: { type: string }) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
    const message = { id: "m", type: "message", role: "assistant", model: "m", content: [], stop_reason: null };
    const usage = { input_tokens: 1, output_tokens: 1 };
    const events = [
      { type: "message_start", message: { ...message, usage } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "a" } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage },
      { type: "message_stop" },
    ].map(event);
    const ask = async (text: string) => {
      const client = new Anthropic({ baseURL: await serving(text), apiKey: "k", maxRetries: 0 });
      const messages = [{ role: "user" as const, content: "hi" }];
      return client.messages.stream({ model: "m", max_tokens: 5, messages }).finalText();
    };
    expect(await ask(`${ping}${ping}${events.join("")}`)).toBe("a");
    await expect(ask(`${ping}${failed(messagesDialect)}`)).rejects.toBeInstanceOf(Anthropic.APIError);
  });
});
