import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_STREAM_BYTES } from "../wire/events/event-reader";
import { SseSplitter } from "../wire/events/sse";
import { ChatStreamReader } from "./stream";

const event = (chunk: object | string) =>
  Buffer.from(`data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}\n\n`);
const content = (text: string) =>
  event({ id: "c", choices: [{ index: 0, delta: { content: text }, finish_reason: null }], usage: null });
const finish = event({ id: "c", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
const usage = event({ id: "c", choices: [], usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 } });
const done = event("[DONE]");

function read(reader: ChatStreamReader, ...pieces: Buffer[]): string {
  return pieces.map((piece) => reader.push(piece)?.toString() ?? "").join("");
}

describe("usage", () => {
  test("is read and hidden when the client did not ask for it", () => {
    const reader = new ChatStreamReader(false);
    const shown = read(reader, content("Hi"), finish, usage, done);
    expect(reader.usage).toMatchObject({ inputTokens: 7, outputTokens: 2 });
    expect(shown).not.toContain("usage");
    expect(shown).toContain('"content":"Hi"');
    expect(reader.state).toBe("finished");
  });

  test("is shown byte for byte when the client asked for it", () => {
    const reader = new ChatStreamReader(true);
    expect(read(reader, content("Hi"), finish, usage)).toBe(`${content("Hi")}${finish}${usage}`);
  });

  test("is hidden in an event of several lines too, and the lines stay one event", () => {
    const reader = new ChatStreamReader(false);
    const [head, tail] = content("there").toString().split(',"choices"');
    const shown = read(reader, content("Hi "), Buffer.from(`${head}\ndata: ,"choices"${tail}`), done);
    const events = new SseSplitter().push(Buffer.from(shown));
    expect(events.map(({ data }) => JSON.parse(data).choices[0].delta.content)).toEqual(["Hi ", "there"]);
    expect(shown).not.toContain("usage");
  });

  test("of nonsense is not believed", () => {
    const reader = new ChatStreamReader(false);
    read(reader, content("Hi"), event({ choices: [], usage: { prompt_tokens: -5, completion_tokens: 1e9 } }), done);
    expect(reader.usage).toBeNull();
  });
});

describe("the end", () => {
  test("the terminal event is kept back until the call is settled", () => {
    const reader = new ChatStreamReader(false);
    expect(read(reader, Buffer.concat([content("a"), finish, done]))).not.toContain("[DONE]");
    expect(reader.terminal.toString()).toBe("data: [DONE]\n\n");
  });

  test("without a terminal event, an answer is whole only when each of its choices is", () => {
    const of = (index: number, delta: object, finish_reason: string | null = null) =>
      event({ id: "c", choices: [{ index, delta, finish_reason }] });
    const begun = [of(0, { content: "a" }), of(1, { content: "b" }), of(0, {}, "stop"), of(1, { content: "c" })];
    const cut = new ChatStreamReader(false);
    read(cut, ...begun);
    expect(cut.end()).toBe(false);
    const whole = new ChatStreamReader(false);
    read(whole, ...begun, of(1, {}, "length"));
    expect(whole.end()).toBe(true);
  });

  test("nothing after the terminal event reaches the client", () => {
    const reader = new ChatStreamReader(false);
    expect(read(reader, content("a"), done, content("b"), done)).not.toContain('"b"');
  });

  test("a terminal event with blanks behind it is one", () => {
    const reader = new ChatStreamReader(false);
    read(reader, content("a"), finish, event("[DONE] "));
    expect(reader.state).toBe("finished");
  });

  test("a connection that ends after the finish reason is a complete answer, one that ends before is not", () => {
    const complete = new ChatStreamReader(false);
    read(complete, content("a"), finish);
    expect(complete.end()).toBe(true);
    const cut = new ChatStreamReader(false);
    read(cut, content("a"));
    expect(cut.end()).toBe(false);
  });
});

describe("what is not an answer", () => {
  test("an error event stops the stream and keeps the supplier's words", () => {
    const reader = new ChatStreamReader(false);
    read(reader, content("a"), event({ error: { message: "overloaded", type: "server_error", code: "busy" } }));
    expect(reader.state).toBe("failed");
    expect(reader.failure).toMatchObject({ code: "busy", message: "overloaded", protocol: false });
  });

  test("an event that is not JSON stops the stream and is not shown", () => {
    const reader = new ChatStreamReader(false);
    expect(read(reader, content("a"), event('{"choices":[{')).match(/data:/g)).toHaveLength(1);
    expect(reader.failure?.protocol).toBe(true);
  });
});

test("the stream counts as begun with the first real content, not with the role", () => {
  const reader = new ChatStreamReader(false);
  read(reader, event({ choices: [{ index: 0, delta: { role: "assistant", content: "" } }] }));
  expect(reader.started).toBe(false);
  read(reader, content("x"));
  expect(reader.started).toBe(true);
});

test("ordinary events pass unparsed, and their text is still all there when it is asked for", () => {
  const reader = new ChatStreamReader(false);
  const words = Array.from({ length: 3_000 }, (_, i) => ` word${i} \\"usage\\":null`);
  const shown = words.map((word) => reader.push(content(word))?.toString() ?? "").join("");
  expect(reader.outputText()).toBe(words.join(""));
  expect(shown).not.toContain(',"usage":null');
  expect(shown.match(/data: /g)).toHaveLength(3_000);
  for (const line of shown.split("\n\n").filter(Boolean)) expect(JSON.parse(line.slice(6))).not.toHaveProperty("usage");
});

test("an event that ends one choice and goes on with another is read, not passed over", () => {
  const reader = new ChatStreamReader(false);
  read(reader, content("a"), event({ choices: [{ index: 1, delta: { content: "b" }, finish_reason: null }] }));
  const both = [
    { index: 0, delta: {}, finish_reason: null },
    { index: 1, delta: {}, finish_reason: "stop" },
  ];
  read(reader, event({ choices: both }), finish);
  expect(reader.end()).toBe(true);
});

test("tool calls are content, and their names and arguments are what is counted", () => {
  const reader = new ChatStreamReader(false);
  const call = (fn: object) =>
    event({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: "call_1", function: fn }] } }] });
  read(reader, call({ name: "look_up", arguments: "" }), call({ arguments: '{"q":' }), call({ arguments: "1}" }));
  expect(reader.started).toBe(true);
  expect(reader.outputText()).toBe('look_up{"q":1}');
});

describe("however a supplier writes its events", () => {
  const words = fc.oneof(
    fc.constantFrom(
      '"usage"',
      ',"usage":null',
      '"error"',
      '"finish_reason":"stop"',
      "data: [DONE]\n\n",
      "\r\n",
      "\\",
      "😀",
      "}",
    ),
    fc.string({ unit: "grapheme", maxLength: 6 }),
  );
  const written = fc.record({
    text: words,
    usage: fc.constantFrom("none", "null", "first", "spaced"),
    lines: fc.constantFrom("one", "two", "all", "named", "comment"),
  });
  const finished = '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}';

  function inLines({ text, usage, lines }: { text: string; usage: string; lines: string }): string[] {
    const choices = JSON.stringify([{ index: 0, delta: { content: text }, finish_reason: null }]);
    const tail = { none: "", null: ',"usage":null', first: "", spaced: ', "usage": null' }[usage] ?? "";
    const json = `{${usage === "first" ? '"usage":null,' : ""}"id":"c","choices":${choices}${tail}}`;
    if (lines === "all")
      return JSON.stringify(JSON.parse(json), null, 1)
        .split("\n")
        .map((line) => `data:${line}`);
    if (lines === "two")
      return json
        .replace(',"choices"', '\n,"choices"')
        .split("\n")
        .map((line) => `data: ${line}`);
    const before = lines === "named" ? ["event: message", "id: 7"] : lines === "comment" ? [": waiting"] : [];
    return [...before, `data: ${json}`];
  }

  test("the client reads every word once, and no usage", () => {
    const lineEnds = fc.constantFrom("\n", "\r\n", "\r");
    const property = fc.property(
      fc.array(written, { minLength: 1, maxLength: 6 }),
      lineEnds,
      fc.nat(2),
      fc.array(fc.nat()),
      (events, eol, missingEnds, cuts) => {
        const lines = events.flatMap((each) => [...inLines(each), ""]).concat(`data: ${finished}`, "", "");
        const bytes = Buffer.from(lines.slice(0, lines.length - missingEnds).join(eol));
        const places = cuts.map((at) => at % (bytes.length + 1)).toSorted((a, b) => a - b);
        const reader = new ChatStreamReader(false);
        const shown = [0, ...places].map((from, i) => reader.push(bytes.subarray(from, places[i] ?? bytes.length)));
        expect(reader.end()).toBe(true);
        const seen = Buffer.concat([...shown, reader.late, reader.terminal].filter((each) => each != null));
        const data = new SseSplitter().push(seen).flatMap((each) => (each.data === "" ? [] : each.data));
        expect(data.at(-1)).toBe("[DONE]");
        const chunks = data.slice(0, -1).map((each) => JSON.parse(each));
        const text = events.map((each) => each.text).join("");
        expect(chunks.map(({ choices }) => choices[0].delta.content ?? "").join("")).toBe(text);
        expect(chunks.at(-1).choices[0].finish_reason).toBe("stop");
        for (const chunk of chunks) expect(chunk).not.toHaveProperty("usage");
        expect(reader.outputText()).toBe(text);
      },
    );
    fc.assert(property, { numRuns: 500 });
  });
});

describe("a supplier that sends anything", () => {
  const call = (value: unknown) => event({ choices: [{ delta: { tool_calls: [{ function: value }] } }] });

  test("of another kind than it should be is read as far as it is text", () => {
    const reader = new ChatStreamReader(false);
    const odd = { toString: 1 };
    read(reader, call({ name: odd, arguments: "{}" }), call({ name: "look", arguments: odd }), call(5), finish, done);
    expect(reader.state).toBe("finished");
    expect(reader.outputText()).toBe('{}look{"toString":1}');
  });

  test("without end is stopped before its text fills the memory", () => {
    const reader = new ChatStreamReader(false);
    const long = content("word ".repeat(200_000));
    for (let sent = 0; sent < 2 * MAX_STREAM_BYTES && reader.state === "open"; sent += long.length) reader.push(long);
    expect(reader.failure).toMatchObject({ protocol: true, tooLarge: true });
    expect(reader.outputText().length).toBeLessThan(MAX_STREAM_BYTES);
  });
});
