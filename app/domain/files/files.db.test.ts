import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "~/connection/db.server";
import type { KeyOwner } from "~/domain/keys/shared";
import type { TestDatabase } from "../../../tests/support/database";
import { anOwner, openWithOwners } from "../../../tests/support/key-owners";
import {
  deleteFile,
  extendFile,
  findFile,
  finishFile,
  listFiles,
  purgeFiles,
  readFile,
  writeFile,
} from "./index.server";

let database: TestDatabase;
let owner: KeyOwner;
let stranger: KeyOwner;

beforeAll(async () => {
  ({ database, owner, stranger } = await openWithOwners());
});
afterAll(() => database.close());

async function* chunksOf(bytes: Buffer, size = 100_000) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function keep(bytes: Buffer, whose = owner, ownerBytes = Number.MAX_SAFE_INTEGER): Promise<string> {
  const written = await writeFile(db(), whose, {
    ...{ purpose: "batch", filename: "lines.jsonl", seconds: 3_600, content: chunksOf(bytes) },
    room: { bytes: bytes.length, ownerBytes },
  });
  if (written === null) throw new Error("full");
  await finishFile(db(), written);
  return written.id;
}

async function bytesOf(id: string, range: { from?: number; to?: number } = {}, whose = owner): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of readFile(db(), whose, { id, ...range })) pieces.push(piece);
  return Buffer.concat(pieces);
}

test("a file comes back as it was, whole and from any place, and is unreadable in the database", async () => {
  const bytes = Buffer.concat([randomBytes(700_000), Buffer.from("a secret question")]);
  const id = await keep(bytes);
  expect(await findFile(db(), owner, id)).toMatchObject({ bytes: bytes.length, filename: "lines.jsonl" });
  expect((await bytesOf(id)).equals(bytes)).toBe(true);
  for (const from of [1, 262_143, 262_144, 524_289, bytes.length - 1])
    expect((await bytesOf(id, { from, to: from + 300_000 })).equals(bytes.subarray(from, from + 300_000))).toBe(true);
  const rows = await db().storedFilePiece.findMany({ where: { fileId: id } });
  expect(rows).toHaveLength(3);
  expect(Buffer.concat(rows.map(({ content }) => content)).includes("a secret question")).toBe(false);
});

test("a piece that was moved or changed cannot be opened", async () => {
  const id = await keep(randomBytes(600_000));
  await db().$executeRaw`
    UPDATE stored_file_piece SET content = (SELECT content FROM stored_file_piece WHERE file_id = ${id} AND position = 1)
     WHERE file_id = ${id} AND position = 0`;
  await expect(bytesOf(id)).rejects.toMatchObject({ code: "not_found" });
});

test("an empty file is a file", async () => {
  const id = await keep(Buffer.alloc(0));
  expect(await findFile(db(), owner, id)).toMatchObject({ bytes: 0 });
  expect(await bytesOf(id)).toHaveLength(0);
});

test("for everybody else a file is not there", async () => {
  const id = await keep(Buffer.from("mine"));
  for (const other of [stranger, { ...owner, userId: stranger.userId }, { ...owner, userId: null }]) {
    expect(await findFile(db(), other, id)).toBeNull();
    expect(await deleteFile(db(), other, id)).toBe(false);
    expect((await listFiles(db(), other, { after: null, limit: 100, order: "desc", purpose: null })).files).toEqual([]);
    await expect(bytesOf(id, {}, other)).rejects.toMatchObject({ code: "not_found" });
  }
  expect(await findFile(db(), owner, id)).not.toBeNull();
});

test("lists go on behind the last one seen, in both directions", async () => {
  const whose = await anOwner("listing");
  const ids: string[] = [];
  for (let index = 0; index < 5; index += 1) ids.push(await keep(Buffer.from("x"), whose));
  const page = async (after: string | null, order: "asc" | "desc") => {
    const { files, hasMore } = await listFiles(db(), whose, { after, limit: 2, order, purpose: "batch" });
    return { ids: files.map(({ id }) => id), hasMore };
  };
  expect(await page(null, "asc")).toEqual({ ids: ids.slice(0, 2), hasMore: true });
  expect(await page(ids[1]!, "asc")).toEqual({ ids: ids.slice(2, 4), hasMore: true });
  expect(await page(ids[3]!, "asc")).toEqual({ ids: ids.slice(4), hasMore: false });
  expect(await page(ids[3]!, "desc")).toEqual({ ids: [ids[2], ids[1]], hasMore: true });
  expect(await page("file-nobodys", "desc")).toEqual({ ids: [], hasMore: false });
});

test("what is not finished is not seen, and is purged with what has expired", async () => {
  const whose = await anOwner("purging");
  const expired = await keep(Buffer.from("x"), whose);
  const content = chunksOf(Buffer.from("half"));
  const cut = await writeFile(db(), whose, { purpose: "batch_output", filename: "o", seconds: 3_600, content });
  if (cut === null) throw new Error("full");
  expect(await findFile(db(), whose, cut.id)).toBeNull();
  await db().$executeRaw`UPDATE stored_file SET expires_at = now() WHERE id = ${expired}`;
  expect(await findFile(db(), whose, expired)).toBeNull();
  expect(await purgeFiles(db(), 100)).toBe(1);
  await db().$executeRaw`UPDATE stored_file SET at = now() - interval '25 hours' WHERE id = ${cut.id}`;
  expect(await purgeFiles(db(), 100)).toBe(1);
  expect(await db().storedFilePiece.count({ where: { fileId: { in: [expired, cut.id] } } })).toBe(0);
});

test("an owner's files fit into what they may have, also when they come at once", async () => {
  const whose = await anOwner("many");
  const tries = Array.from({ length: 6 }, () => keep(Buffer.alloc(1_000), whose, 3_500));
  const done = await Promise.allSettled(tries);
  expect(done.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  for (const each of done) if (each.status === "rejected") expect(each.reason).toMatchObject({ message: "full" });
});

test("files go with their person and with their organisation, and nothing is kept for either behind that", async () => {
  const leaver = await anOwner("leavers");
  const first = await keep(Buffer.from("x"), leaver);
  await db().$executeRaw`UPDATE app_user SET status = 'deleted' WHERE id = ${leaver.userId}`;
  expect(await findFile(db(), leaver, first)).toBeNull();
  await expect(keep(Buffer.from("x"), leaver)).rejects.toMatchObject({ code: "not_found" });

  const closing = await anOwner("closers");
  const second = await keep(Buffer.from("x"), closing);
  await db().$executeRaw`UPDATE organisation SET closed_at = now() WHERE id = ${closing.organisationId}`;
  expect(await findFile(db(), closing, second)).toBeNull();
  await expect(keep(Buffer.from("x"), closing)).rejects.toMatchObject({ code: "not_found" });
});

test("keeping a file lengthens its time and never shortens it, and only for its owner", async () => {
  const id = await keep(Buffer.from("kept"));
  const end = async () => (await findFile(db(), owner, id))?.expiresAt.getTime() ?? 0;
  const before = await end();
  await extendFile(db(), owner, id, 60);
  await extendFile(db(), stranger, id, 86_400);
  expect(await end()).toBe(before);
  await extendFile(db(), owner, id, 86_400);
  expect(await end()).toBeGreaterThan(before + 80_000_000);
});

test("a page after another owner's file is empty", async () => {
  await keep(Buffer.from("mine"));
  const theirs = await keep(Buffer.from("theirs"), stranger);
  const page = { after: theirs, limit: 100, order: "desc", purpose: null } as const;
  expect((await listFiles(db(), stranger, page)).files).toEqual([]);
  expect((await listFiles(db(), owner, page)).files).toEqual([]);
  expect((await listFiles(db(), owner, { ...page, order: "asc" })).files).toEqual([]);
});
