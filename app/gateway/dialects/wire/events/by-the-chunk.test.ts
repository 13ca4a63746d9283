import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ChatStreamReader } from "../../chat/stream";
import { MessagesStreamReader } from "../../messages/stream";
import type { EventReader } from "./event-reader";

class ChatEventByEvent extends ChatStreamReader {
  protected override ordinaryLength(): number {
    return 0;
  }
}

class MessagesEventByEvent extends MessagesStreamReader {
  protected override ordinaryLength(): number {
    return 0;
  }
}

type Readers = [byTheChunk: () => EventReader, eventByEvent: () => EventReader];
const CHAT: Readers = [() => new ChatStreamReader(false), () => new ChatEventByEvent(false)];
const CHAT_WITH_USAGE: Readers = [() => new ChatStreamReader(true), () => new ChatEventByEvent(true)];
const MESSAGES: Readers = [() => new MessagesStreamReader(), () => new MessagesEventByEvent()];

/** Reads a stream in chunks, and its text at some of them. Returns all that is shown and metered. */
function seenBy(reader: EventReader, chunks: readonly Buffer[], isAsked: (at: number) => boolean) {
  const texts: string[] = [];
  const shown = chunks.map((chunk, at) => {
    const bytes = reader.push(chunk)?.toString("latin1") ?? null;
    if (isAsked(at)) texts[at] = reader.outputText();
    return [bytes, reader.started, reader.state];
  });
  const isComplete = reader.end();
  const { state, failure, usage, late, terminal } = reader;
  const metered = { usage, promptUsage: (reader as { promptUsage?: unknown }).promptUsage, text: reader.outputText() };
  return { texts, seen: { shown, isComplete, state, failure, late, terminal, metered } };
}

/**
 * Compares two readers: the reference reads the text of every event at once, the other one at `textAt` and at the end.
 */
function expectSame([byTheChunk, eventByEvent]: Readers, chunks: readonly Buffer[], textAt = -1) {
  const actual = seenBy(byTheChunk(), chunks, (at) => at === textAt);
  const expected = seenBy(eventByEvent(), chunks, () => true);
  expect(actual.seen).toEqual(expected.seen);
  expect(actual.texts[textAt]).toBe(expected.texts[textAt]);
}

/** Splits a stream at these places, and also at the ends of events, as most suppliers do, if `atEvents`. */
function cut(stream: Buffer, places: readonly number[], atEvents: boolean): Buffer[] {
  const ends = atEvents ? [...stream.toString("latin1").matchAll(/\n\n/g)].map(({ index }) => index + 2) : [];
  const borders = [...places.map((place) => place % (stream.length + 1)), ...ends].toSorted((a, b) => a - b);
  return [0, ...borders].map((from, i) => stream.subarray(from, borders[i] ?? stream.length));
}

const text = fc.oneof(
  fc.constantFrom('"usage"', ',"usage":null', '"error"', '"}}', "data: [DONE]\n\n", "\r\n", "\\", "😀", "\u2028", ""),
  fc.string({ unit: "grapheme", maxLength: 8 }),
);
const oddEvent = fc.constantFrom(
  ...[": waiting\n\n", "\n", "\r\n", "data:\n\n", "event: ping\ndata: {}\n\n", "\uFEFF", "data: {\n\n", "data: {}\n\n"],
  ...["data: [DONE]\n\n", 'data: {"error":{"message":"busy"}}\n\n', "data: {not json}\n\n", "data: 5\n\n", "id: 7\n"],
  ...['event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n'],
);
const lineEnd = fc.constantFrom("\n", "\n", "\n", "\r\n", "\r");

const chatEvent = fc
  .record({
    text,
    index: fc.nat(1),
    finish: fc.constantFrom("null", "null", "null", '"stop"', undefined),
    tail: fc.constantFrom("", "", ',"usage":null', ', "usage": null', ',"usage":null,"error":null', ',"usage":nil'),
    isBroken: fc.boolean(),
    totals: fc.constantFrom("", "", "", ',"usage":{"prompt_tokens":7,"completion_tokens":2}'),
  })
  .map(({ text, index, finish, tail, isBroken, totals }) => {
    const delta = JSON.stringify(
      index === 1 && text.length > 4 ? { tool_calls: [{ function: { arguments: text } }] } : { content: text },
    );
    const end = finish === undefined ? "" : `,"finish_reason":${finish}`;
    const choice = `{"index":${index},"delta":${delta}${end}}`;
    const choices = isBroken && text.length > 6 ? `${choice},${choice}` : choice;
    return `data: {"id":"c","choices":[${choices}]${tail}${totals}}\n\n`;
  });

const messagesEvent = fc
  .record({
    text,
    type: fc.constantFrom("text", "text", "thinking", "partial_json", "signature"),
    name: fc.constantFrom("event: content_block_delta\n", "event: content_block_delta\n", "event: other\n", ""),
    tail: fc.constantFrom("", "", "", " ", "}", ',"usage":null', ',"type":"error"'),
    index: fc.constantFrom("0", "1", "01", "-1"),
  })
  .map(
    ({ text, type, name, tail, index }) =>
      `${name}data: {"type":"content_block_delta","index":${index},"delta":{"type":"x","${type}":${JSON.stringify(text)}}${tail}}\n\n`,
  );
const messagesFrame = fc.constantFrom(
  'event: message_start\ndata: {"type":"message_start","message":{"usage":{"input_tokens":9,"output_tokens":1}}}\n\n',
  'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","name":"f"}}\n\n',
  'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":8}}\n\n',
  'event: message_stop\ndata: {"type":"message_stop"}\n\n',
);

describe("a stream read by the chunk is what it is event by event", () => {
  const often = (event: fc.Arbitrary<string>, ...others: fc.Arbitrary<string>[]) =>
    fc.oneof({ weight: 20, arbitrary: event }, ...others.map((arbitrary) => ({ weight: 1, arbitrary })));
  const cuts = fc.tuple(fc.array(fc.nat(), { maxLength: 6 }), fc.boolean());

  const property = (event: fc.Arbitrary<string>, first: string, ...readers: Readers[]) =>
    fc.property(
      fc.array(event, { maxLength: 14 }),
      cuts,
      lineEnd,
      fc.nat(12),
      (events, [places, atEvents], eol, textAt) => {
        const written = events.map((each, i) => (i % 3 === 0 ? each.replaceAll("\n", eol) : each)).join("");
        const chunks = cut(Buffer.from(first + written), places, atEvents);
        for (const pair of readers) expectSame(pair, chunks, textAt);
      },
    );

  test("in the chat dialect, with and without usage for the client", () => {
    const first = 'data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n';
    fc.assert(property(often(chatEvent, oddEvent), first, CHAT, CHAT_WITH_USAGE), { numRuns: 2_000 });
  });

  test("in the messages dialect", () => {
    const first = messagesEventOf("a");
    fc.assert(property(often(messagesEvent, oddEvent, messagesFrame), first, MESSAGES), { numRuns: 2_000 });
  });

  const folder = "app/gateway/dialects/translate/__fixtures__";
  test.each(readdirSync(folder).filter((name) => name.endsWith(".sse")))("as recorded in %s", (name) => {
    const recorded = readFileSync(`${folder}/${name}`);
    const readers = name.startsWith("chat") ? [CHAT, CHAT_WITH_USAGE] : [MESSAGES];
    for (const size of [1, 7, 100, 1_000, recorded.length]) {
      const places = Array.from({ length: Math.floor(recorded.length / size) }, (_, i) => (i + 1) * size);
      for (const pair of readers) {
        expectSame(pair, cut(recorded, places, false));
        expectSame(pair, cut(recorded, [], true));
      }
    }
  });
});

const messagesEventOf = (text: string) =>
  `event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":${JSON.stringify(text)}}}\n\n`;
const chatEventOf = (text: string, more = "") =>
  `data: {"id":"c","choices":[{"index":0,"delta":{"content":${JSON.stringify(text)}},"finish_reason":null}]${more}}\n\n`;

describe("a chunk of ordinary events", () => {
  test.each([
    ["chat", CHAT, chatEventOf],
    ["messages", MESSAGES, messagesEventOf],
  ] as const)("goes on as the buffer it came in, in the %s dialect", (_, [open], eventOf) => {
    const reader = open();
    reader.push(Buffer.from(eventOf("a")));
    const chunk = Buffer.from(eventOf(' "b" \\ 😀') + eventOf("c\n"));
    expect(reader.push(chunk)).toBe(chunk);
    expect(reader.outputText()).toBe('a "b" \\ 😀c\n');
  });

  test("loses the usage that is not there yet, and nothing else, for a client that did not ask", () => {
    const reader = new ChatStreamReader(false);
    const words = ["a", ',"usage":null', "ü"];
    const shown = words.map((word) => reader.push(Buffer.from(chatEventOf(word, ',"usage":null'))));
    expect(Buffer.concat(shown as Buffer[]).toString()).toBe(words.map((word) => chatEventOf(word)).join(""));
  });

  test("is kept unread in bounds, and all its text is there", () => {
    const readers = [new ChatStreamReader(true), new MessagesStreamReader()];
    const words = Array.from({ length: 5_000 }, (_, i) => ` word${i} é`);
    for (const word of words) {
      readers[0]!.push(Buffer.from(chatEventOf(word)));
      readers[1]!.push(Buffer.from(messagesEventOf(word)));
    }
    for (const reader of readers) expect(reader.outputText()).toBe(words.join(""));
  });
});
