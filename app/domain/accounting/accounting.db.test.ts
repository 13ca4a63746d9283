import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  aHold,
  aSettlement,
  type Books,
  fundedWallet,
  openBooks,
  putBudget,
  someParties,
} from "../../../tests/support/accounting";
import type { Accounting } from "./accounting";

let books: Books;
let accounting: Accounting;
let organisation = 0;

beforeAll(async () => {
  books = await openBooks();
  accounting = await books.start({ patienceMs: 200 });
});

afterAll(async () => {
  expect(await books.defects()).toEqual([]);
  await books.close();
});

/** Creates parties of an organisation that no other test uses. */
async function parties(funds: bigint, more: Parameters<typeof someParties>[1] & { exempt?: boolean } = {}) {
  organisation += 10;
  const walletId = await fundedWallet(books, funds, { organisationId: organisation, exempt: more.exempt ?? false });
  return someParties(walletId, { keyId: organisation, organisationId: organisation, ...more });
}

/** Admits a call and asserts that it is held. */
async function held<H extends Parameters<Accounting["admit"]>[0]>(call: H): Promise<H> {
  expect(await accounting.admit(call)).toEqual({ kind: "held" });
  return call;
}

const wallet = async (id: number) =>
  (
    await books.sql<{ posted: bigint; held: bigint }>("SELECT posted, held FROM ledger_account WHERE id = $1", [id])
  )[0]!;

test("a hold leaves the wallet untouched but for what it holds; settlement takes the cost and frees the rest", async () => {
  const who = await parties(1_000n);
  const call = aHold(who, 400n);
  expect(await accounting.admit(call)).toEqual({ kind: "held" });
  expect(await wallet(who.walletId)).toEqual({ posted: 1_000n, held: 400n });
  expect(await accounting.settle(aSettlement(call, 150n))).toEqual({
    chargedNanoUsd: 150n,
    repeated: false,
    durable: "database",
  });
  expect(await wallet(who.walletId)).toEqual({ posted: 850n, held: 0n });
});

test("settling twice charges once, also at the same moment", async () => {
  const who = await parties(1_000n);
  const call = aHold(who, 400n);
  await accounting.admit(call);
  const receipts = await Promise.all([1, 2, 3].map(() => accounting.settle(aSettlement(call, 150n))));
  expect(receipts.map(({ repeated }) => repeated)).toEqual([false, true, true]);
  expect(await accounting.settle(aSettlement(call, 390n))).toMatchObject({ chargedNanoUsd: 150n, repeated: true });
  expect(await wallet(who.walletId)).toEqual({ posted: 850n, held: 0n });
});

test("a cost beyond the hold is absorbed by the house", async () => {
  const who = await parties(1_000n);
  const call = aHold(who, 400n);
  await accounting.admit(call);
  expect(await accounting.settle(aSettlement(call, 500n))).toMatchObject({ chargedNanoUsd: 400n });
  const [row] = await books.sql("SELECT cost, charged FROM usage_event WHERE request_id = $1", [call.callId]);
  expect(row).toEqual({ cost: 500n, charged: 400n });
});

test("a call that was not executed is free and still in the request log", async () => {
  const who = await parties(1_000n);
  const call = aHold(who, 400n);
  await accounting.admit(call);
  const end = aSettlement(call, 77n, { outcome: "not_executed", status: 502, errorCode: "upstream_error" });
  expect(await accounting.settle(end)).toMatchObject({ chargedNanoUsd: 0n, repeated: false });
  expect(await accounting.settle(end)).toMatchObject({ chargedNanoUsd: 0n, repeated: true });
  expect(await wallet(who.walletId)).toEqual({ posted: 1_000n, held: 0n });
  const [row] = await books.sql("SELECT status, error_code FROM usage_event WHERE request_id = $1", [call.callId]);
  expect(row).toEqual({ status: 502, error_code: "upstream_error" });
});

test("every scope is held or none, and the narrowest that refuses is named", async () => {
  const who = await parties(10_000n, { userId: 501, departmentId: 502, projectId: 503 });
  await putBudget(books, "key", who.keyId, 1_000n);
  await putBudget(books, "user", 501, 800n);
  await putBudget(books, "project", 503, 500n);
  await putBudget(books, "organisation", who.organisationId, 400n);
  const refusedBy = async (amount: bigint) => {
    const verdict = await accounting.admit(aHold(who, amount));
    return verdict.kind === "refused" ? `${verdict.code} ${verdict.scope}` : verdict.kind;
  };
  expect(await refusedBy(1_001n)).toBe("budget_exceeded key");
  expect(await refusedBy(801n)).toBe("budget_exceeded user");
  expect(await refusedBy(501n)).toBe("budget_exceeded project");
  expect(await refusedBy(401n)).toBe("budget_exceeded organisation");
  const counters = await books.sql(
    "SELECT sum(held)::int AS held FROM budget_counter WHERE organisation_id IN (1, $1)",
    [who.organisationId],
  );
  expect(counters).toEqual([{ held: 0 }]);
  expect(await refusedBy(400n)).toBe("held");
});

test("a wallet that cannot pay refuses without a time to retry, and credit helps", async () => {
  const who = await parties(100n);
  expect(await accounting.admit(aHold(who, 101n))).toEqual({
    kind: "refused",
    code: "billing_limit_reached",
    scope: "wallet",
    retryAfterSeconds: null,
    shortage: { limitNanoUsd: 100n, spentNanoUsd: 0n, heldNanoUsd: 0n, freeNanoUsd: 100n, tightest: "wallet" },
  });
  await books.sql("SELECT wallet_set_credit_limit($1, 1)", [who.walletId]);
  expect(await accounting.admit(aHold(who, 101n))).toEqual({ kind: "held" });
});

test("a refusal says what its scope was measured by, and what the tightest of all scopes leaves", async () => {
  const who = await parties(250n, { userId: 511 });
  await putBudget(books, "key", who.keyId, 1_000n);
  await putBudget(books, "user", 511, 600n);
  await accounting.settle(aSettlement(await held(aHold(who, 150n)), 100n));
  await held(aHold(who, 30n));
  expect(await accounting.admit(aHold(who, 501n))).toMatchObject({
    ...{ code: "budget_exceeded", scope: "user" },
    shortage: { limitNanoUsd: 600n, spentNanoUsd: 100n, heldNanoUsd: 30n, freeNanoUsd: 120n, tightest: "wallet" },
  });
  expect(await accounting.admit(aHold(who, 121n))).toMatchObject({
    ...{ code: "billing_limit_reached", scope: "wallet", retryAfterSeconds: 2 },
    shortage: { limitNanoUsd: 150n, spentNanoUsd: 0n, heldNanoUsd: 30n, freeNanoUsd: 120n },
  });
  await held(aHold(who, 120n));
});

test("a monthly budget refuses until the first of the next month in UTC", async () => {
  const who = await parties(1_000n);
  await putBudget(books, "key", who.keyId, 10n);
  const verdict = await accounting.admit(aHold(who, 11n));
  const now = new Date();
  const reset = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  expect(verdict.kind === "refused" && Math.abs(verdict.retryAfterSeconds! - (reset - Date.now()) / 1000)).toBeLessThan(
    3,
  );
});

test("the rate window admits exactly its limit, and says when the oldest request leaves it", async () => {
  const who = await parties(1_000n);
  const verdicts = await Promise.all(
    Array.from({ length: 12 }, () => accounting.admit(aHold(who, 1n, { rateLimitRpm: 5 }))),
  );
  expect(verdicts.filter(({ kind }) => kind === "held")).toHaveLength(5);
  const refused = verdicts.find(({ kind }) => kind === "refused");
  expect(refused).toMatchObject({ code: "rate_limit_exceeded", scope: "rate" });
  expect(refused?.kind === "refused" && refused.retryAfterSeconds).toBeGreaterThan(55);
});

test("a refused call does not count in the rate window", async () => {
  const who = await parties(10n);
  await accounting.admit(aHold(who, 11n, { rateLimitRpm: 1 }));
  expect(await accounting.admit(aHold(who, 1n, { rateLimitRpm: 1 }))).toEqual({ kind: "held" });
});

test("an exempt payer without limits is booked without a hold, once, and its budgets count", async () => {
  const who = await parties(0n, { exempt: true });
  await putBudget(books, "organisation", who.organisationId, null);
  const settlement = aSettlement({ ...who, callId: randomUUID() }, 250n, { held: false });
  expect(await accounting.settle(settlement)).toMatchObject({ chargedNanoUsd: 250n, repeated: false });
  expect(await accounting.settle(settlement)).toMatchObject({ chargedNanoUsd: 250n, repeated: true });
  expect(await wallet(who.walletId)).toEqual({ posted: -250n, held: 0n });
  const [budget] = await books.sql("SELECT spent, held FROM budget_read('organisation', ARRAY[$1::int])", [
    who.organisationId,
  ]);
  expect(budget).toEqual({ spent: 250n, held: 0n });
});

test("an exempt payer with a budget is held to it, and its wallet is not asked", async () => {
  const who = await parties(0n, { exempt: true });
  await putBudget(books, "key", who.keyId, 100n);
  const call = aHold(who, 90n);
  expect(await accounting.admit(call)).toEqual({ kind: "held" });
  await accounting.settle(aSettlement(call, 90n));
  expect(await accounting.admit(aHold(who, 11n))).toMatchObject({
    kind: "refused",
    code: "budget_exceeded",
    scope: "key",
  });
  expect(await wallet(who.walletId)).toEqual({ posted: -90n, held: 0n });
});

test("what cannot be booked says so, and does not stop the others of its batch", async () => {
  const who = await parties(1_000n);
  const good = aHold(who, 100n);
  await accounting.admit(good);
  const stranger = { ...who, callId: randomUUID() };
  const results = await Promise.allSettled([
    accounting.settle(aSettlement(stranger, 5n)),
    accounting.settle(aSettlement({ ...who, callId: randomUUID() }, 5n, { held: false })),
    accounting.settle(aSettlement({ ...who, callId: "not-a-uuid" }, 5n)),
    accounting.settle(aSettlement(good, 60n, { model: 'a "model", {with} \\ NULL \u0000 \ud800', sessionId: "NULL" })),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected", "fulfilled"]);
  const causes = results.flatMap((result) =>
    result.status === "rejected" ? [String(result.reason.cause?.message)] : [],
  );
  expect(causes[0]).toBe("no hold was placed for this call");
  expect(causes[1]).toContain("exempt payers only");
  const [row] = await books.sql("SELECT model, session_id FROM usage_event WHERE request_id = $1", [good.callId]);
  expect(row).toEqual({ model: 'a "model", {with} \\ NULL  \ufffd', session_id: "NULL" });
});

test("amounts outside the domain are refused before anything happens", async () => {
  const who = await parties(1_000n);
  const bad = [
    -1n,
    2n ** 63n,
    9_200_000_000_000_000_001n,
    1,
    1.5,
    Number.NaN,
    "1",
    null,
    undefined,
    [1n],
    Number.POSITIVE_INFINITY,
  ];
  for (const amount of bad) {
    await expect(accounting.admit(aHold(who, amount as bigint))).rejects.toThrow(RangeError);
    await expect(accounting.settle(aSettlement({ ...who, callId: randomUUID() }, amount as bigint))).rejects.toThrow();
  }
  for (const tokens of [Number.NaN, -5, 1e308, Number.POSITIVE_INFINITY, -0]) {
    const call = aHold(who, 1n);
    await accounting.admit(call);
    await accounting.settle(aSettlement(call, 1n, { inputTokens: tokens, status: tokens, latencyMs: tokens }));
  }
  expect((await wallet(who.walletId)).held).toBe(0n);
});

test("a hold set aside is in review until a person resolves it; a late settlement counts too", async () => {
  const who = await parties(1_000n);
  const [first, second, third] = [aHold(who, 100n), aHold(who, 100n), aHold(who, 100n)];
  for (const call of [first, second, third]) {
    await accounting.admit(call);
    await accounting.markForReview(call.callId, "upstream_timeout");
  }
  const mine = (await accounting.listReviews()).filter(({ walletId }) => walletId === who.walletId);
  expect(mine.map(({ callId, reason }) => [callId, reason])).toContainEqual([first.callId, "upstream_timeout"]);
  expect((await wallet(who.walletId)).held).toBe(300n);
  expect(
    await accounting.resolveReview({
      callId: first.callId,
      resolution: { kind: "settle", costNanoUsd: 40n },
      actor: "ann@example.com",
      reason: "supplier's bill",
    }),
  ).toMatchObject({ chargedNanoUsd: 40n });
  expect(
    await accounting.resolveReview({
      callId: second.callId,
      resolution: { kind: "release" },
      actor: "ann@example.com",
      reason: "never arrived",
    }),
  ).toMatchObject({ chargedNanoUsd: 0n });
  await expect(
    accounting.resolveReview({
      callId: second.callId,
      resolution: { kind: "release" },
      actor: "ann@example.com",
      reason: "again",
    }),
  ).rejects.toMatchObject({ code: "conflict" });
  await expect(
    accounting.resolveReview({
      callId: randomUUID(),
      resolution: { kind: "release" },
      actor: "ann@example.com",
      reason: "?",
    }),
  ).rejects.toMatchObject({ code: "not_found" });
  expect(await accounting.settle(aSettlement(third, 70n))).toMatchObject({ chargedNanoUsd: 70n, repeated: false });
  expect(await wallet(who.walletId)).toEqual({ posted: 890n, held: 0n });
  const [row] = await books.sql("SELECT reason FROM hold WHERE id = $1", [second.callId]);
  expect(row).toEqual({ reason: "ann@example.com: never arrived" });
});

test("a call waits for money that another one holds, and goes when it comes back", async () => {
  const who = await parties(100n);
  const first = aHold(who, 80n);
  await accounting.admit(first);
  const second = accounting.admit(aHold(who, 60n));
  await accounting.settle(aSettlement(first, 10n));
  expect(await second).toEqual({ kind: "held" });
});

test("patience ends with a time to retry", async () => {
  const who = await parties(100n);
  await accounting.admit(aHold(who, 80n));
  expect(await accounting.admit(aHold(who, 60n))).toMatchObject({
    kind: "refused",
    scope: "wallet",
    retryAfterSeconds: 2,
  });
});

test("a client that leaves while it waits is let go and holds nothing", async () => {
  const who = await parties(100n);
  await accounting.admit(aHold(who, 80n));
  const abort = new AbortController();
  const waiting = accounting.admit(aHold(who, 60n), abort.signal);
  setTimeout(() => abort.abort(new Error("gone")), 60);
  await expect(waiting).rejects.toThrow("gone");
  expect((await wallet(who.walletId)).held).toBe(80n);
});

test("a waiting call does not hold up calls of other scopes, nor smaller ones that fit", async () => {
  const who = await parties(1_000n);
  await putBudget(books, "key", who.keyId, 100n);
  await accounting.admit(aHold(who, 80n));
  const waiting = accounting.admit(aHold(who, 60n));
  expect(await accounting.admit(aHold({ ...who, keyId: who.keyId + 1 }, 60n))).toEqual({ kind: "held" });
  expect(await accounting.admit(aHold(who, 15n))).toEqual({ kind: "held" });
  expect(await waiting).toMatchObject({ kind: "refused", scope: "key" });
});
