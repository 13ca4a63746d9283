import { describe, expect, test } from "vitest";
import type { Route } from "~/domain/catalogue/shared";
import { nativeViolations } from "../../../../tests/support/stream-grammar";
import { forwardedHeaders, forwardNative } from "./forward";
import { type NativeSource, readNative } from "./read";
import { NativeStreamReader } from "./stream";
import { promptText } from "./texts";

const PROBLEM = { code: "stream_error", type: "api_error", message: "stream_error - broken", humanMessage: "broken" };
const body = (more: object = {}) =>
  JSON.stringify({ model: "m", input: [{ role: "user", content: "hi" }], stream: true, ...more });
const event = (data: { type: string; [more: string]: unknown }) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

const USAGE = {
  input_tokens: 120,
  input_tokens_details: { cached_tokens: 100 },
  output_tokens: 9,
  output_tokens_details: { reasoning_tokens: 4 },
};
const item = { type: "message", role: "assistant", content: [{ type: "output_text", text: "Hello there" }] };
const created = event({
  type: "response.created",
  sequence_number: 0,
  response: { id: "resp_1", model: "x", created_at: 5 },
});
const added = event({ type: "response.output_item.added", output_index: 0, item: { type: "message" } });
const delta = (text: string) => event({ type: "response.output_text.delta", output_index: 0, delta: text });
const done = event({ type: "response.output_item.done", output_index: 0, item });
const unknown = 'id: 7\nevent: response.odd\ndata: {"type" : "response.odd", "big": 12345678901234567890}\n\n';
const completed = event({ type: "response.completed", response: { id: "resp_1", status: "completed", usage: USAGE } });
const read = (...events: string[]) => {
  const reader = new NativeStreamReader();
  const seen = reader.push(Buffer.from(events.join("")))?.toString("utf8") ?? "";
  return { reader, seen };
};

describe("a request", () => {
  test.each([
    ["no model", { model: undefined }, "missing_model", "model"],
    ["no input", { input: undefined }, "missing_fields", "input"],
    ["input that is a text", { input: "hi" }, "invalid_request", "input"],
    ["no stream", { stream: undefined }, "invalid_request", "stream"],
    ["stream false", { stream: false }, "invalid_request", "stream"],
    ["instructions that are a list", { instructions: [] }, "invalid_request", "instructions"],
    ["a tier that nobody prices", { service_tier: "scale" }, "unsupported_parameter", "service_tier"],
    ["work in the background", { background: true }, "unsupported_parameter", "background"],
  ])("with %s is refused", (_name, more, code, param) => {
    let error: unknown;
    try {
      readNative(body(more));
    } catch (caught) {
      error = caught;
    }
    expect(error).toMatchObject({ code, param });
  });

  test("needs no instructions, is stored unless it says otherwise, and its size is known where it can be", () => {
    expect(readNative(body())).toMatchObject({
      stream: true,
      retrySafe: false,
      size: { hasMedia: false, maxOutputTokens: null },
    });
    expect(readNative(body({ store: false, max_output_tokens: 7 }))).toMatchObject({
      retrySafe: true,
      size: { maxOutputTokens: 7 },
    });
    expect(readNative(body({ tools: [{ type: "function" }, { type: "custom" }] })).size.hasMedia).toBe(false);
    const image = [{ role: "user", content: [{ type: "input_image", image_url: "data:" }] }];
    for (const more of [{ previous_response_id: "r" }, { input: image }])
      expect(readNative(body(more)).size.hasMedia).toBe(true);
  });

  test("goes on byte for byte, but for the model's name and gw's own fields", () => {
    const odd =
      '{ "model":"m" ,"input":[{"x":1.0e3,"n":12345678901234567890}],"stream":true,"store":false, "é":"\\u00e9"}';
    expect(forwardNative(readNative(odd), { upstreamModel: "m", supplier: { kind: "chat" } } as Route)).toBe(odd);
    const renamed = forwardNative(readNative(odd), { upstreamModel: "up", supplier: { kind: "chat" } } as Route);
    expect(renamed).toContain('"model":"up"');
    expect(renamed).toContain('{"x":1.0e3,"n":12345678901234567890}');
    const own = body({ region: "eu", metadata: { session_id: "s", team: "a" } });
    expect(
      JSON.parse(forwardNative(readNative(own), { upstreamModel: "m", supplier: { kind: "chat" } } as Route)),
    ).toEqual({
      ...JSON.parse(body()),
      metadata: { team: "a" },
    });
  });

  test("takes its session's headers along, and no others", () => {
    const headers = new Headers({
      "session-id": "s1",
      session_id: "s2",
      "thread-id": "t",
      originator: "codex_cli_rs",
      authorization: "Bearer gw_secret",
      cookie: "a=b",
      "x-forwarded-for": "1.2.3.4",
    });
    expect(forwardedHeaders(headers)).toEqual({
      "session-id": "s1",
      session_id: "s2",
      "thread-id": "t",
      originator: "codex_cli_rs",
    });
  });

  test("counts its words and not its pictures", () => {
    const input = [
      {
        role: "user",
        content: [
          { type: "input_text", text: "one" },
          { type: "input_image", image_url: "data:AAAA" },
        ],
      },
    ];
    const inference = readNative(body({ input, instructions: "two", tools: [{ type: "function", name: "three" }] }));
    const text = promptText((inference.source as NativeSource).body);
    for (const word of ["one", "two", "three"]) expect(text).toContain(word);
    expect(text).not.toContain("AAAA");
  });
});

describe("a stream", () => {
  test("passes byte for byte in any pieces, and its terminal event waits", () => {
    const whole = [created, ": hello\n\n", added, unknown, delta("Hello"), delta(" there"), done].join("");
    for (const size of [1, 7, 64, 10_000]) {
      const reader = new NativeStreamReader();
      const bytes = Buffer.from(whole + completed);
      let seen = "";
      for (let at = 0; at < bytes.length; at += size) seen += reader.push(bytes.subarray(at, at + size)) ?? "";
      expect(seen).toBe(whole.replace(": hello\n\n", ""));
      expect(reader.terminal.toString("utf8")).toBe(completed);
      expect(reader.state).toBe("finished");
      expect(reader.usage).toEqual({
        inputTokens: 120,
        cachedInputTokens: 100,
        cacheWriteTokens: 0,
        outputTokens: 9,
        reasoningTokens: 4,
      });
      expect(reader.outputText()).toBe("Hello there");
    }
  });

  test("has begun with the first content, and not with what only announces it", () => {
    expect(read(created, added).reader.started).toBe(false);
    expect(read(created, added, delta("H")).reader.started).toBe(true);
    expect(read(done).reader.started).toBe(true);
  });

  test("that has items and no deltas is counted by its items", () => {
    const call = { type: "function_call", call_id: "c", name: "look", arguments: '{"city":"Rome"}' };
    const { reader } = read(done, event({ type: "response.output_item.done", output_index: 1, item: call }), completed);
    expect(reader.outputText()).toBe('Hello therelook{"city":"Rome"}');
    const bare = event({ type: "response.completed", response: { status: "completed", output: [item] } });
    expect(read(bare).reader.outputText()).toBe("Hello there");
  });

  test("is complete with response.incomplete too, and with nothing less", () => {
    const incomplete = event({ type: "response.incomplete", response: { status: "incomplete", usage: USAGE } });
    expect(read(created, incomplete).reader).toMatchObject({ state: "finished", usage: { outputTokens: 9 } });
    const { reader } = read(created, added, delta("H"), done);
    expect([reader.state, reader.end()]).toEqual(["open", false]);
  });

  test("that breaks ends with response.failed under its own name and number", () => {
    const { reader, seen } = read(created, added, delta("H"));
    const last = reader.errorEvent({ ...PROBLEM, code: "stream_interrupted" }).toString("utf8");
    expect(nativeViolations(seen + last)).toEqual([]);
    expect(JSON.parse(last.split("data: ")[1]!)).toMatchObject({
      sequence_number: 3,
      response: { id: "resp_1", model: "x", created_at: 5, error: { code: "stream_interrupted" } },
    });
  });

  test("that the supplier fails keeps the supplier's own last event", () => {
    const error = { code: "context_length_exceeded", message: "too long" };
    const failed = event({ type: "response.failed", extra: 1, response: { status: "failed", error, usage: USAGE } });
    const { reader } = read(created, added, delta("H"), failed);
    expect(reader).toMatchObject({ state: "failed", failure: { ...error, status: 400 }, usage: { outputTokens: 9 } });
    expect(reader.errorEvent(PROBLEM).toString("utf8")).toBe(failed);
    expect(reader.errorEvent({ ...PROBLEM, code: "streaming_settlement_failed" }).toString("utf8")).toContain(
      "settlement",
    );
  });

  test("that ends with an error event ends in the agents' own words", () => {
    const { reader, seen } = read(
      created,
      added,
      delta("H"),
      event({ type: "error", code: "server_is_overloaded", message: "busy" }),
    );
    const last = reader.errorEvent(PROBLEM).toString("utf8");
    expect(nativeViolations(seen + last)).toEqual([]);
    expect(last).toContain('"code":"server_is_overloaded","message":"busy"');
    expect(reader.failure?.status).toBe(500);
  });

  test("in which the supplier finds fault with gw's own sign-in does not say so", () => {
    const failed = event({
      type: "response.failed",
      response: { status: "failed", error: { code: "invalid_api_key", message: "sk-secret" } },
    });
    const { reader } = read(created, added, delta("H"), failed);
    expect(reader.failure).toMatchObject({ code: null, status: 401 });
    expect(reader.errorEvent(PROBLEM).toString("utf8")).not.toMatch(/sk-secret|api_key/);
  });

  test.each(['data: {"typ\n\n', "data: []\n\n", 'event: response.completed\ndata: {"type":"response.completed"\n\n'])(
    "with nonsense in it fails: %j",
    (nonsense) => {
      expect(read(created, nonsense).reader).toMatchObject({ state: "failed", failure: { protocol: true } });
    },
  );
});
