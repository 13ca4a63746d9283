import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "~/connection/db.server";
import type { KeyOwner } from "~/domain/keys/shared";
import type { TestDatabase } from "../../../tests/support/database";
import { openWithOwners } from "../../../tests/support/key-owners";
import {
  beginBatch,
  beginCreating,
  cancelBatch,
  createBatch,
  dueLines,
  endLine,
  endSupplierBatch,
  findBatch,
  openSupplierBatch,
  openSupplierBatches,
  purgeBatches,
  recordCreated,
  refuseSupplierBatch,
  scheduleNextPoll,
  sendAsCalls,
  sentLines,
  takeBackLines,
  undoSupplierBatch,
  unsentRoutes,
} from "./index.server";

let database: TestDatabase;
let owner: KeyOwner;

beforeAll(async () => {
  ({ database, owner } = await openWithOwners());
});
afterAll(() => database.close());

/** A batch in progress with lines of ten bytes for the given routes. */
async function make(routes: readonly (number | null)[]): Promise<string> {
  const asked = { keyId: 1, inputFileId: "file-1", metadata: null, outputSeconds: null } as const;
  const batch = await createBatch(db(), owner, { ...asked, endpoint: "/v1/embeddings" });
  if (batch === null) throw new Error("too many");
  const lines = routes.map((routeId, position) => ({ position, at: position * 10, bytes: 10, routeId }));
  await beginBatch(db(), batch.id, lines);
  return batch.id;
}
const ROOM = { lines: 100, bytes: 1_000 };
const open = (batchId: string, routeId = 7, room = ROOM) =>
  openSupplierBatch(
    db(),
    { batchId, routeId, supplier: "bulk", credential: null, priceVersion: 5, priceMillionths: 500_000 },
    { room, newCallId: randomUUID },
  );
async function opened(...asked: Parameters<typeof open>) {
  const result = await open(...asked);
  if (result === null) throw new Error("nothing to send");
  return result;
}
const due = async (id: string) =>
  (await dueLines(db(), id, { except: [], limit: 100 })).map(({ position }) => position);
const end = (id: string, position: number, failed = false) => endLine(db(), id, { position, failed, content: "{}" });
const read = async (id: string) => (await findBatch(db(), owner, id))!;

test("lines for a supplier are no calls, and go to it in order, as many as have room", async () => {
  const id = await make([7, null, 7, 8, 7, 7]);
  expect(await due(id)).toEqual([1]);
  expect(await unsentRoutes(db(), id)).toEqual([7, 8]);
  const first = await opened(id, 7, { lines: 100, bytes: 25 });
  expect(first.lines.map(({ position }) => position)).toEqual([0, 2]);
  // A line that exceeds the limit is sent alone.
  const second = await opened(id, 7, { lines: 100, bytes: 5 });
  expect(second.lines.map(({ position }) => position)).toEqual([4]);
  expect((await opened(id, 7, { lines: 1, bytes: 1_000 })).lines).toHaveLength(1);
  expect(await open(id)).toBeNull();
  expect(await unsentRoutes(db(), id)).toEqual([8]);
  expect(await sentLines(db(), first.supplierBatch.id)).toEqual(first.lines);
  expect((await read(id)).processing).toMatchObject([
    { supplier: "bulk", lines: 2, status: "preparing", reason: null },
    { lines: 1 },
    { lines: 1 },
  ]);
});

test("what a supplier certainly has not got can be undone: its lines wait again, and those that ended stay ended", async () => {
  const id = await make([7, 7, 7]);
  const { supplierBatch } = await opened(id);
  await end(id, 1, true);
  await undoSupplierBatch(db(), supplierBatch.id);
  expect(await openSupplierBatches(db(), id)).toEqual([]);
  expect((await opened(id)).lines.map(({ position }) => position)).toEqual([0, 2]);
  expect(await read(id)).toMatchObject({ total: 3, failed: 1 });
});

test("a supplier that refuses gets no more of the batch: all that is left are calls", async () => {
  const id = await make([7, 7, 7, 8]);
  const { supplierBatch } = await opened(id, 7, { lines: 2, bytes: 1_000 });
  await end(id, 0, true);
  await refuseSupplierBatch(db(), supplierBatch, "It took none.");
  expect(await due(id)).toEqual([1, 2]);
  expect(await unsentRoutes(db(), id)).toEqual([8]);
  expect((await read(id)).processing).toEqual([
    { supplier: "bulk", lines: 2, status: "refused", reason: "It took none." },
  ]);
  expect(await openSupplierBatches(db(), id)).toEqual([]);
  await sendAsCalls(db(), id, 8);
  expect(await due(id)).toEqual([1, 2, 3]);
});

test("single lines are taken back, and the others are what the supplier has", async () => {
  const id = await make([7, 7, 7]);
  const { supplierBatch } = await opened(id);
  await takeBackLines(db(), supplierBatch.id, [1]);
  expect(await due(id)).toEqual([1]);
  expect(await beginCreating(db(), supplierBatch.id)).toBe(true);
  expect(await beginCreating(db(), supplierBatch.id)).toBe(false);
  await recordCreated(db(), supplierBatch.id, "batch_up");
  await recordCreated(db(), supplierBatch.id, "another");
  expect(await openSupplierBatches(db(), id)).toMatchObject([
    { state: "running", upstreamId: "batch_up", lines: 2, priceVersion: 5, priceMillionths: 500_000, isDue: true },
  ]);
  await scheduleNextPoll(db(), supplierBatch.id, 60);
  expect(await openSupplierBatches(db(), id)).toMatchObject([{ isDue: false }]);
  await endSupplierBatch(db(), supplierBatch.id);
  expect(await openSupplierBatches(db(), id)).toEqual([]);
});

test("nothing is sent for a batch that is stopped, also when it is stopped in the middle", async () => {
  const id = await make([7, 7]);
  const { supplierBatch } = await opened(id, 7, { lines: 1, bytes: 1_000 });
  await cancelBatch(db(), owner, id);
  expect(await beginCreating(db(), supplierBatch.id)).toBe(false);
  expect(await open(id)).toBeNull();
});

test("two that send at once never have the same line", async () => {
  const id = await make(Array.from({ length: 40 }, () => 7));
  const all = await Promise.all(Array.from({ length: 8 }, () => open(id, 7, { lines: 10, bytes: 1_000 })));
  const positions = await Promise.all(
    all.map(async (one) =>
      one === null ? [] : (await sentLines(db(), one.supplierBatch.id)).map(({ position }) => position),
    ),
  );
  expect(new Set(positions.flat()).size).toBe(positions.flat().length);
});

test("a batch that is deleted goes with what suppliers have of it", async () => {
  const id = await make([7, 7]);
  await opened(id);
  await db().$executeRaw`UPDATE batch SET state = 'failed', ended_at = now() - interval '40 days' WHERE id = ${id}`;
  expect(await purgeBatches(db(), 30, 10)).toBe(1);
  expect(await openSupplierBatches(db(), id)).toEqual([]);
});
