import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as audio from "../../../../tests/support/audio";
import { type AudioFormat, audioFormatOf, HEAD_BYTES } from "./audio-format";
import { audioLengthOf } from "./duration";

const fileOf = (bytes: Buffer) => ({
  size: bytes.length,
  read: async (position: number, length: number) => bytes.subarray(position, position + length),
});

const samples: [AudioFormat, Buffer, number][] = [
  ["wav", audio.wav(1.5), 1_500],
  ["wav", audio.wav(2, { claimedBytes: 0xffffffff }), 2_000],
  ["mp3", audio.mp3(50), Math.ceil(((50 * 417 * 8) / 128_000) * 1_000)],
  ["mp3", audio.mp3(20, { xing: 400 }), Math.ceil(400 * audio.MP3_FRAME_SECONDS * 1_000)],
  ["mp3", audio.mp3(20, { xing: 400, id3: true }), Math.ceil(400 * audio.MP3_FRAME_SECONDS * 1_000)],
  ["m4a", audio.m4a(61.25), 61_250],
  ["m4a", audio.m4a(7, { long: true, brand: "mp42" }), 7_000],
  ["flac", audio.flac(12), 12_000],
  ["flac", audio.flac(100_000), 100_000_000],
  ["ogg", audio.ogg(3.5), 3_500],
  ["webm", audio.webm(4.25), 4_250],
  ["webm", audio.webm(9, { streamed: true }), 9_000],
];

describe("a file is what its content says", () => {
  test.each(samples)("%s", (format, bytes) => {
    expect(audioFormatOf(bytes.subarray(0, HEAD_BYTES))).toBe(format);
  });

  test.each([
    ["a page", Buffer.from("<!doctype html><html></html>")],
    ["JSON", Buffer.from('{"a":1}')],
    ["a picture", Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 0])],
    ["another RIFF file", Buffer.from("RIFF\x00\x00\x00\x00AVI LIST")],
    ["another Matroska file", audio.webm(1, { docType: "matroska" })],
    ["a picture in the same container as M4A", audio.m4a(1, { brand: "heic" })],
    ["raw AAC", Buffer.from([0xff, 0xf1, 0x50, 0x80, 0, 0, 0, 0])],
    ["one frame header and then noise", Buffer.concat([audio.mp3(1), Buffer.alloc(20_000, 0x55)])],
    ["UTF-16 text", Buffer.from("\ufeffhello hello hello", "utf16le")],
    ["a program", Buffer.from("MZ\x90\x00\x03\x00\x00\x00\x04")],
    ["nothing", Buffer.alloc(0)],
  ])("%s is none of the six", (_name, bytes) => {
    expect(audioFormatOf(bytes.subarray(0, HEAD_BYTES))).toBeNull();
  });
});

describe("its length", () => {
  test.each(samples)("of a %s file comes from its container", async (format, bytes, milliseconds) => {
    const length = await audioLengthOf(fileOf(bytes), format);
    expect(length.milliseconds).toBe(milliseconds);
    expect(length.maxMs).toBeGreaterThanOrEqual(milliseconds);
  });

  test("a header that claims less than the file can hold does not lower what is held", async () => {
    const bytes = Buffer.concat([audio.m4a(1), Buffer.alloc(1_000_000)]);
    const length = await audioLengthOf(fileOf(bytes), "m4a");
    expect(length.milliseconds).toBe(1_000);
    expect(length.maxMs).toBeGreaterThan(1_000_000);
  });

  test("is guessed from the size where the container does not say, and never endless", async () => {
    const fragmented = Buffer.concat([audio.m4a(0), Buffer.alloc(79_000)]);
    expect((await audioLengthOf(fileOf(fragmented), "m4a")).milliseconds).toBeGreaterThan(9_000);
    const absurd = await audioLengthOf(fileOf(audio.webm(1e300)), "webm");
    expect(absurd.milliseconds).toBeLessThanOrEqual(7 * 24 * 3600 * 1000);
  });

  test("any bytes give whole numbers, and no reader runs away", async () => {
    const formats: AudioFormat[] = ["wav", "mp3", "m4a", "flac", "ogg", "webm"];
    const damaged = fc
      .tuple(fc.constantFrom(...samples), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 40 }), fc.nat(3_000))
      .map(([[format, bytes], changes, cut]) => {
        const copy = Buffer.from(bytes.subarray(0, Math.max(0, Math.min(bytes.length, 4_000) - cut)));
        for (const [at, value] of changes) if (copy.length > 0) copy[at % Math.min(200, copy.length)] = value;
        return { format, bytes: copy };
      });
    const noise = fc
      .tuple(fc.constantFrom(...formats), fc.uint8Array({ maxLength: 2_000 }))
      .map(([format, bytes]) => ({ format, bytes: Buffer.from(bytes) }));
    await fc.assert(
      fc.asyncProperty(fc.oneof(damaged, noise), async ({ format, bytes }) => {
        const length = await audioLengthOf(fileOf(bytes), format);
        expect(Number.isSafeInteger(length.milliseconds) && length.milliseconds >= 0).toBe(true);
        expect(length.maxMs).toBeGreaterThanOrEqual(length.milliseconds);
      }),
      { numRuns: 600 },
    );
  });
});
