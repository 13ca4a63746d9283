import { afterAll, beforeAll, expect, test } from "vitest";
import {
  aHold,
  aSettlement,
  type Books,
  fundedWallet,
  openBooks,
  someParties,
} from "../../../tests/support/accounting";
import type { Accounting } from "./accounting";

let books: Books;
let accounting: Accounting;
let organisation = 0;

beforeAll(async () => {
  books = await openBooks();
  accounting = await books.start({ leaseMs: 3_000 });
});

afterAll(async () => {
  expect(await books.defects()).toEqual([]);
  await books.close();
});

async function parties(funds: bigint) {
  organisation += 10;
  const walletId = await fundedWallet(books, funds, { organisationId: organisation });
  return someParties(walletId, { keyId: organisation, organisationId: organisation });
}

const statesOf = async (ids: readonly string[]) =>
  (await books.sql<{ state: string }>("SELECT state FROM hold WHERE id = ANY ($1::uuid[]) ORDER BY id", [ids])).map(
    ({ state }) => state,
  );

test("a hold that is kept outlives its lease, whoever extends leases, and is settled a day later", async () => {
  const who = await parties(1_000n);
  const [kept, left] = [aHold(who, 400n), aHold(who, 100n)];
  for (const call of [kept, left]) expect(await accounting.admit(call)).toEqual({ kind: "held" });
  expect(await accounting.keepHolds([kept.callId], 86_400)).toBe(1);
  await accounting.markForReview(left.callId, "as if its process had died");
  await books.setClock(new Date(Date.now() + 3_600_000));
  await accounting.touchHolds();
  await accounting.releaseExpiredHolds();
  expect(await statesOf([kept.callId])).toEqual(["dispatched"]);
  // Holds in review cannot be kept.
  expect(await accounting.keepHolds([kept.callId, left.callId], 86_400)).toBe(1);
  await books.setClock(new Date(Date.now() + 20 * 3_600_000));
  await accounting.releaseExpiredHolds();
  expect(await accounting.settle(aSettlement(kept, 150n))).toMatchObject({ chargedNanoUsd: 150n, repeated: false });
  expect(await accounting.settle(aSettlement(kept, 150n))).toMatchObject({ chargedNanoUsd: 150n, repeated: true });
  await accounting.settle(aSettlement(left, 0n));
});

test("an extension that was under way when a hold was handed over does not shorten its lease", async () => {
  const call = aHold(await parties(1_000n), 400n);
  await accounting.admit(call);
  await accounting.keepHolds([call.callId], 86_400);
  await books.sql(
    "SELECT accounting_touch(ARRAY[$1::uuid], ARRAY[NULL::int], ARRAY[NULL::int], ARRAY[NULL::bigint], 'late', interval '3 seconds')",
    [call.callId],
  );
  const [row] = await books.sql<{ long: boolean }>(
    "SELECT lease_until > app_now() + interval '23 hours' AS long FROM hold WHERE id = $1::uuid",
    [call.callId],
  );
  expect(row?.long).toBe(true);
  await accounting.settle(aSettlement(call, 1n));
});

test("freed holds leave no usage row and give back all they held, once", async () => {
  const who = await parties(1_000n);
  const calls = [aHold(who, 400n), aHold(who, 300n)];
  for (const call of calls) await accounting.admit(call);
  const ids = calls.map(({ callId }) => callId);
  expect(await accounting.freeHolds(ids, "not sent")).toBe(2);
  expect(await accounting.freeHolds(ids, "not sent")).toBe(0);
  expect(await statesOf(ids)).toEqual(["released", "released"]);
  expect(await books.sql("SELECT 1 FROM usage_event WHERE request_id = ANY ($1::uuid[])", [ids])).toEqual([]);
  const [wallet] = await books.sql<{ held: bigint }>("SELECT held FROM ledger_account WHERE id = $1", [who.walletId]);
  expect(wallet?.held).toBe(0n);
});

test("who is not patient is refused at once where others hold the money", async () => {
  const who = await parties(500n);
  const first = aHold(who, 400n);
  await accounting.admit(first);
  const began = performance.now();
  const verdict = await accounting.admit({ ...aHold(who, 200n), isPatient: false });
  expect(verdict).toMatchObject({ kind: "refused", code: "billing_limit_reached", scope: "wallet" });
  // Patient calls wait for ten seconds.
  expect(performance.now() - began).toBeLessThan(5_000);
  await accounting.settle(aSettlement(first, 1n));
});
