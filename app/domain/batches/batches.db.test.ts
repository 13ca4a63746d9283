import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "~/connection/db.server";
import type { KeyOwner } from "~/domain/keys/shared";
import type { TestDatabase } from "../../../tests/support/database";
import { anOwner, openWithOwners } from "../../../tests/support/key-owners";
import {
  beginBatch,
  beginLine,
  cancelBatch,
  createBatch,
  dueLines,
  endBatch,
  endedLines,
  endLine,
  findBatch,
  isInputInUse,
  listBatches,
  openLines,
  postponeLine,
  purgeBatches,
  refundLineAttempt,
  refuseBatch,
  stopBatch,
} from "./index.server";

let database: TestDatabase;
let owner: KeyOwner;
let stranger: KeyOwner;

beforeAll(async () => {
  ({ database, owner, stranger } = await openWithOwners());
});
afterAll(() => database.close());

const ASKED = {
  keyId: 1,
  endpoint: "/v1/embeddings",
  inputFileId: "file-1",
  metadata: null,
  outputSeconds: null,
} as const;
async function make(whose = owner, lines = 0): Promise<string> {
  const batch = await createBatch(db(), whose, ASKED);
  if (batch === null) throw new Error("too many");
  if (lines > 0) await beginBatch(db(), batch.id, linesOf(lines));
  return batch.id;
}
const linesOf = (count: number) =>
  Array.from({ length: count }, (_, position) => ({ position, at: position * 10, bytes: 9, routeId: null }));
const end = (id: string, position: number, failed = false) =>
  endLine(db(), id, { position, failed, content: `{"a secret answer":${position}}` });
const read = async (id: string, whose = owner) => (await findBatch(db(), whose, id))!;
async function contents(id: string, failed: boolean): Promise<string[]> {
  const all: string[] = [];
  for await (const line of endedLines(db(), id, failed)) all.push(line);
  return all;
}

test("a line ends once, whoever says so how often, and its answer is unreadable in the database", async () => {
  const id = await make(owner, 3);
  expect((await read(id)).state).toBe("in_progress");
  await Promise.all([end(id, 0), end(id, 0), end(id, 0, true), end(id, 1, true)]);
  const { completed, failed } = await read(id);
  expect(completed + failed).toBe(2);
  expect(failed).toBeGreaterThan(0);
  expect([...(await contents(id, false)), ...(await contents(id, true))].toSorted()).toEqual([
    ...['{"a secret answer":0}', '{"a secret answer":1}'],
  ]);
  const rows = await db().$queryRaw`SELECT content FROM batch_line WHERE batch_id = ${id}`;
  expect(JSON.stringify(rows)).not.toContain("secret");
});

test("ended, postponed and taken lines are not due", async () => {
  const id = await make(owner, 5);
  await end(id, 0);
  await postponeLine(db(), id, { position: 1, seconds: 60 });
  const due = await dueLines(db(), id, { except: [2], limit: 10 });
  expect(due.map(({ position }) => position)).toEqual([3, 4]);
  expect(due[0]).toEqual({ position: 3, at: 30, bytes: 9, tries: 0, begun: false });
});

test("no line is begun of a batch that is cancelled, stopped or over its day", async () => {
  const [cancelled, stopped, expired] = [await make(owner, 1), await make(owner, 1), await make(owner, 1)];
  await cancelBatch(db(), owner, cancelled);
  await stopBatch(db(), stopped, { outcome: "failed", errors: null });
  await db().$executeRaw`UPDATE batch SET expires_at = now() WHERE id = ${expired}`;
  for (const id of [cancelled, stopped, expired]) expect(await beginLine(db(), id, 0)).toBe(false);
  const running = await make(owner, 1);
  expect(await beginLine(db(), running, 0)).toBe(true);
  expect(await openLines(db(), running, { after: -1, limit: 5, begun: true })).toMatchObject([
    { tries: 1, begun: true },
  ]);
  await refundLineAttempt(db(), running, 0);
  expect(await openLines(db(), running, { after: -1, limit: 5, begun: true })).toMatchObject([{ tries: 0 }]);
});

test("of two that end a batch one does, and its lines go with it", async () => {
  const id = await make(owner, 2);
  await end(id, 0);
  await end(id, 1);
  expect(await stopBatch(db(), id, { outcome: "completed", errors: null })).toBe(true);
  expect(await stopBatch(db(), id, { outcome: "failed", errors: null })).toBe(false);
  expect(await cancelBatch(db(), owner, id).catch(({ message }) => message)).toBe(
    "conflict - This batch is over: there is nothing to cancel.",
  );
  const files = { outputFileId: "file-2", errorFileId: null };
  expect(await endBatch(db(), id, files)).toBe(true);
  expect(await endBatch(db(), id, files)).toBe(false);
  expect(await read(id)).toMatchObject({ state: "completed", outputFileId: "file-2", completed: 2 });
  expect(await db().batchLine.count({ where: { batchId: id } })).toBe(0);
});

test("a batch that was cancelled while its file was checked is neither begun nor refused", async () => {
  const id = await make();
  await cancelBatch(db(), owner, id);
  await beginBatch(db(), id, linesOf(3));
  await refuseBatch(db(), id, []);
  expect(await read(id)).toMatchObject({ state: "cancelling", total: 0 });
  expect(await db().batchLine.count({ where: { batchId: id } })).toBe(0);
});

test("for everybody else a batch is not there", async () => {
  const whose = await anOwner("alone");
  const id = await make(whose);
  expect(await isInputInUse(db(), whose, "file-1")).toBe(true);
  for (const other of [stranger, { ...whose, userId: stranger.userId }, { ...whose, userId: null }]) {
    expect(await findBatch(db(), other, id)).toBeNull();
    expect(await cancelBatch(db(), other, id)).toBeNull();
    expect((await listBatches(db(), other, { after: null, limit: 100 })).batches).toEqual([]);
    expect(await isInputInUse(db(), other, "file-1")).toBe(false);
  }
  expect((await listBatches(db(), whose, { after: null, limit: 1 })).batches).toMatchObject([
    { id, state: "validating" },
  ]);
});

test("an owner has fifty batches under way at most, also when they come at once", async () => {
  const whose = await anOwner("many");
  const made = await Promise.all(Array.from({ length: 55 }, () => createBatch(db(), whose, ASKED)));
  expect(made.filter((batch) => batch !== null)).toHaveLength(50);
});

test("batches go with their person, with their organisation, and a month after their end", async () => {
  const leaver = await anOwner("leavers");
  const first = await make(leaver, 2);
  await db().$executeRaw`UPDATE app_user SET status = 'deleted' WHERE id = ${leaver.userId}`;
  expect(await findBatch(db(), leaver, first)).toBeNull();
  expect(await db().batchLine.count({ where: { batchId: first } })).toBe(0);
  await expect(make(leaver)).rejects.toMatchObject({ code: "not_found" });
  const closing = await anOwner("closers");
  const second = await make(closing);
  await db().$executeRaw`UPDATE organisation SET closed_at = now() WHERE id = ${closing.organisationId}`;
  expect(await findBatch(db(), closing, second)).toBeNull();
  const old = await make();
  await refuseBatch(db(), old, [{ code: "invalid_json", message: "m", param: null, line: 1 }]);
  await db().$executeRaw`UPDATE batch SET ended_at = now() - interval '31 days' WHERE id = ${old}`;
  expect(await purgeBatches(db(), 30, 100)).toBe(1);
  expect(await findBatch(db(), owner, old)).toBeNull();
});
