import { expect, test } from "vitest";
import { splitLines } from "./split-lines";

async function* pieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function split(bytes: Buffer, size: number, maxBytes = 100) {
  const found = [];
  for await (const line of splitLines(pieces(bytes, size), maxBytes)) found.push(line);
  return found;
}

test("lines are the same however their file comes, and stand where they are said to", async () => {
  const bytes = Buffer.from('{"a":"é"}\r\n\n  \n{"b":1}\n\n{"c":"€"}');
  const whole = await split(bytes, 1_000);
  expect(whole.map(({ text }) => text?.trim())).toEqual(['{"a":"é"}', '{"b":1}', '{"c":"€"}']);
  expect(whole.map(({ number }) => number)).toEqual([1, 4, 6]);
  for (const { at, bytes: length, text } of whole) expect(bytes.subarray(at, at + length).toString()).toBe(text);
  for (const size of [1, 2, 3, 7]) expect(await split(bytes, size)).toEqual(whole);
});

test("a line that is too long or no UTF-8 has no text, and those behind it stand where they should", async () => {
  const long = Buffer.concat([
    Buffer.alloc(101, "x"),
    Buffer.from("\nshort\n"),
    Buffer.from([0xff, 10]),
    Buffer.from("end"),
  ]);
  for (const size of [1, 10, 1_000]) {
    expect(await split(long, size)).toEqual([
      { number: 1, at: 0, bytes: 101, text: null },
      { number: 2, at: 102, bytes: 5, text: "short" },
      { number: 3, at: 108, bytes: 1, text: null },
      { number: 4, at: 110, bytes: 3, text: "end" },
    ]);
  }
});

test("a file without a line has none", async () => {
  expect(await split(Buffer.from("\n \n"), 1)).toEqual([]);
  expect(await split(Buffer.alloc(0), 1)).toEqual([]);
});

test("a byte order mark in front of a file is no part of its first line", async () => {
  const bytes = Buffer.from('\ufeff{"a":1}\n\ufeff{"b":2}');
  for (const size of [1, 2, 5, 100]) {
    expect(await split(bytes, size)).toEqual([
      { number: 1, at: 3, bytes: 7, text: '{"a":1}' },
      { number: 2, at: 11, bytes: 10, text: '\ufeff{"b":2}' },
    ]);
  }
  expect(await split(Buffer.from("\ufeff\n{}"), 1)).toEqual([{ number: 2, at: 4, bytes: 2, text: "{}" }]);
});
