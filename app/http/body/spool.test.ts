import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Spool } from "./spool";

let folder: string;
let spool: Spool;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "spool-"));
  spool = await Spool.open(join(folder, "uploads"));
});
afterEach(async () => {
  await spool.close();
  await rm(folder, { recursive: true });
});

async function collected(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const copies: Buffer[] = [];
  for await (const piece of pieces) copies.push(Buffer.from(piece));
  return Buffer.concat(copies);
}

test("gives back what was written, as often as it is asked and by several readers at a time", async () => {
  const bytes = Buffer.from(Array.from({ length: 700_000 }, (_, index) => (index * 31) % 251));
  for (let at = 0; at < bytes.length; at += 65_536) await spool.append(bytes.subarray(at, at + 65_536));
  expect(spool.size).toBe(bytes.length);
  const both = await Promise.all([collected(spool.pieces()), collected(spool.pieces())]);
  for (const copy of both) expect(copy.equals(bytes)).toBe(true);
  expect((await spool.read(10, 20)).equals(bytes.subarray(10, 30))).toBe(true);
  expect(await spool.read(bytes.length - 5, 20)).toHaveLength(5);
  expect(await spool.read(bytes.length + 5, 20)).toHaveLength(0);
});

test("a piece stays as it is until two more have been taken", async () => {
  await spool.append(Buffer.alloc(128 * 1024, 1));
  await spool.append(Buffer.alloc(128 * 1024, 2));
  const pieces = spool.pieces();
  const first = (await pieces.next()).value as Buffer;
  await pieces.next();
  expect(first.every((byte) => byte === 1)).toBe(true);
});

test("has no name on the disk, so nothing is left behind by a process that dies", async () => {
  await spool.append(Buffer.from("secret"));
  expect(await readdir(join(folder, "uploads"))).toEqual([]);
});

test("closing twice is closing once, and a reader that is late fails", async () => {
  await spool.append(Buffer.from("text"));
  await spool.close();
  await spool.close();
  await expect(collected(spool.pieces())).rejects.toThrow();
});
