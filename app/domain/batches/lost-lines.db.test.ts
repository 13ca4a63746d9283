import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { db } from "~/connection/db.server";
import type { Accounting } from "~/domain/accounting/accounting";
import { claimKey } from "~/domain/idempotency/index.server";
import { newestOfBatch, sumOfBatches } from "~/domain/request-log/index.server";
import {
  aHold,
  aSettlement,
  type Books,
  fundedWallet,
  openBooks,
  someParties,
} from "../../../tests/support/accounting";
import { beginBatch, createBatch, openSupplierBatch } from "./index.server";

let books: Books;
let accounting: Accounting;
let walletId: number;
let priceVersion: number;
beforeAll(async () => {
  books = await openBooks();
  setConfig(readConfig({ GW_SECRET: "a-secret-for-tests-only-0123456789abcdef", DATABASE_URL: "postgresql://x" }));
  await books.sql("INSERT INTO organisation (name, slug) VALUES ('One', 'one')");
  await books.sql("INSERT INTO supplier (name, kind, region) VALUES ('primary', 'chat', 'eu')");
  await books.sql(
    "INSERT INTO model (id, owned_by, capability, context_tokens, max_output_tokens) VALUES ('m', 'x', 'chat', 9, 9)",
  );
  await books.sql(
    "INSERT INTO model_route (model_id, supplier_id, upstream_model) SELECT 'm', id, 'm' FROM supplier WHERE name = 'primary'",
  );
  const [price] = await books.sql<{ id: number }>(
    "INSERT INTO price (route_id, input_per_mtok, output_per_mtok) SELECT id, 1000000, 2000000 FROM model_route RETURNING id::int",
  );
  priceVersion = price!.id;
  accounting = await books.start({ leaseMs: 50, reviewMs: 1 });
  walletId = await fundedWallet(books, 1_000_000n);
});
afterAll(() => books.close());

const owner = { organisationId: 1, userId: null };
async function aBatch(routeId: number | null = null) {
  const asked = { keyId: 1, inputFileId: "file-1", metadata: null, outputSeconds: null } as const;
  const batch = await createBatch(db(), owner, { ...asked, endpoint: "/v1/embeddings" });
  await beginBatch(db(), batch!.id, [{ position: 0, at: 0, bytes: 9, routeId }]);
  return batch!.id;
}

/** A line in progress as a call of gw, with the claim of its runner. */
async function line(batchId: string, position: number) {
  const call = aHold(someParties(walletId), 1_000n, { priceVersion });
  const idempotencyKey = `batch ${batchId} ${position}`;
  const claim = { keyId: 1, organisationId: 1, requestHash: Buffer.from(randomUUID()), callId: call.callId };
  expect(await claimKey(db(), { ...claim, idempotencyKey })).toEqual({ kind: "claimed" });
  await accounting.admit(call);
  return call;
}
const inLedger = async () =>
  (
    await books.sql<{ sum: bigint }>(
      "SELECT -sum(amount)::bigint AS sum FROM ledger_entry e JOIN ledger_txn t ON t.id = e.txn_id WHERE e.account_id = $1 AND t.kind = 'usage'",
      [walletId],
    )
  )[0]!.sum ?? 0n;
const costOf = async (...ids: string[]) =>
  (await sumOfBatches(db(), 1, ids)).reduce((sum, { chargedNanoUsd }) => sum + chargedNanoUsd, 0n);

test("the cost of a batch is what the ledger says, also of lines whose process crashed", async () => {
  const id = await aBatch();
  const [answered, checkpointed, decided] = [await line(id, 0), await line(id, 1), await line(id, 2)];
  await accounting.settle(aSettlement(answered, 400n, { routing: { batchId: id } }));
  accounting.checkpoint(checkpointed.callId, { inputTokens: 100, outputTokens: 50, priceVersion });
  await sleep(60);
  await accounting.touchHolds();
  await sleep(120);
  // No process extends their leases any more.
  await accounting.releaseExpiredHolds();
  // A person decides long after the claims were deleted.
  await books.sql("DELETE FROM idempotent_call");
  await accounting.settleReviewedHolds();
  await accounting.resolveReview({
    ...{ callId: decided.callId, resolution: { kind: "settle", costNanoUsd: 33n } },
    ...{ actor: "ann", reason: "the supplier's bill says so" },
  });
  await accounting.recoverSettlements();
  expect(await inLedger()).toBe(400n + 200n + 33n);
  expect(await costOf(id)).toBe(await inLedger());
  expect(await newestOfBatch(db(), { organisationId: 1, id, limit: 10 })).toHaveLength(3);
  expect(await books.defects()).toEqual([]);
});

test("so it is for a line that was in a supplier's batch, whose own batch is over when a person decides", async () => {
  const id = await aBatch(7);
  const callId = randomUUID();
  const sent = { batchId: id, routeId: 7, supplier: "primary", credential: null, priceMillionths: 500_000 };
  await openSupplierBatch(db(), { ...sent, priceVersion }, { room: { lines: 9, bytes: 99 }, newCallId: () => callId });
  const before = await inLedger();
  await accounting.admit(aHold(someParties(walletId), 1_000n, { callId, priceVersion }));
  await accounting.markForReview(callId, "the supplier never said what became of its batch");
  await books.sql("DELETE FROM batch_line");
  await accounting.resolveReview({
    ...{ callId, resolution: { kind: "settle", costNanoUsd: 21n } },
    ...{ actor: "ann", reason: "the supplier's bill says so" },
  });
  await accounting.recoverSettlements();
  expect((await inLedger()) - before).toBe(21n);
  expect(await costOf(id)).toBe(21n);
});

test("a call that is no line of a batch has none", async () => {
  const call = aHold(someParties(walletId), 1_000n, { priceVersion });
  const claim = { keyId: 1, organisationId: 1, requestHash: Buffer.from("x"), callId: call.callId };
  await claimKey(db(), { ...claim, idempotencyKey: "batch_7-0" });
  await accounting.admit(call);
  await accounting.markForReview(call.callId, "the connection broke");
  expect(await books.sql("SELECT state, batch_id FROM hold WHERE id = $1", [call.callId])).toEqual([
    { state: "review", batch_id: null },
  ]);
});
