import { describe, expect, test } from "vitest";
import type { Route } from "~/domain/catalogue/shared";
import { readSpeechAnswer, SpeechReader } from "./answer";
import { forwardSpeech } from "./forward";
import { speechDialect } from "./index";
import { readSpeech } from "./read";

const read = (body: Record<string, unknown> = {}) =>
  readSpeech(JSON.stringify({ model: "s", input: "hello", ...body }));
const codeOf = (body: Record<string, unknown>) => {
  try {
    read(body);
    return "accepted";
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe("requests", () => {
  test("name the format to the supplier, mp3 unless told otherwise, and the client gets that media type", () => {
    expect(
      JSON.parse(
        forwardSpeech(read({ voice: "v", region: "eu" }), { upstreamModel: "up", supplier: { kind: "chat" } } as Route),
      ),
    ).toEqual({
      model: "up",
      input: "hello",
      voice: "v",
      response_format: "mp3",
    });
    expect(speechDialect.streamHeaders!(read())["content-type"]).toBe("audio/mpeg");
    expect(speechDialect.streamHeaders!(read({ response_format: "wav" }))["content-type"]).toBe("audio/wav");
  });

  test("count characters as people do", () => {
    expect(read({ input: "a😀é" }).size.characters).toBe(3);
    expect(codeOf({ input: "😀".repeat(4_096) })).toBe("accepted");
    expect(codeOf({ input: "😀".repeat(4_097) })).toBe("invalid_request");
  });

  test.each([
    [{ model: undefined }, "missing_model"],
    [{ model: "auto" }, "unsupported_auto_mode"],
    [{ input: undefined }, "missing_fields"],
    [{ input: "" }, "invalid_request"],
    [{ input: ["a"] }, "invalid_request"],
    [{ input: "a".repeat(4_096) }, "accepted"],
    [{ input: "a".repeat(4_097) }, "invalid_request"],
    [{ voice: "" }, "invalid_request"],
    [{ voice: 7 }, "invalid_request"],
    [{ response_format: "opus" }, "invalid_request"],
    [{ response_format: null }, "accepted"],
    [{ speed: 0.25 }, "accepted"],
    [{ speed: 4 }, "accepted"],
    [{ speed: 0.24 }, "invalid_request"],
    [{ speed: 4.01 }, "invalid_request"],
    [{ speed: "1" }, "invalid_request"],
    [{ stream_format: "sse" }, "unsupported_parameter"],
    [{ stream_format: "audio" }, "accepted"],
  ])("%j is %s", (body, code) => expect(codeOf(body)).toBe(code));
});

describe("answers", () => {
  const source = { characters: 5 };

  test("pass as they come and cost what went in", () => {
    const reader = new SpeechReader(source);
    expect(reader.end()).toBe(false);
    expect(reader.push(Buffer.alloc(0))).toBeNull();
    const chunk = Buffer.from("ID3 and sound");
    expect(reader.push(chunk)).toBe(chunk);
    expect(reader.started).toBe(true);
    expect(reader.push(Buffer.from("{"))?.toString()).toBe("{");
    expect(reader.end()).toBe(true);
    expect(reader.usage).toMatchObject({ characters: 5, inputTokens: 0 });
  });

  test("that begin like an error object or a page are none", () => {
    for (const text of ['{"error":1}', "<html>"]) {
      const reader = new SpeechReader(source);
      expect(reader.push(Buffer.from(text))).toBeNull();
      expect(reader.state).toBe("failed");
    }
    const whole = (body: string) => () => readSpeechAnswer(source, Buffer.from(body));
    expect(whole("")).toThrowError(expect.objectContaining({ kind: "protocol" }));
    expect(whole("<html>")).toThrowError(expect.objectContaining({ kind: "protocol" }));
    expect(whole('{"error":{"code":"c","message":"m"}}')).toThrowError(
      expect.objectContaining({ supplierCode: "c", message: "m" }),
    );
  });
});
