import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { db } from "~/connection/db.server";
import {
  aHold,
  aSettlement,
  type Books,
  fundedWallet,
  openBooks,
  someParties,
} from "../../../../tests/support/accounting";
import { balanceOf, openPayments, type Payments } from "../../../../tests/support/payments";
import type { Accounting } from "../../accounting/accounting";
import { readCreditGiven } from "../../accounting/index.server";
import type { HoldRequest } from "../../accounting/shared";

let books: Books;
let payments: Payments;
let full: Accounting;
let organisations = 500;
beforeAll(async () => {
  books = await openBooks();
  payments = await openPayments(books);
  full = await books.start({ patienceMs: 0, leanFromItems: Number.POSITIVE_INFINITY });
}, 120_000);
afterAll(() => books?.close());

type Payer = { walletId: number; organisationId: number };
async function aPayer(): Promise<Payer> {
  organisations += 1;
  return { walletId: await fundedWallet(books, 0n, { organisationId: organisations }), organisationId: organisations };
}
const callOf = ({ walletId, organisationId }: Payer, amount: bigint) =>
  aHold(someParties(walletId, { organisationId, keyId: organisationId }), amount);
async function hold(payer: Payer, amount: bigint, accounting = full): Promise<HoldRequest> {
  const call = callOf(payer, amount);
  expect((await accounting.admit(call)).kind).toBe("held");
  return call;
}
async function spend(payer: Payer, amount: bigint): Promise<void> {
  await full.settle(aSettlement(await hold(payer, amount), amount));
}
/**
 * Work of a process that uses lean turns, which post to the ledger later; after a rejection its next turns are full.
 */
async function leanly(work: (lean: Accounting) => Promise<unknown>): Promise<void> {
  const lean = await books.start({ patienceMs: 0, leanFromItems: 0 });
  try {
    await work(lean);
  } finally {
    await lean.stop();
  }
}
const collect = () => full.carryToSuccessors();
const byHand = (walletId: number, amount: bigint, key: string = randomUUID()) =>
  books.sql("SELECT wallet_post($1, 'adjustment', $2, 'adjustment', $3, 'ann', '')", [walletId, amount, key]);
const takeOver = (from: number, to: number) => books.sql("SELECT wallet_take_over($1, $2, true, 'ann')", [from, to]);

const setLimit = (walletId: number, limit: bigint) =>
  books.sql("SELECT wallet_set_credit_limit($1, $2)", [walletId, limit]);

/** Each kind of admission takes exactly the payer's money, and not a nano-dollar more. */
async function expectToAdmit(payer: Payer, most: bigint): Promise<void> {
  const admit = async (accounting: Accounting) => {
    if (most > 0n) {
      const call = await hold(payer, most, accounting);
      await accounting.settle(aSettlement(call, 0n, { outcome: "not_executed" }));
      await accounting.settledCallsPosted();
    }
    const refused = await accounting.admit(callOf(payer, (most > 0n ? most : 0n) + 1n));
    expect(refused).toMatchObject({ kind: "refused", scope: "wallet" });
  };
  await admit(full);
  await leanly(admit);
}

const PAID = 1_000n;
const SPENT = 60n;
const HELD = 900n;
const COST = 10n;

/** Endings of the call that is in flight while its payment is taken back, and its cost. */
type Ending = { cost: bigint; end: (call: HoldRequest) => Promise<unknown>; resume?: () => Promise<unknown> };
const endings: Record<string, Ending> = {
  "settled below its hold": { cost: COST, end: (call) => full.settle(aSettlement(call, COST)) },
  "settled in a lean turn": {
    cost: COST,
    end: (call) =>
      leanly(async (lean) => {
        await lean.settle(aSettlement(call, COST));
        await lean.settledCallsPosted();
      }),
  },
  "settled in a lean turn and not posted yet": {
    cost: COST,
    end: async (call) => {
      await books.sql(
        "CREATE TRIGGER held_back BEFORE DELETE ON unposted_turn FOR EACH ROW EXECUTE FUNCTION forbid_change()",
      );
      await leanly((lean) => lean.settle(aSettlement(call, COST)));
      expect(await books.sql("SELECT FROM unposted_turn")).toHaveLength(1);
    },
    resume: async () => {
      await books.sql("DROP TRIGGER held_back ON unposted_turn");
      await full.recoverSettlements();
    },
  },
  "settled at its whole hold": { cost: HELD, end: (call) => full.settle(aSettlement(call, HELD)) },
  "not executed": { cost: 0n, end: (call) => full.settle(aSettlement(call, 5n, { outcome: "not_executed" })) },
  released: {
    cost: 0n,
    end: ({ callId }) => books.sql("SELECT accounting_release($1, '{dispatched}', 'unheard')", [[callId]]),
  },
  "given back, as a spare hold is": {
    cost: 0n,
    end: ({ callId }) => books.sql("SELECT accounting_give_back($1, '{}')", [[callId]]),
  },
  "swept when its lease ran out, before it was dispatched": {
    cost: 0n,
    end: async ({ callId }) => {
      await books.sql("SET session_replication_role = replica");
      await books.sql("UPDATE hold SET state = 'reserved', dispatched_at = NULL, lease_until = 'epoch' WHERE id = $1", [
        callId,
      ]);
      await books.sql("SET session_replication_role = DEFAULT");
      expect(await full.releaseExpiredHolds()).toBe(1);
    },
  },
  "charged in review": { cost: COST, end: (call) => resolve(call, { kind: "settle", costNanoUsd: COST }) },
  "released in review": { cost: 0n, end: (call) => resolve(call, { kind: "release" }) },
};
async function resolve({ callId }: HoldRequest, resolution: Parameters<Accounting["resolveReview"]>[0]["resolution"]) {
  await full.markForReview(callId, "unknown");
  await full.resolveReview({ callId, resolution, actor: "ann", reason: "looked it up" });
}

/** Ways to take the payment back while the call is in flight. */
const takings: Record<string, (paymentId: string) => Promise<unknown>> = {
  refunded: (id) => payments.refund(id, PAID),
  "refunded in two parts": async (id) => {
    await payments.refund(id, 400n);
    await payments.refund(id, PAID - 400n);
  },
  "under dispute": (id) => payments.dispute(id, PAID),
};

describe.each(Object.entries(takings))("a payment that is %s while a call holds most of it", (_, take) => {
  test.each(Object.entries(endings))("gives nothing to spend when the call is %s", async (_, { cost, end, resume }) => {
    const payer = await aPayer();
    const paymentId = await payments.pay(payer.walletId, PAID);
    await spend(payer, SPENT);
    const call = await hold(payer, HELD);
    await take(paymentId);
    expect(await balanceOf(books, payer.walletId)).toMatchObject({ posted: 0n, held: HELD, debt: SPENT });
    expect(await books.defects()).toEqual([]);
    await expectToAdmit(payer, 0n);
    await end(call);
    const { posted, debt } = await balanceOf(books, payer.walletId);
    expect(posted - debt).toBe(-SPENT - cost);
    expect(await books.defects()).toEqual([]);
    await expectToAdmit(payer, 0n);
    await resume?.();
    await collect();
    expect(await balanceOf(books, payer.walletId)).toEqual({ posted: 0n, held: 0n, credit: 0n, debt: SPENT + cost });
    expect(await books.defects()).toEqual([]);
  });
});

type Owing = Payer & { paymentId: string; refundId: string };
/** A payer whose payment was taken back while a call was in flight, which used up their credit. */
async function anOwingPayer(credit = 0n): Promise<Owing & { call: HoldRequest }> {
  const payer = await aPayer();
  await setLimit(payer.walletId, credit);
  const paymentId = await payments.pay(payer.walletId, PAID);
  await spend(payer, SPENT);
  const call = await hold(payer, HELD);
  return { ...payer, paymentId, call, refundId: await payments.refund(paymentId, PAID) };
}

/** Incoming money of a wallet, and its amount. Returns the payer who then owns it. */
const inflows: Record<string, { amount: bigint; come: (payer: Owing, amount: bigint) => Promise<Payer | undefined> }> =
  {
    "a payment": { amount: 100n, come: async ({ walletId }, amount) => void (await payments.pay(walletId, amount)) },
    "a refund that fails": {
      amount: PAID,
      come: async ({ paymentId, refundId }) => void (await payments.failRefund(paymentId, refundId)),
    },
    "a credit by hand": { amount: 100n, come: async ({ walletId }, amount) => void (await byHand(walletId, amount)) },
    "a credit by hand that is repeated": {
      amount: 100n,
      come: async ({ walletId }, amount) => {
        const key = randomUUID();
        for (let turn = 0; turn < 3; turn += 1) await byHand(walletId, amount, key);
        return undefined;
      },
    },
    "a higher credit limit": {
      amount: 100n,
      come: async ({ walletId }, amount) =>
        void (await setLimit(walletId, (await balanceOf(books, walletId)).credit + amount)),
    },
    "a time without charges that ends": {
      amount: 0n,
      come: async ({ walletId }) => {
        for (const exempt of [true, false])
          await books.sql("SELECT wallet_mark_exempt($1, $2, 'ann')", [walletId, exempt]);
        return undefined;
      },
    },
    "the wallet of another, merged into this one": {
      amount: 100n,
      come: async ({ walletId }, amount) => {
        const other = await aPayer();
        await payments.pay(other.walletId, amount);
        await takeOver(other.walletId, walletId);
        return undefined;
      },
    },
    "the wallet of another, into which this one is merged": {
      amount: 100n,
      come: async ({ walletId }, amount) => {
        const other = await aPayer();
        await payments.pay(other.walletId, amount);
        await takeOver(walletId, other.walletId);
        return other;
      },
    },
    "what calls left in a wallet that was merged into this one": {
      amount: 30n,
      come: async ({ walletId }, amount) => {
        const other = await aPayer();
        await payments.pay(other.walletId, amount);
        const call = await hold(other, amount);
        await takeOver(other.walletId, walletId);
        await full.settle(aSettlement(call, 0n, { outcome: "not_executed" }));
        await collect();
        return undefined;
      },
    },
    "money that came without anybody's looking at the debt": {
      amount: 100n,
      come: async ({ walletId }, amount) => {
        await books.sql(
          `SELECT ledger_post('adjustment', $2, 'older release', '', ARRAY[$1, h.id], ARRAY[$3, -$3::bigint])
           FROM ledger_account h WHERE h.kind = 'adjustment'`,
          [walletId, randomUUID(), amount],
        );
        await collect();
        return undefined;
      },
    },
  };

describe.each([
  { when: "before the call ends", credit: 0n },
  { when: "after the call ended", credit: 0n },
  { when: "before the call ends", credit: 50n },
  { when: "after the call ended", credit: 50n },
])("$when, a payer that owes and has credit of $credit", ({ when, credit: limit }) => {
  test.each(Object.entries(inflows))("repays first from %s", async (_, { amount, come }) => {
    const { call, ...owing } = await anOwingPayer(limit);
    const isLater = when === "after the call ended";
    const end = () => full.settle(aSettlement(call, COST));
    if (isLater) await end();
    const payer = (await come(owing, amount)) ?? owing;
    expect(await books.defects()).toEqual([]);
    if (!isLater) {
      await expectToAdmit(payer, amount + limit - SPENT - HELD);
      await end();
    }
    await collect();
    const theirs = amount + limit - SPENT - COST;
    const { posted, held, credit, debt } = await balanceOf(books, payer.walletId);
    expect(posted - held + credit - debt).toBe(theirs);
    expect(posted + credit > 0n && debt > 0n).toBe(false);
    expect(await books.defects()).toEqual([]);
    await expectToAdmit(payer, theirs);
  });
});

describe("a payer that owes", () => {
  test("is taken back from down to its credit limit, and no further", async () => {
    const payer = await aPayer();
    await setLimit(payer.walletId, 50n);
    const paymentId = await payments.pay(payer.walletId, 100n);
    await spend(payer, 120n);
    await payments.refund(paymentId, 100n);
    expect(await balanceOf(books, payer.walletId)).toEqual({ posted: -50n, held: 0n, credit: 50n, debt: 70n });
    await expectToAdmit(payer, 0n);
    await payments.pay(payer.walletId, 90n);
    expect(await balanceOf(books, payer.walletId)).toEqual({ posted: -30n, held: 0n, credit: 50n, debt: 0n });
    await expectToAdmit(payer, 20n);
    expect(await books.defects()).toEqual([]);
  });

  test("cannot be corrected below what is theirs while the floor allows for calls", async () => {
    const { walletId, call } = await anOwingPayer();
    await full.settle(aSettlement(call, 0n, { outcome: "not_executed" }));
    await expect(byHand(walletId, -1n)).rejects.toThrow("wallet_never_overdrawn");
    expect(await books.sql("SELECT owed, credit_floor FROM ledger_account WHERE id = $1", [walletId])).toEqual([
      { owed: HELD, credit_floor: HELD },
    ]);
    await collect();
    expect(await books.sql("SELECT owed, credit_floor FROM ledger_account WHERE id = $1", [walletId])).toEqual([
      { owed: 0n, credit_floor: 0n },
    ]);
  });

  test("has been given no credit by that", async () => {
    const { organisationId, call } = await anOwingPayer();
    expect(await readCreditGiven(db(), organisationId)).toBe(0n);
    await full.settle(aSettlement(call, COST));
    expect(await readCreditGiven(db(), organisationId)).toBe(0n);
  });

  test("has what its payment was worth again when a dispute is won, less what was spent", async () => {
    const payer = await aPayer();
    const paymentId = await payments.pay(payer.walletId, PAID);
    const call = await hold(payer, HELD);
    const disputeId = await payments.dispute(paymentId, PAID);
    await full.settle(aSettlement(call, COST));
    await collect();
    await payments.closeDispute(paymentId, disputeId, "won");
    expect(await balanceOf(books, payer.walletId)).toMatchObject({ posted: PAID - COST, debt: 0n });
    await expectToAdmit(payer, PAID - COST);
  });

  test("is not forgiven what was taken back while it was not charged", async () => {
    const payer = await aPayer();
    const paymentId = await payments.pay(payer.walletId, PAID);
    await spend(payer, SPENT);
    await books.sql("SELECT wallet_mark_exempt($1, true, 'ann')", [payer.walletId]);
    await payments.refund(paymentId, PAID);
    await books.sql("SELECT wallet_mark_exempt($1, false, 'ann')", [payer.walletId]);
    expect(await balanceOf(books, payer.walletId)).toEqual({ posted: 0n, held: 0n, credit: 0n, debt: SPENT });
    expect(await books.defects()).toEqual([]);
  });
});

describe("a gift to a payer that owes", () => {
  const give = async (walletId: number, value: bigint) => {
    const [row] = await books.sql<{ id: number }>(
      `INSERT INTO promotion (request_id, name, amount, audience, code, limit_per_payer, created_by)
       SELECT gen_random_uuid(), 'P', $1, 'code', upper(replace(gen_random_uuid()::text, '-', '')), 1, min(id) FROM app_user RETURNING id`,
      [value],
    );
    expect(
      await books.sql("SELECT promotion_give($1, $2, NULL, $3, 'ann') AS outcome", [row!.id, walletId, randomUUID()]),
    ).toEqual([{ outcome: "given" }]);
  };

  test("can be spent and repays nothing, also where a call has just spent what was taken back", async () => {
    const { call, ...payer } = await anOwingPayer();
    await full.settle(aSettlement(call, COST));
    await give(payer.walletId, 40n);
    expect(await balanceOf(books, payer.walletId)).toMatchObject({ posted: 40n, debt: SPENT + COST });
    await collect();
    await expectToAdmit(payer, 40n);
    await spend(payer, 15n);
    await collect();
    expect(await balanceOf(books, payer.walletId)).toMatchObject({ posted: 25n, debt: SPENT + COST });
    const key = randomUUID();
    for (let turn = 0; turn < 2; turn += 1) await byHand(payer.walletId, 30n, key);
    expect(await balanceOf(books, payer.walletId)).toMatchObject({ posted: 25n, debt: SPENT + COST - 30n });
    await expectToAdmit(payer, 25n);
    expect(await books.defects()).toEqual([]);
  });

  test("is spent first, by the call that is under way too, and what is left of it is theirs", async () => {
    const { call, ...payer } = await anOwingPayer();
    await give(payer.walletId, 40n);
    await expectToAdmit(payer, 0n);
    await full.settle(aSettlement(call, COST));
    await collect();
    expect(await balanceOf(books, payer.walletId)).toMatchObject({ posted: 40n - COST, debt: SPENT });
    await expectToAdmit(payer, 40n - COST);
  });

  test("goes along with a merge, and so does the debt, which the other's money repays", async () => {
    const { call, ...owing } = await anOwingPayer();
    await full.settle(aSettlement(call, 0n, { outcome: "not_executed" }));
    await give(owing.walletId, 40n);
    const other = await aPayer();
    await payments.pay(other.walletId, 50n);
    await give(other.walletId, 5n);
    await takeOver(owing.walletId, other.walletId);
    expect(await balanceOf(books, other.walletId)).toMatchObject({ posted: 45n, debt: SPENT - 50n });
    expect(await books.defects()).toEqual([]);
    await expectToAdmit(other, 45n);
  });
});
