import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "~/connection/db.server";
import type { Accounting } from "~/domain/accounting/accounting";
import type { HoldRequest } from "~/domain/accounting/shared";
import {
  aHold,
  aSettlement,
  type Books,
  fundedWallet,
  openBooks,
  someParties,
} from "../../../tests/support/accounting";

const DAY = 86_400_000;
const START = Date.UTC(2026, 5, 1);
const DAYS = [2, 4, null] as const;

let books: Books;
let accounting: Accounting;
let promotions: number[];
let wallets = 0;
beforeAll(async () => {
  books = await openBooks();
  accounting = await books.start();
  await books.setClock(new Date(START));
  const organisation = await db().organisation.create({ data: { name: "O", slug: "o" } });
  const admin = await db().user.create({ data: { email: "a@example.com", organisationId: organisation.id } });
  const rows = DAYS.map((days) => (days === null ? null : new Date(START + days * DAY)));
  promotions = [];
  for (const expiresAt of rows) {
    const [row] = await books.sql<{ id: number }>(
      `INSERT INTO promotion (request_id, name, amount, audience, code, limit_per_payer, expires_at, created_by)
       VALUES ($1, 'P', 100, 'code', $2, 1000, $3, $4) RETURNING id`,
      [randomUUID(), randomUUID().replaceAll("-", "").slice(0, 20).toUpperCase(), expiresAt, admin.id],
    );
    promotions.push(row!.id);
  }
}, 120_000);
afterAll(() => books?.close());

type Credit = { expires: number; left: number; spent: number; withdrawn: number; expired: number };

/** The rules of decision 040 once more, plainly: a balance, and what of it is promotional. */
class Model {
  balance = 0;
  credits: Credit[] = [];
  holds: { request: HoldRequest; amount: number; at: number }[] = [];
  now = 0;

  get held() {
    return this.holds.reduce((sum, { amount }) => sum + amount, 0);
  }
  get free() {
    return Math.max(0, this.balance - this.held);
  }
  get #soonest() {
    return this.credits.toSorted((a, b) => a.expires - b.expires || this.credits.indexOf(a) - this.credits.indexOf(b));
  }
  move(amount: number) {
    this.balance += amount;
    let over = this.credits.reduce((sum, { left }) => sum + left, 0) - Math.max(0, this.balance);
    for (const credit of this.#soonest.toReversed()) {
      const part = Math.max(0, Math.min(over, credit.left));
      credit.left -= part;
      credit.withdrawn += part;
      over -= part;
    }
  }
  give(expires: number) {
    this.credits.push({ expires, left: 100, spent: 0, withdrawn: 0, expired: 0 });
    this.move(100);
  }
  use(cost: number) {
    let due = cost;
    for (const credit of this.#soonest) {
      const part = Math.min(due, credit.left);
      credit.left -= part;
      credit.spent += part;
      due -= part;
    }
    this.balance -= cost;
  }
  expire() {
    let kept = 0;
    for (const credit of this.#soonest.filter(({ expires, left }) => expires <= this.now && left > 0)) {
      const before = this.holds.filter(({ at }) => at < credit.expires).reduce((sum, { amount }) => sum + amount, 0);
      const mayBeSpent = Math.max(0, Math.min(credit.left, before - kept));
      const part = Math.min(credit.left - mayBeSpent, this.free);
      credit.left -= part;
      credit.expired += part;
      this.balance -= part;
      kept += credit.left;
    }
  }
}

const command = fc.oneof(
  fc.record({ kind: fc.constant("pay" as const), amount: fc.integer({ min: 1, max: 300 }) }),
  fc.record({ kind: fc.constant("take back" as const), amount: fc.integer({ min: 1, max: 300 }) }),
  fc.record({ kind: fc.constant("give" as const), which: fc.nat(2) }),
  fc.record({ kind: fc.constant("hold" as const), amount: fc.integer({ min: 1, max: 120 }) }),
  fc.record({ kind: fc.constant("settle" as const), which: fc.nat(5), share: fc.integer({ min: 0, max: 100 }) }),
  fc.record({ kind: fc.constant("use" as const), amount: fc.integer({ min: 1, max: 120 }) }),
  fc.record({ kind: fc.constant("days" as const), days: fc.integer({ min: 1, max: 2 }) }),
  fc.record({ kind: fc.constant("job" as const) }),
  fc.record({ kind: fc.constant("credit" as const), limit: fc.nat(100) }),
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

async function carryOut(model: Model, walletId: number, order: Command): Promise<void> {
  const post = (amount: number, kind: string) =>
    books.sql("SELECT wallet_post($1, 'processor_clearing', $2, $3, $4, 'test', '')", [
      walletId,
      amount,
      kind,
      randomUUID(),
    ]);
  switch (order.kind) {
    case "pay":
      await post(order.amount, "topup");
      return model.move(order.amount);
    case "take back": {
      const amount = Math.min(order.amount, model.free);
      if (amount === 0) return;
      await post(-amount, "refund");
      return model.move(-amount);
    }
    case "give": {
      const days = DAYS[order.which]!;
      const [row] = await books.sql<{ outcome: string }>("SELECT promotion_give($1, $2, NULL, $3, 'test') AS outcome", [
        promotions[order.which],
        walletId,
        randomUUID(),
      ]);
      const over = days !== null && days * DAY <= model.now;
      expect(row!.outcome).toBe(over ? "over" : "given");
      return over ? undefined : model.give(days === null ? Number.POSITIVE_INFINITY : days * DAY);
    }
    case "hold":
      await hold(model, walletId, order.amount);
      return;
    case "settle": {
      const { request, amount } = model.holds[order.which] ?? {};
      if (request === undefined) return;
      const cost = Math.floor((amount! * order.share) / 100);
      await accounting.settle(aSettlement(request, BigInt(cost)));
      model.holds.splice(order.which, 1);
      return model.use(cost);
    }
    case "use": {
      const request = await hold(model, walletId, order.amount);
      if (request === null) return;
      await accounting.settle(aSettlement(request, BigInt(order.amount)));
      model.holds.pop();
      return model.use(order.amount);
    }
    case "days":
      model.now += order.days * DAY;
      return books.setClock(new Date(START + model.now));
    case "credit":
      await books.sql("SELECT wallet_set_credit_limit($1, $2)", [walletId, order.limit]);
      return;
    default:
      await books.sql("SELECT promotion_expire($1)", [walletId]);
      return model.expire();
  }
}

async function hold(model: Model, walletId: number, amount: number): Promise<HoldRequest | null> {
  const request = aHold(someParties(walletId, { keyId: walletId, organisationId: 100 + walletId }), BigInt(amount));
  // A request that would fit without the holds of others does not wait for their end here.
  const verdict = await accounting.admit(request, AbortSignal.timeout(50)).catch(() => ({ kind: "refused" }));
  if (verdict.kind !== "held") return null;
  model.holds.push({ request, amount, at: model.now });
  return request;
}

test("promotional credit is spent first, lapses as far as it is left, and adds up to the ledger, whatever happens in whatever order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 10, maxLength: 40 }), async (orders) => {
      wallets += 1;
      const walletId = await fundedWallet(books, 0n, { organisationId: 100 + wallets });
      const model = new Model();
      await books.setClock(new Date(START));
      for (const order of orders) await carryOut(model, walletId, order);
      await books.sql("SELECT promotion_attribute($1)", [walletId]);
      const rows = await books.sql(
        `SELECT remaining::int AS left, spent::int, withdrawn::int, expired::int FROM promotion_credit WHERE wallet_id = $1 ORDER BY id`,
        [walletId],
      );
      expect(rows).toEqual(model.credits.map(({ expires: _, ...credit }) => credit));
      const [wallet] = await books.sql("SELECT posted::int, held::int FROM ledger_account WHERE id = $1", [walletId]);
      expect(wallet).toEqual({ posted: model.balance, held: model.held });
      expect(await books.sql("SELECT * FROM promotion_audit")).toEqual([]);
    }),
    {
      numRuns: Number(process.env.RUNS ?? 40),
      ...(process.env.SEED ? { seed: Number(process.env.SEED) } : {}),
    },
  );
  expect(await books.defects()).toEqual([]);
}, 300_000);
