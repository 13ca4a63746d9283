import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { parseJson, withoutFiles } from "../long-texts";
import { EventTooLong, MAX_EVENT_BYTES, type SseEvent, SseSplitter } from "./sse";

const collect = (pieces: readonly Buffer[]) => {
  const splitter = new SseSplitter();
  const events = pieces.flatMap((piece) => splitter.push(piece)).concat(splitter.rest() ?? []);
  return events.filter((e) => e.data !== "").map(({ event, data }) => ({ event, data }));
};

function cut(bytes: Buffer, at: readonly number[]): Buffer[] {
  const points = [...new Set(at.map((n) => n % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...points].map((from, i) => bytes.subarray(from, points[i] ?? bytes.length));
}

const sample = (eol: string) =>
  Buffer.from(
    [`data: {"a":"ü漢😀"}`, "", ": note", "", "event: x", "data: 1", "data:2", "", "data: [DONE]", "", ""].join(eol),
  );
const expected = [
  { event: "", data: '{"a":"ü漢😀"}' },
  { event: "x", data: "1\n2" },
  { event: "", data: "[DONE]" },
];

describe("events are the same however the bytes arrive", () => {
  for (const [name, eol] of Object.entries({ LF: "\n", CRLF: "\r\n", CR: "\r" })) {
    test(`${name}: cut at every byte, and in slices of one byte`, () => {
      const bytes = sample(eol);
      expect(collect([bytes])).toEqual(expected);
      for (let at = 0; at <= bytes.length; at += 1) expect(collect(cut(bytes, [at]))).toEqual(expected);
      expect(collect([...bytes].map((byte) => Buffer.from([byte])))).toEqual(expected);
    });
  }

  test.each([
    ["LF", "\n"],
    ["CRLF", "\r\n"],
  ])("%s: their bytes are those of the stream, wherever it is cut", (_, eol) => {
    const bytes = sample(eol);
    for (let at = 0; at <= bytes.length; at += 1) {
      const splitter = new SseSplitter();
      const events = cut(bytes, [at]).flatMap((piece) => splitter.push(piece));
      expect(Buffer.concat(events.map((event) => event.bytes)).equals(bytes), `cut at ${at}`).toBe(true);
    }
  });

  test("mixed line ends and random cuts", () => {
    const eol = fc.constantFrom("\n", "\r\n", "\r");
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.stringMatching(/^[a-zä😀 ]{1,12}$/u), eol, eol)),
        fc.array(fc.nat()),
        (parts, at) => {
          // A CR directly before an LF would be one line end instead of two, so the test writes CR CR there.
          const text = parts
            .map(([s, a, b]) => `data: ${s}${a}${a === "\r" && b.startsWith("\n") ? "\r" : b}`)
            .join("");
          const want = parts.map(([s]) => ({ event: "", data: s }));
          expect(collect(cut(Buffer.from(text), at))).toEqual(want);
        },
      ),
      { numRuns: 300 },
    );
  });
});

test("a byte order mark in front of the stream belongs to nothing (HTML Living Standard, 9.2.5)", () => {
  const marked = Buffer.concat([Buffer.from("\uFEFF"), sample("\n")]);
  expect(collect([marked])).toEqual(expected);
  expect(collect([...marked].map((byte) => Buffer.from([byte])))).toEqual(expected);
  expect(new SseSplitter().push(marked)[0]!.bytes[0]).toBe("d".charCodeAt(0));
});

test("only the first byte order mark of a stream is one, however many there are", () => {
  const marks = "\uFEFF".repeat(200_000);
  const [event] = new SseSplitter().push(Buffer.from(`${marks}data: a\n\n`));
  expect(event).toMatchObject({ event: "", data: "" });
  expect(event!.bytes.length).toBe(Buffer.byteLength(marks) - 3 + "data: a\n\n".length);
  const later = new SseSplitter().push(Buffer.from("data: a\n\n\uFEFFdata: b\n\n"));
  expect(later.map(({ data }) => data)).toEqual(["a", ""]);
});

test("an event without end is stopped at the limit instead of filling the memory", () => {
  const splitter = new SseSplitter();
  expect(() => {
    for (let i = 0; i < 20; i += 1) splitter.push(Buffer.alloc(MAX_EVENT_BYTES / 10, 97));
  }).toThrow(EventTooLong);
});

test("blank lines without end are nothing to read, and comments of one line next to nothing", () => {
  const began = performance.now();
  const splitter = new SseSplitter();
  for (let i = 0; i < 20; i += 1) expect(splitter.push(Buffer.alloc(65_536, "\n"))).toEqual([]);
  for (let i = 0; i < 20; i += 1)
    expect(splitter.push(Buffer.from(":\n\n".repeat(20_000))).every(({ data }) => data === "")).toBe(true);
  expect(performance.now() - began).toBeLessThan(3_000);
  expect(collect([Buffer.from(": a\rdata: b\n\n")])).toEqual([{ event: "", data: "b" }]);
});

describe("a long event", () => {
  test("of many lines is joined once, however many pieces it comes in", () => {
    const lines = Array.from({ length: 4_000 }, (_, i) => `data: ${"x".repeat(4_000)}${i}`);
    const bytes = Buffer.from(`${lines.join("\n")}\n\ndata: next\n\n`);
    const splitter = new SseSplitter();
    const concat = vi.spyOn(Buffer, "concat");
    const events: SseEvent[] = [];
    let copied = 0;
    for (let at = 0; at < bytes.length; at += 4_096) events.push(...splitter.push(bytes.subarray(at, at + 4_096)));
    for (const { value } of concat.mock.results) copied += (value as Buffer).length;
    concat.mockRestore();
    expect(events.map(({ data }) => data.length)).toEqual([lines.join("\n").length - 6 * lines.length, 4]);
    expect(copied).toBeLessThan(3 * bytes.length);
  });

  test("has its files as they came, without reading them letter by letter", () => {
    const file = `data:image/png;base64,${"iVBORw0KGgo=".repeat(50_000)}`;
    const odd = {
      escaped: '"\\\n\u2028'.repeat(30_000),
      words: "it is no file ".repeat(30_000),
      slash: "a/b".repeat(40_000),
    };
    const value = { a: [1, { file, ...odd }], file, last: { deep: [file, file.slice(0, 100)] } };
    expect(parseJson(JSON.stringify(value))).toEqual(value);
    expect(parseJson(JSON.stringify(value).replaceAll("/", "\\/"))).toEqual(value);
    expect(withoutFiles(JSON.stringify(value)).files).toHaveLength(4);
    expect(JSON.stringify(parseJson(`{"__proto__":${JSON.stringify(file)}}`))).toContain("__proto__");
    for (const broken of [JSON.stringify(value).slice(0, -1), `{"a":"${file}`, `{"a":"${file}" "b"}`, `"${file}"}`])
      expect(() => parseJson(broken)).toThrow(SyntaxError);
  });
});
