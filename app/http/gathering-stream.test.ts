import { once } from "node:events";
import { expect, test } from "vitest";
import { GatheringStream } from "./gathering-stream";

const read = async (stream: GatheringStream): Promise<string[]> => {
  const pieces: string[] = [];
  stream.on("data", (piece: Buffer) => pieces.push(piece.toString()));
  await once(stream, "end");
  return pieces;
};

test("many small writes are few pieces, and nothing is lost", async () => {
  const stream = new GatheringStream();
  const written = Array.from({ length: 1_000 }, (_, at) => `${at} é `.repeat(40));
  const pieces = read(stream);
  for (const text of written) stream.write(text);
  stream.end();
  expect((await pieces).join("")).toBe(written.join(""));
  expect((await pieces).length).toBeLessThan(10);
});

test("what is ready is handed on when its writer says so", async () => {
  const stream = new GatheringStream();
  stream.write("head");
  stream.flush();
  expect(String(stream.read())).toBe("head");
  stream.end("tail");
  expect(await read(stream)).toEqual(["tail"]);
});
