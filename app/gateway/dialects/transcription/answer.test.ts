import { describe, expect, test } from "vitest";
import { readTranscriptionAnswer } from "./answer";
import type { AnswerFormat } from "./read";

const read = (answerFormat: AnswerFormat, body: string) =>
  readTranscriptionAnswer({ answerFormat, length: { milliseconds: 4_000, maxMs: 9_000 } }, Buffer.from(body));

describe("the length of the audio", () => {
  test.each([
    ['{"text":"a","usage":{"type":"duration","seconds":5}}', 5_000, false],
    ['{"text":"a","duration":8.4701}', 8_471, false],
    ['{"text":"a","duration":"8.47"}', 8_470, false],
    ['{"text":"a","usage":{"seconds":9},"duration":8.47}', 9_000, false],
    ['{"text":"a"}', 4_000, true],
    ['{"text":"a","duration":-3}', 4_000, true],
    ['{"text":"a","duration":"1e9"}', 4_000, true],
    ['{"text":"a","duration":1e300}', 4_000, true],
  ])("%s", (body, milliseconds, estimated) => {
    const answer = read("verbose_json", body);
    expect(answer.usage).toMatchObject({ milliseconds });
    expect(answer.estimated).toBe(estimated);
  });

  test("is the file's where the supplier counts tokens", () => {
    const body = '{"text":"a","usage":{"type":"tokens","input_tokens":14,"output_tokens":45}}';
    expect(read("json", body).usage).toMatchObject({ inputTokens: 14, outputTokens: 45, milliseconds: 4_000 });
  });
});

test("plain formats are plain text and pass byte for byte", () => {
  const answer = read("srt", "1\n00:00:00,000 --> 00:00:01,000\nhi\n");
  expect(answer.contentType).toBe("text/plain; charset=utf-8");
  expect(answer.body.toString()).toContain("-->");
  expect(answer.usage).toMatchObject({ milliseconds: 4_000 });
});

test.each([
  ["json", ""],
  ["json", "not json"],
  ["json", '{"texts":"a"}'],
  ["json", '{"error":{"message":"no"}}'],
  ["text", ""],
  ["text", "<!DOCTYPE html>"],
  ["vtt", '{"error":{"message":"no"}}'],
] as const)("as %s, %j is no answer", (format, body) => {
  expect(() => read(format, body)).toThrowError(expect.objectContaining({ kind: "protocol" }));
});
