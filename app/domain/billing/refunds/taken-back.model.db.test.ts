import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { newSqlClient } from "~/connection/db.server";
import { aHold, aSettlement, someParties } from "../../../../tests/support/accounting";
import { type BillingBench, openBilling } from "../../../../tests/support/billing";
import type { Thing } from "../../../../tests/support/stand-in-processor/state";
import { Accounting } from "../../accounting/accounting";
import type { HoldRequest } from "../../accounting/shared";
import { Entitlement } from "../__fixtures__/entitlement";

// RUNS=… for more runs, SEED=… to repeat a run; fast-check prints the seed of a failure.
const RUNS = Number(process.env.RUNS ?? 40);
const CENT = 10_000_000n;
const dataDir = mkdtempSync(join(tmpdir(), "gw-taken-back-"));

let bench: BillingBench;
let full: Accounting;
let lean: Accounting;
let auditor: Awaited<ReturnType<typeof newSqlClient>>;
let promotion: number;
let histories = 0;
beforeAll(async () => {
  bench = await openBilling();
  const start = async (name: string, leanFromItems: number) => {
    const embedded = inject("testDatabases").kind === "embedded";
    const connect = () => newSqlClient();
    const accounting = new Accounting({ connect, embedded, dataDir, instance: name, leanFromItems, patienceMs: 0 });
    await accounting.start();
    return accounting;
  };
  full = await start("full", Number.POSITIVE_INFINITY);
  lean = await start("lean", 0);
  auditor = await newSqlClient();
  await auditor.query("SET plan_cache_mode = force_generic_plan; SET jit = off");
  const operator = await bench.anAdmin("platform_admin");
  const [row] = await bench.sql<{ id: number }>(
    `INSERT INTO promotion (request_id, name, amount, audience, code, limit_per_payer, created_by)
     VALUES ($1, 'P', $2, 'code', 'TAKENBACK', 1000, $3) RETURNING id`,
    [randomUUID(), 300n * CENT, operator.userId],
  );
  promotion = row!.id;
}, 120_000);
afterAll(async () => {
  await Promise.all([full?.stop(), lean?.stop(), auditor?.end()]);
  await bench?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const kinds = ["settled", "settled lean", "not executed", "released", "given back", "charged", "let go"] as const;
const amount = fc.integer({ min: 1, max: 3_000 });
const which = fc.nat(3);
const command = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("pay" as const),
      to: fc.nat(1),
      cents: fc.integer({ min: 500, max: 4_000 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant("hold" as const), of: fc.nat(1), cents: amount, all: fc.boolean() }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom(...kinds), call: which, share: fc.nat(100) }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("refund" as const), of: which, cents: amount, all: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom("refund fails" as const, "refund is cancelled" as const), of: which }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("dispute" as const, "inquiry" as const), of: which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("won" as const, "lost" as const), of: which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("gift" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("by hand" as const),
      to: fc.nat(1),
      cents: fc.integer({ min: -800, max: 800 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("merge" as const) }) },
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;
/** A refund of money that a call of a merged wallet holds, followed by a gift: the debt takes nothing of the gift. */
const HELD_BEFORE_MERGE: Command[] = [
  { kind: "pay", to: 0, cents: 500 },
  { kind: "hold", of: 0, cents: 1, all: true },
  { kind: "merge" },
  { kind: "refund", of: 0, cents: 1, all: false },
  { kind: "gift" },
  { kind: "hold", of: 0, cents: 1, all: false },
];

type Payment = {
  sessionId: string;
  to: number;
  charged: number;
  refunds: number[];
  taken: bigint;
  dispute: Thing | null;
  disputed: number;
};
type Call = { request: HoldRequest; of: number; amount: bigint };

/**
 * Two payers; the first may be merged into the second, who has the gifts. Events of the processor arrive at once, or
 * late and shuffled.
 */
class History {
  readonly payments: Payment[] = [];
  readonly calls: Call[] = [];
  readonly late: Thing[] = [];
  entitlements: [Entitlement, Entitlement] = [new Entitlement(), new Entitlement()];
  isMerged = false;

  constructor(
    readonly wallets: readonly [number, number],
    readonly isLate: boolean,
  ) {}

  /** The current owner. */
  of(payer: number): Entitlement {
    return this.entitlements[this.isMerged ? 1 : payer] as Entitlement;
  }
  walletOf(payer: number): number {
    return this.wallets[this.isMerged ? 1 : payer] as number;
  }
  /** The amount that calls in flight may take from one of the payer's wallets: after a merge there are two. */
  heldIn(walletId: number): bigint {
    return this.calls
      .filter(({ request }) => request.walletId === walletId)
      .reduce((sum, { amount }) => sum + amount, 0n);
  }
  /**
   * The amount that the payer may spend: their money, less what calls in flight may take. Calls of a merged wallet
   * cannot use a gift.
   */
  free(payer: number): bigint {
    const apart = this.isMerged ? this.heldIn(this.wallets[0]) : 0n;
    return this.of(payer).theirsBeside(apart) - this.heldIn(this.walletOf(payer));
  }

  async tell(...events: Thing[]): Promise<void> {
    if (this.isLate) this.late.push(...events);
    else for (const event of events) await bench.deliver(event);
  }

  /** Updates the returned part of a payment; late events are taken back late. */
  settleUp(payment: Payment): void {
    const back = Math.min(payment.charged, payment.refunds.reduce((sum, cents) => sum + cents, 0) + payment.disputed);
    const taken = BigInt(back) * CENT;
    this.of(payment.to).take(taken - payment.taken);
    payment.taken = taken;
  }

  async carryOut(one: Command): Promise<void> {
    const { state } = bench.processor;
    switch (one.kind) {
      case "pay": {
        const session = state.write("checkout/sessions", sessionOf(one.cents)) as Thing;
        const walletId = this.walletOf(one.to);
        await bench.sql(
          `INSERT INTO payment (id, wallet_id, organisation_id, user_id, livemode, amount, fee, subtotal_cents, session_id, state)
           SELECT $1, $2, 1, (SELECT min(id) FROM app_user), false, $3, 0, $4, $5, 'open'`,
          [session.client_reference_id, walletId, BigInt(one.cents) * CENT, one.cents, session.id],
        );
        await bench.deliver(state.pay(session.id));
        const about = { refunds: [], taken: 0n, dispute: null, disputed: 0 };
        this.payments.push({ sessionId: session.id, to: this.isMerged ? 1 : one.to, charged: one.cents, ...about });
        return this.of(one.to).come(BigInt(one.cents) * CENT);
      }
      case "hold": {
        const free = this.free(one.of);
        const wanted = one.all && free > 0n ? free : BigInt(one.cents) * CENT;
        const walletId = this.walletOf(one.of);
        const request = aHold(someParties(walletId, { keyId: walletId, organisationId: walletId }), wanted);
        const { kind } = await (one.cents % 2 === 0 ? full : lean).admit(request);
        if (!this.isLate) expect([wanted, kind]).toEqual([wanted, wanted <= free ? "held" : "refused"]);
        if (kind === "held") this.calls.push({ request, of: this.isMerged ? 1 : one.of, amount: wanted });
        return;
      }
      case "refund": {
        const payment = this.payments[one.of];
        const left = payment === undefined ? 0 : payment.charged - payment.refunds.reduce((a, b) => a + b, 0);
        const cents = one.all ? left : Math.min(one.cents, left);
        if (payment === undefined || cents === 0 || payment.dispute !== null) return;
        const before = state.events.length;
        state.refund(payment.sessionId, cents, "pending");
        payment.refunds.push(cents);
        await this.tell(...state.events.slice(0, state.events.length - before).toReversed());
        return this.settleUp(payment);
      }
      case "refund fails":
      case "refund is cancelled": {
        const payment = this.payments[one.of];
        if (payment?.refunds.pop() === undefined) return;
        await this.tell(...state.failRefund(payment.sessionId, one.kind === "refund fails" ? "failed" : "canceled"));
        return this.settleUp(payment);
      }
      case "dispute":
      case "inquiry": {
        const payment = this.payments[one.of];
        if (payment === undefined || payment.dispute !== null) return;
        const cents = payment.charged - payment.refunds.reduce((a, b) => a + b, 0);
        const isInquiry = one.kind === "inquiry";
        const opened = state.dispute(payment.sessionId, cents, isInquiry ? "warning_needs_response" : "needs_response");
        payment.dispute = opened.data.object as Thing;
        if (!isInquiry) payment.disputed = cents;
        await this.tell(opened);
        return this.settleUp(payment);
      }
      case "won":
      case "lost": {
        const payment = this.payments[one.of];
        if (payment === undefined || payment.dispute === null) return;
        const { id, status } = payment.dispute;
        const isInquiry = status.startsWith("warning_");
        await this.tell(state.closeDispute(id, isInquiry ? "warning_closed" : one.kind));
        if (!isInquiry && one.kind === "won") payment.disputed = 0;
        return this.settleUp(payment);
      }
      case "gift": {
        const [row] = await bench.sql<{ outcome: string }>(
          "SELECT promotion_give($1, $2, NULL, $3, 'test') AS outcome",
          [promotion, this.wallets[1], randomUUID()],
        );
        expect(row!.outcome).toBe("given");
        return this.entitlements[1].give(300n * CENT);
      }
      case "by hand":
        return this.correct(one.to, BigInt(one.cents) * CENT);
      case "merge":
        if (this.isMerged) return;
        await bench.sql("SELECT wallet_take_over($1, $2, true, 'test')", [...this.wallets]);
        this.entitlements[1].join(this.entitlements[0]);
        this.isMerged = true;
        return;
      default:
        return this.end(one);
    }
  }

  /** A correction takes at most the free amount. */
  async correct(payer: number, change: bigint): Promise<void> {
    if (change === 0n || (change < 0n && (this.isLate || -change > this.free(payer)))) return;
    await bench.sql("SELECT wallet_post($1, 'adjustment', $2, 'adjustment', $3, 'test', '')", [
      this.walletOf(payer),
      change,
      randomUUID(),
    ]);
    if (change > 0n) this.of(payer).come(change);
    else this.of(payer).take(-change);
  }

  async end({ kind, call, share }: { kind: (typeof kinds)[number]; call: number; share: number }): Promise<void> {
    const [ended] = this.calls.splice(call, 1);
    if (ended === undefined) return;
    const { request, of, amount: most } = ended;
    const { callId } = request;
    const cost = (most * BigInt(share)) / 100n;
    const resolve = async (resolution: Parameters<Accounting["resolveReview"]>[0]["resolution"]) => {
      await full.markForReview(callId, "unknown");
      await full.resolveReview({ callId, resolution, actor: "ann", reason: "looked it up" });
    };
    const ways: Record<(typeof kinds)[number], () => Promise<unknown>> = {
      settled: () => full.settle(aSettlement(request, cost)),
      "settled lean": () => lean.settle(aSettlement(request, cost)),
      charged: () => resolve({ kind: "settle", costNanoUsd: cost }),
      "let go": () => resolve({ kind: "release" }),
      "not executed": () => full.settle(aSettlement(request, cost, { outcome: "not_executed" })),
      released: () => bench.sql("SELECT accounting_release($1, '{dispatched}', 'unheard')", [[callId]]),
      "given back": () => bench.sql("SELECT accounting_give_back($1, '{}')", [[callId]]),
    };
    await ways[kind]();
    const isCharged = kind === "settled" || kind === "settled lean" || kind === "charged";
    // The cost of a merged payer's call is paid from the wallet that admitted it, which has no gift.
    if (isCharged) this.of(of).use(cost, { withGifts: request.walletId === this.wallets[1] });
  }

  /**
   * Compares balance, debt and free amount of each payer with the model, to the nano-dollar, and requires an audit
   * without defects.
   */
  async compare(): Promise<void> {
    expect(await defects()).toEqual([]);
    if (!this.isLate)
      for (const { payer, free } of await this.standings()) expect(free <= max(0n, this.free(payer))).toBe(true);
    await lean.settledCallsPosted();
    await full.carryToSuccessors();
    for (const { payer, free, worth } of await this.standings()) {
      if (this.isLate) continue;
      expect([max(0n, free), worth]).toEqual([max(0n, this.free(payer)), this.of(payer).worth]);
    }
  }

  async standings() {
    const payers = this.isMerged ? [1] : [0, 1];
    return Promise.all(
      payers.map(async (payer) => {
        const [row] = await bench.sql<{ free: bigint; worth: bigint }>(
          `SELECT (w.posted - w.held)::bigint AS free,
                  (sum(a.posted - CASE WHEN a.kind = 'wallet' THEN u.charged ELSE 0 END))::bigint AS worth
             FROM ledger_account w JOIN ledger_account h ON h.id = w.id OR h.heir_id = w.id
             JOIN ledger_account a ON (a.payer_kind, a.payer_id) = (h.payer_kind, h.payer_id)
             LEFT JOIN LATERAL wallet_unposted(a.id) u ON true
            WHERE w.id = $1 GROUP BY w.posted, w.held`,
          [this.walletOf(payer)],
        );
        return { payer, ...row! };
      }),
    );
  }
}

const max = (a: bigint, b: bigint) => (a > b ? a : b);
const sessionOf = (cents: number) => {
  const reference = randomUUID();
  return {
    ...{ mode: "payment", client_reference_id: reference, metadata: { gw_reference: reference } },
    ...{ success_url: "http://gw.example", line_items: { 0: { price_data: { unit_amount: String(cents) } } } },
    payment_intent_data: { metadata: { gw_reference: reference } },
  };
};
/** Planning this takes longer than executing it, so one plan serves several histories. */
const AUDIT =
  "SELECT defect, subject, detail FROM ledger_audit UNION ALL SELECT defect, subject, detail FROM promotion_audit";
const defects = async () => (await auditor.query({ name: `audit ${Math.floor(histories / 20)}`, text: AUDIT })).rows;
const shuffled = <T>(list: readonly T[]): T[] => [...list].sort(() => Math.random() - 0.5);

test("nobody spends money that was taken back, whatever calls hold meanwhile, and every cent is accounted for, in any order of events", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 4, maxLength: 16 }), fc.boolean(), async (commands, isLate) => {
      const payers = [await aWallet(), await aWallet()] as const;
      const history = new History(payers, isLate);
      for (const one of commands) {
        await history.carryOut(one);
        await history.compare();
      }
      for (const event of shuffled([...history.late, ...history.late])) await bench.deliver(event);
      for (const { payer, free, worth } of await history.standings()) {
        expect(worth).toBe(history.of(payer).worth);
        expect(free <= max(0n, history.of(payer).theirsAtMost)).toBe(true);
      }
      expect(await defects()).toEqual([]);
      histories += 1;
    }),
    {
      numRuns: RUNS,
      examples: [[HELD_BEFORE_MERGE, false]],
      ...(process.env.SEED ? { seed: Number(process.env.SEED) } : {}),
    },
  );
  expect(histories).toBeGreaterThanOrEqual(RUNS);
}, 36_000_000);

let organisations = 10_000;
async function aWallet(): Promise<number> {
  organisations += 1;
  const [row] = await bench.sql<{ id: number }>("SELECT wallet_open('organisation', $1, $1, false)::int AS id", [
    organisations,
  ]);
  return row!.id;
}
