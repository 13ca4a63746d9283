import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chatViolations, messagesViolations } from "../../../../tests/support/stream-grammar";
import { readChat } from "../chat/read";
import { messagesToMessages } from "../messages";
import { readMessages } from "../messages/read";
import { cutAt, dataIn, recorded, streamsOf, through } from "./__fixtures__/streams";
import { chatToMessages, messagesToChat } from "./index";

const user = [{ role: "user", content: "hi" }];
const chatAsk = (more: object = {}) => readChat(JSON.stringify({ model: "m", messages: user, stream: true, ...more }));
const messagesAsk = (more: object = {}) =>
  readMessages(JSON.stringify({ model: "m", max_tokens: 100, messages: user, stream: true, ...more }));
const thinking = { thinking: { type: "adaptive" } };
const usageAsked = { stream_options: { include_usage: true } };

const toChat = (name: string, more: object = usageAsked) =>
  through(chatToMessages.openStream(chatAsk(more)), [recorded(name)]);
const toMessages = (name: string, more: object = thinking) =>
  through(messagesToChat.openStream(messagesAsk(more)), [recorded(name)]);

/** Replaces the time in chunks. */
const stable = (text: string) => text.replace(/"created":\d+/g, '"created":0');

describe("every recorded stream", () => {
  test.each(streamsOf("chat"))("%s follows the messages grammar", (name) => {
    expect(messagesViolations(toMessages(name))).toEqual([]);
    expect(messagesViolations(toMessages(name, {}))).toEqual([]);
  });

  test.each(streamsOf("messages"))("%s follows the chat grammar", (name) => {
    expect(chatViolations(toChat(name), { asksUsage: true })).toEqual([]);
    expect(chatViolations(toChat(name, {}))).toEqual([]);
  });

  test.each(streamsOf("messages"))("%s passes through as it is", (name) => {
    const seen = through(messagesToMessages.openStream(messagesAsk()), [recorded(name)]);
    expect(messagesViolations(seen)).toEqual([]);
    expect(seen.replaceAll("\r\n", "\n")).toBe(recorded(name).toString().replaceAll("\r\n", "\n"));
  });
});

test("a messages stream states its usage once that is settled, where the supplier said nothing, and closes what is open", () => {
  const pieces = ['{"id":"c","choices":[{"index":0,"delta":{"content":"Hi"}}]}', "[DONE]"];
  const reader = messagesToChat.openStream(messagesAsk());
  const seen = pieces.map((data) => reader.push(Buffer.from(`data: ${data}\n\n`))?.toString() ?? "").join("");
  expect(dataIn(reader.terminal.toString(), "message_delta")[0].usage).toMatchObject({ output_tokens: 0 });
  const settled = { inputTokens: 5, outputTokens: 1, cachedInputTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
  const last = reader.terminalWith!(settled).toString();
  expect(dataIn(last, "message_delta")[0].usage).toMatchObject({ input_tokens: 5, output_tokens: 1 });
  expect(messagesViolations(seen + last)).toEqual([]);
});

describe("however the bytes are cut, the client sees the same", () => {
  const translators = [
    ...streamsOf("chat").map((name) => ({ name, open: () => messagesToChat.openStream(messagesAsk(thinking)) })),
    ...streamsOf("messages").map((name) => ({ name, open: () => chatToMessages.openStream(chatAsk(usageAsked)) })),
    ...streamsOf("messages").map((name) => ({ name, open: () => messagesToMessages.openStream(messagesAsk()) })),
  ];

  test.each(translators)(
    "$name at every byte",
    ({ name, open }) => {
      const bytes = recorded(name);
      const whole = stable(through(open(), [bytes]));
      for (let at = 1; at < bytes.length; at += 1)
        expect(stable(through(open(), cutAt(bytes, [at]))) === whole, `cut at ${at}`).toBe(true);
      const single = Array.from({ length: bytes.length }, (_, at) => at);
      expect(stable(through(open(), cutAt(bytes, single)))).toBe(whole);
    },
    60_000,
  );

  test("at random places", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...translators),
        fc.array(fc.nat(20_000), { maxLength: 40 }),
        ({ name, open }, places) => {
          const bytes = recorded(name);
          const cuts = places.map((place) => place % bytes.length);
          expect(stable(through(open(), cutAt(bytes, cuts)))).toBe(stable(through(open(), [bytes])));
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("a chat-style supplier for a messages client", () => {
  test("text comes in one block, input tokens are told without the cached ones", () => {
    const seen = toMessages("chat-text.sse");
    expect(dataIn(seen, "content_block_delta").map(({ delta }) => delta.text)).toEqual(["Grüße", " aus Köln 🌊", "!"]);
    expect(dataIn(seen, "message_start")[0].message).toMatchObject({ id: "msg_chatcmpl-9xY2", model: "m" });
    expect(dataIn(seen, "message_delta")[0]).toMatchObject({
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: { input_tokens: 180, cache_read_input_tokens: 1024, cache_creation_input_tokens: 0, output_tokens: 9 },
    });
  });

  test("parallel calls become blocks in their order, and a call without arguments has an empty object", () => {
    const seen = toMessages("chat-parallel-tools.sse");
    expect(dataIn(seen, "content_block_start").map(({ index, content_block }) => [index, content_block.type])).toEqual([
      [0, "text"],
      [1, "tool_use"],
      [2, "tool_use"],
      [3, "tool_use"],
    ]);
    expect(inputsOf(seen)).toEqual(['{"city":"Rome"}', '{"zone":"Europe/Rome"}', "{}"]);
    expect(dataIn(seen, "message_delta")[0].delta.stop_reason).toBe("tool_use");
  });

  test("calls whose pieces come mixed are told one after the other", () => {
    const seen = toMessages("chat-mixed-tools.sse");
    expect(inputsOf(seen)).toEqual(['{"city":"Rome"}', '{"zone":"CET"}']);
    expect(dataIn(seen, "content_block_start").map(({ content_block }) => content_block.type)).toEqual([
      "tool_use",
      "tool_use",
      "text",
    ]);
  });

  test("calls that share an index are told apart by their ids", () => {
    const seen = toMessages("chat-odd-calls.sse");
    const blocks = dataIn(seen, "content_block_start").map(({ content_block }) => content_block);
    expect(blocks.map(({ name }) => name)).toEqual(["first", "second", "third"]);
    expect(new Set(blocks.map(({ id }) => id)).size).toBe(3);
    expect(inputsOf(seen)).toEqual(["{}", '{"a":1}', '{"b":2}']);
    expect(dataIn(seen, "message_delta")[0].delta.stop_reason).toBe("tool_use");
  });

  test("reasoning is a thinking block for those who asked to see thinking, and for nobody else", () => {
    const seen = toMessages("chat-reasoning.sse");
    const deltas = dataIn(seen, "content_block_delta").map(({ index, delta }) => [index, delta.type]);
    expect(deltas.map(([, type]) => type)).toEqual([
      "thinking_delta",
      "thinking_delta",
      "signature_delta",
      "text_delta",
      "text_delta",
    ]);
    expect(dataIn(seen, "message_delta")[0].usage.output_tokens_details).toEqual({ thinking_tokens: 8 });
    const plain = toMessages("chat-reasoning.sse", {});
    expect(plain).not.toContain("Two and two");
    expect(dataIn(plain, "content_block_start").map(({ index }) => index)).toEqual([0]);
  });

  test("a stop sequence that the supplier names is named", () => {
    const seen = toMessages("chat-stop-sequence.sse", { stop_sequences: ["three"] });
    expect(dataIn(seen, "message_delta")[0].delta).toMatchObject({
      stop_reason: "stop_sequence",
      stop_sequence: "three",
    });
  });

  test("the end is kept back until the call is settled", () => {
    const stream = messagesToChat.openStream(messagesAsk());
    const shown = stream.push(recorded("chat-text.sse"))!.toString();
    expect(shown).toContain("content_block_stop");
    expect(shown).not.toMatch(/message_delta|message_stop/);
    expect(dataIn(stream.terminal.toString()).map(({ type }) => type)).toEqual(["message_delta", "message_stop"]);
  });
});

describe("a messages-style supplier for a chat client", () => {
  test("text comes as content, usage with the cached tokens inside, only when asked for", () => {
    const seen = dataIn(toChat("messages-text.sse"));
    expect(seen[0].choices[0].delta).toEqual({ role: "assistant", content: "" });
    expect(seen.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe("Grüße aus Köln 🌊!");
    expect(seen.at(-1).usage).toEqual({
      prompt_tokens: 2125,
      completion_tokens: 9,
      total_tokens: 2134,
      prompt_tokens_details: { cached_tokens: 2000, cache_write_tokens: 100 },
      completion_tokens_details: { reasoning_tokens: 0 },
    });
    expect(toChat("messages-text.sse", {})).not.toContain("usage");
  });

  test("tool calls are numbered from zero, and each has arguments that are JSON", () => {
    const calls = dataIn(toChat("messages-tools.sse")).flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);
    const named = calls.filter(({ id }) => id);
    expect(named.map(({ index, id, function: { name } }) => [index, id, name])).toEqual([
      [0, "toolu_01A", "get_weather"],
      [1, "toolu_01B", "ping"],
      [2, "toolu_01C", "pong"],
    ]);
    const inputs = named.map(({ index }) =>
      calls
        .filter((call) => call.index === index)
        .map((call) => call.function.arguments)
        .join(""),
    );
    expect(inputs).toEqual(['{"city": "Rome"}', "{}", '{"n":1}']);
  });

  test("thinking comes as reasoning, with its seal for clients that send messages back whole", () => {
    const deltas = dataIn(toChat("messages-thinking.sse")).map(({ choices }) => choices[0]?.delta ?? {});
    expect(deltas.map(({ reasoning_content }) => reasoning_content ?? "").join("")).toBe("Two and two make four.");
    expect(deltas.flatMap(({ reasoning_details }) => reasoning_details ?? [])).toEqual([
      { type: "reasoning.text", format: "gw-v1", text: "Two and two make four.", signature: "EqQBCgIYAhIM" },
      { type: "reasoning.encrypted", format: "gw-v1", data: "EmwKAhgBEgy3va3p" },
    ]);
    expect(deltas.map(({ content }) => content ?? "").join("")).toBe("It is 4.");
  });

  test("blocks of the supplier's own tools are left out", () => {
    const seen = toChat("messages-server-tool.sse");
    expect(seen).toContain("Found.");
    expect(seen).not.toMatch(/query|web_search/);
  });
});

describe("what goes wrong", () => {
  const open = {
    toMessages: () => messagesToChat.openStream(messagesAsk()),
    toChat: () => chatToMessages.openStream(chatAsk()),
    passed: () => messagesToMessages.openStream(messagesAsk()),
  };
  const chunk = (delta: object) =>
    Buffer.from(`data: ${JSON.stringify({ id: "c", model: "x", choices: [{ index: 0, delta }] })}\n\n`);
  const event = (data: { type: string; [more: string]: unknown }) =>
    Buffer.from(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`);
  const start = event({
    type: "message_start",
    message: { id: "msg_1", model: "x", usage: { input_tokens: 5, output_tokens: 1 } },
  });
  const block = event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } });
  const text = event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "a" } });

  test("an error event ends the stream with the supplier's words, and nothing after it is shown", () => {
    const overloaded = event({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } });
    for (const stream of [open.toChat(), open.passed()]) {
      const shown = through(stream, [start, block, text, overloaded, text, event({ type: "message_stop" })]);
      expect(stream.failure).toEqual({
        code: null,
        type: "overloaded_error",
        message: "Overloaded",
        param: null,
        protocol: false,
      });
      expect(shown).not.toMatch(/Overloaded|DONE|message_stop/);
    }
    const stream = open.toMessages();
    const busy = Buffer.from('data: {"error":{"message":"busy","code":"server_busy"}}\n\n');
    expect(through(stream, [chunk({ content: "a" }), busy, chunk({ content: "b" })])).not.toContain("message_stop");
    expect(stream.failure).toMatchObject({ code: "server_busy", message: "busy" });
  });

  test("the stream has begun with the first content, not with the supplier's preliminaries", () => {
    for (const stream of [open.toChat(), open.passed()]) {
      stream.push(Buffer.concat([start, block, event({ type: "ping" })]));
      expect(stream.started).toBe(false);
      stream.push(text);
      expect(stream.started).toBe(true);
    }
    const stream = open.toMessages();
    stream.push(chunk({ role: "assistant", content: "" }));
    expect(stream.started).toBe(false);
    stream.push(chunk({ reasoning_content: "hm" }));
    expect(stream.started).toBe(true);
  });

  test("what went in is known as soon as it is reported, what came out only at the end", () => {
    for (const stream of [open.toChat(), open.passed()]) {
      stream.push(Buffer.concat([start, block, text]));
      expect(stream.usage).toBeNull();
      expect(stream.promptUsage).toMatchObject({ inputTokens: 5, outputTokens: 0 });
      stream.push(event({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 3 } }));
      expect(stream.usage).toMatchObject({ inputTokens: 5, outputTokens: 3 });
      expect(stream.end()).toBe(true);
    }
  });

  test("a connection that ends before the stop reason is a broken answer", () => {
    for (const stream of [open.toChat(), open.passed()]) {
      through(stream, [start, block, text]);
      expect(stream.state).toBe("open");
    }
    const stream = open.toMessages();
    expect(through(stream, [chunk({ content: "a" })])).not.toContain("message_stop");
    expect(stream.terminal).toHaveLength(0);
  });

  test("an answer without anything in it is a failure", () => {
    for (const [stream, bytes] of [
      [open.toMessages(), Buffer.from("data: [DONE]\n\n")],
      [open.toChat(), Buffer.concat([start, event({ type: "message_stop" })])],
      [open.passed(), Buffer.concat([start, event({ type: "message_stop" })])],
    ] as const) {
      stream.push(bytes);
      expect(stream.failure?.protocol).toBe(true);
    }
  });

  test.each(["{", "[1]", "null", '"x"', "{}{}"])("the data %s is a failure, not a crash", (data) => {
    for (const stream of [open.toMessages(), open.toChat(), open.passed()]) {
      stream.push(Buffer.from(`data: ${data}\n\n`));
      expect(stream.state).toBe("failed");
    }
  });

  test("an event without a name gets the one that clients look for", () => {
    const stream = open.passed();
    const shown = through(stream, [
      start,
      block,
      Buffer.from('data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}\n\n'),
    ]);
    expect(shown).toContain("event: content_block_delta\ndata: ");
  });

  test("no stream of any JSON makes a reader throw", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
      ),
      fc.string(),
    );
    const odd = fc.oneof(fc.jsonValue(), fc.constant({}), fc.constant(null));
    const wire = fc.record(
      {
        type: piece,
        index: odd,
        delta: odd,
        content_block: odd,
        message: odd,
        usage: odd,
        choices: fc.array(odd),
        id: odd,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(wire, { maxLength: 8 }), (events) => {
        const bytes = Buffer.from(events.map((data) => `data: ${JSON.stringify(data)}\n\n`).join(""));
        for (const stream of [open.toMessages(), open.toChat(), open.passed()]) through(stream, [bytes]);
      }),
      { numRuns: 500 },
    );
  });
});

function inputsOf(seen: string): string[] {
  const inputs = new Map<number, string>();
  for (const { index, content_block } of dataIn(seen, "content_block_start"))
    if (content_block.type === "tool_use") inputs.set(index, "");
  for (const { index, delta } of dataIn(seen, "content_block_delta"))
    if (inputs.has(index)) inputs.set(index, inputs.get(index) + delta.partial_json);
  return [...inputs.values()];
}
