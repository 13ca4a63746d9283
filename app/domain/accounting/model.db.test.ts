import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aSettlement, type Books, openBooks, recoverAll } from "../../../tests/support/accounting";
import { openPayments, type Payments } from "../../../tests/support/payments";
import { ModelPayments, paymentCommands } from "./__fixtures__/model-payments";
import { type ModelHold, ReferenceModel } from "./__fixtures__/reference-model";
import type { Accounting } from "./accounting";
import {
  BUDGET_PERIODS,
  BUDGET_SCOPES,
  type BudgetPeriod,
  type BudgetScope,
  type HoldRequest,
  type Parties,
} from "./shared";

// Random histories compare the SQL with the reference model; the auditor runs after every command.
// SEED=… repeats a run, without the slow shrinking; RUNS=… sets the number of runs. fast-check prints a failure's seed.
const RUNS = Number(process.env.RUNS ?? 20);
const SEED = process.env.SEED === undefined ? undefined : Number(process.env.SEED);
const LEASE_MS = 60_000;
const START = Date.UTC(2026, 2, 10, 12, 30);

let books: Books;
let processor: Payments;
beforeAll(async () => {
  books = await openBooks();
  processor = await openPayments(books);
});
afterAll(() => books.close());

/** The accounting under test; every run has its own ids. */
type Real = {
  accounting: Accounting;
  leanFromItems: number;
  base: number;
  paid: ModelPayments;
  walletIds: number[];
  clockMs: number;
  setAtMs: number;
};

const now = (real: Real) => real.clockMs + (performance.now() - real.setAtMs);

async function moveClock(real: Real, byMs: number): Promise<void> {
  real.clockMs = now(real) + byMs;
  real.setAtMs = performance.now();
  await books.setClock(new Date(real.clockMs));
}

/** The parties of a call; numbers are small, so that calls share scopes. */
const someone = fc.record({
  key: fc.nat(1),
  user: fc.option(fc.nat(1)),
  department: fc.option(fc.constant(0)),
  project: fc.option(fc.constant(0)),
  wallet: fc.nat(1),
});
type Someone = typeof someone extends fc.Arbitrary<infer T> ? T : never;

function partiesOf(real: Real, model: ReferenceModel, who: Someone): Parties {
  const walletId = real.walletIds[who.wallet]!;
  const id = (part: number | null) => (part === null ? null : real.base + part);
  return {
    keyId: real.base + who.key,
    userId: id(who.user),
    departmentId: id(who.department),
    projectId: id(who.project),
    organisationId: real.base,
    walletId,
    exempt: model.wallets.get(walletId)!.exempt,
  };
}

type Step = { label: string; run: (model: ReferenceModel, real: Real) => Promise<void> };
const amount = fc.bigInt(0n, 60n);
const step = (label: string, run: Step["run"]): Step =>
  Object.assign({ label, run }, { [fc.toStringMethod]: () => label });

type Wanted = { who: Someone; amount: bigint; rpm: number | null };

async function admitAndCompare(model: ReferenceModel, real: Real, calls: readonly Wanted[]): Promise<void> {
  const requests = calls.map(
    ({ who, amount, rpm }): HoldRequest => ({
      ...partiesOf(real, model, who),
      callId: randomUUID(),
      amountNanoUsd: amount,
      rateLimitRpm: rpm,
      priceVersion: 1,
    }),
  );
  const expected = model.admit(requests, now(real), LEASE_MS);
  const got = await Promise.all(requests.map((request) => real.accounting.admit(request)));
  got.forEach((verdict, index) => {
    const want = expected[index]!;
    if (want.kind === "busy") {
      expect(verdict).toMatchObject({ kind: "refused", scope: want.scope, retryAfterSeconds: 2 });
      return;
    }
    if (want.kind === "held" || verdict.kind === "held") {
      expect(verdict.kind).toBe(want.kind);
      return;
    }
    expect([verdict.code, verdict.scope]).toEqual([want.code, want.scope]);
    if (want.scope !== "rate" && verdict.scope !== "rate") {
      const { tightest: _, ...figures } = want.shortage;
      expect(verdict.shortage).toMatchObject(figures);
    }
    expect(Math.abs((verdict.retryAfterSeconds ?? 0) - (want.retryAfterSeconds ?? 0))).toBeLessThanOrEqual(3);
  });
}

const someCalls = fc.array(fc.record({ who: someone, amount, rpm: fc.option(fc.integer({ min: 1, max: 6 })) }), {
  minLength: 1,
  maxLength: 8,
});
const shown = (value: unknown) => JSON.stringify(value, (_, each) => (typeof each === "bigint" ? Number(each) : each));

const admits = someCalls.map((calls) =>
  step(`admit ${shown(calls)}`, (model, real) => admitAndCompare(model, real, calls)),
);
/** Requests of the same event-loop tick, which share one statement: settlements first. */
const turns = fc.tuple(someCalls, fc.array(fc.tuple(fc.nat(), fc.nat(150)), { maxLength: 4 })).map(([calls, ends]) =>
  step(`settle ${shown(ends)} and admit ${shown(calls)}`, async (model, real) => {
    const known = [...model.holds];
    const settled = ends.flatMap(([pick, share]) => {
      const chosen = known[pick % Math.max(1, known.length)];
      if (chosen === undefined) return [];
      const [callId, hold] = chosen;
      return [
        settleAndCompare(
          model,
          real,
          aSettlement({ ...hold, callId }, costOf(hold, share), { startedAt: startedAt(real) }),
        ),
      ];
    });
    await Promise.all([...settled, admitAndCompare(model, real, calls)]);
  }),
);

/** Creates a command for one of the calls so far. */
function toACall(
  label: string,
  act: (hold: ModelHold, callId: string, model: ReferenceModel, real: Real, share: number) => Promise<void>,
) {
  return fc.tuple(fc.nat(), fc.nat(150)).map(([pick, share]) =>
    step(`${label} ${pick} ${share}`, async (model, real) => {
      const calls = [...model.holds];
      const chosen = calls[pick % Math.max(1, calls.length)];
      if (chosen !== undefined) await act(chosen[1], chosen[0], model, real, share);
    }),
  );
}

async function settleAndCompare(
  model: ReferenceModel,
  real: Real,
  settlement: ReturnType<typeof aSettlement>,
): Promise<void> {
  const expected = model.settle(settlement, now(real));
  const got = await real.accounting.settle(settlement).catch(() => null);
  expect(got === null ? null : { charged: got.chargedNanoUsd, repeated: got.repeated }).toEqual(expected);
}

/** Returns the cost as a percentage of the hold; above 100 it exceeds the hold. */
const costOf = (hold: ModelHold, share: number) => (hold.amount * BigInt(share)) / 100n;
const startedAt = (real: Real) => new Date(Math.floor(now(real)));

const settles = toACall("settle", (hold, callId, model, real, share) =>
  settleAndCompare(model, real, aSettlement({ ...hold, callId }, costOf(hold, share), { startedAt: startedAt(real) })),
);
const settlesTwice = toACall("settle twice", async (hold, callId, model, real, share) => {
  for (const cost of [costOf(hold, share), costOf(hold, 100)]) {
    await settleAndCompare(model, real, aSettlement({ ...hold, callId }, cost, { startedAt: startedAt(real) }));
  }
});
const releases = toACall("not executed", (hold, callId, model, real) =>
  settleAndCompare(
    model,
    real,
    aSettlement({ ...hold, callId }, 5n, { outcome: "not_executed", startedAt: startedAt(real) }),
  ),
);
const setsAside = toACall("set aside", async (_, callId, model, real) => {
  model.markForReview(callId);
  await real.accounting.markForReview(callId, "unknown");
});
const resolves = toACall("resolve", async (hold, callId, model, real, share) => {
  if (hold.state !== "review") {
    await expect(
      real.accounting.resolveReview({ callId, resolution: { kind: "release" }, actor: "ann", reason: "?" }),
    ).rejects.toMatchObject({
      code: "conflict",
    });
    return;
  }
  const isRelease = share > 100;
  const cost = isRelease ? 0n : costOf(hold, share);
  const expected = model.settle(
    aSettlement({ ...hold, callId }, cost, {
      outcome: isRelease ? "not_executed" : "recovered",
      // A call of which only the hold is known is dated by its admission.
      startedAt: new Date(Math.floor(hold.admittedAt)),
    }),
    now(real),
  );
  const resolution = isRelease ? ({ kind: "release" } as const) : ({ kind: "settle", costNanoUsd: cost } as const);
  const receipt = await real.accounting.resolveReview({ callId, resolution, actor: "ann", reason: "looked it up" });
  expect(receipt.chargedNanoUsd).toBe(expected!.charged);
});
const settlesUnheld = fc.tuple(someone, amount, fc.boolean()).map(([who, cost, held]) =>
  step(`settle without a hold ${JSON.stringify(who)} ${cost} ${held}`, async (model, real) => {
    const call = { ...partiesOf(real, model, who), callId: randomUUID() };
    await settleAndCompare(model, real, aSettlement(call, cost, { held, startedAt: startedAt(real) }));
  }),
);
const credits = fc.tuple(fc.nat(1), fc.bigInt(-80n, 150n)).map(([wallet, amount]) =>
  step(`adjust ${wallet} by ${amount}`, async (model, real) => {
    if (amount === 0n) return;
    const done = model.wallet(real.walletIds[wallet]!).post("adjustment", amount);
    const posting = books.sql("SELECT wallet_post($1, 'adjustment', $2, 'adjustment', $3, 'ann', '')", [
      real.walletIds[wallet]!,
      amount,
      randomUUID(),
    ]);
    if (done) await posting;
    else await expect(posting).rejects.toThrow("wallet_never_overdrawn");
  }),
);
const payments = paymentCommands.map(({ label, run }) => step(label, (_, real) => run(real.paid, real.walletIds)));
const creditLimits = fc.tuple(fc.nat(1), fc.bigInt(0n, 80n)).map(([wallet, limit]) =>
  step(`credit limit ${wallet} ${limit}`, async (model, real) => {
    model.wallet(real.walletIds[wallet]!).setCreditLimit(limit);
    await books.sql("SELECT wallet_set_credit_limit($1, $2)", [real.walletIds[wallet]!, limit]);
  }),
);
const budgets = fc
  .tuple(
    fc.constantFrom<BudgetScope>(...BUDGET_SCOPES),
    fc.nat(1),
    fc.option(fc.bigInt(0n, 300n)),
    fc.constantFrom<BudgetPeriod>(...BUDGET_PERIODS),
  )
  .map(([scope, part, limit, period]) =>
    step(`budget of ${scope} ${part}: ${limit} ${period}`, async (model, real) => {
      const id = scope === "organisation" ? real.base : real.base + part;
      model.setBudget(scope, id, limit, period, now(real));
      await books.sql("SELECT budget_set($1, $2, $3, $4, $5)", [real.base, scope, id, limit, period]);
    }),
  );
const exempts = fc.tuple(fc.nat(1), fc.boolean()).map(([wallet, exempt]) =>
  step(`exempt ${wallet} ${exempt}`, async (model, real) => {
    model.wallet(real.walletIds[wallet]!).markExempt(exempt);
    await books.sql("SELECT wallet_mark_exempt($1, $2, 'ann')", [real.walletIds[wallet]!, exempt]);
  }),
);
const leases = fc.constant(
  step("leases run out", async (model, real) => {
    await moveClock(real, LEASE_MS + 5_000);
    await sweep(model, real);
  }),
);
const HOURS = 3_600_000;
const jumps = fc
  .constantFrom(1, 7, 24, 24 * 20, 24 * 31, -1, -24)
  .map((hours) => step(`clock by ${hours} h`, (_, real) => moveClock(real, hours * HOURS)));
const restarts = fc.constant(
  step("restart", async (model, real) => {
    await real.accounting.stop();
    real.accounting = await startOne(real.leanFromItems);
    await sweep(model, real);
  }),
);

const sweep = async (model: ReferenceModel, real: Real) => {
  await recoverAll(real.accounting);
  model.sweep(now(real));
  for (const wallet of model.wallets.values()) wallet.recover();
};

const startOne = (leanFromItems: number) =>
  books.start({ patienceMs: 0, leaseMs: LEASE_MS, reviewMs: 1e12, leanFromItems });

async function compare(model: ReferenceModel, real: Real): Promise<void> {
  expect(await books.defects()).toEqual([]);
  for (const walletId of real.walletIds) {
    const [row] = await books.sql(
      `SELECT a.posted - u.charged AS posted, a.held - u.held AS held, credit_limit, credit_floor, exempt, owed AS lacking,
              coalesce((SELECT -r.posted FROM ledger_account r WHERE r.kind = 'receivable' AND (r.payer_kind, r.payer_id) = (a.payer_kind, a.payer_id)), 0) AS debt
         FROM ledger_account a CROSS JOIN LATERAL wallet_unposted(a.id) u WHERE a.id = $1`,
      [walletId],
    );
    const { posted, creditLimit, creditFloor, exempt, lacking, debt } = model.wallets.get(walletId)!;
    expect(row).toEqual({
      posted,
      held: model.heldIn(walletId),
      credit_limit: creditLimit,
      credit_floor: creditFloor,
      ...{ exempt, lacking, debt },
    });
  }
  for (const scope of BUDGET_SCOPES) {
    const rows = await books.sql<{ scope_id: number }>(
      "SELECT scope_id, limit_amt, period, spent, held FROM budget_read($1, $2)",
      [scope, [real.base, real.base + 1]],
    );
    for (const row of rows) {
      const budget = model.budgetOf(scope, row.scope_id)!;
      expect(row).toEqual({
        scope_id: row.scope_id,
        limit_amt: budget.limit,
        period: budget.period,
        ...model.standing(budget, now(real)),
      });
    }
  }
  const holds = await books.sql<{ id: string }>(
    "SELECT id, state, captured, absorbed FROM hold WHERE organisation_id = $1",
    [real.base],
  );
  const wanted = [...model.holds].map(([id, { state, captured, absorbed }]) => ({ id, state, captured, absorbed }));
  expect(holds.toSorted(byId)).toEqual(wanted.toSorted(byId));
}

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
const TURNS = [
  { turns: "turns that do everything", leanFromItems: Number.POSITIVE_INFINITY },
  { turns: "turns that leave the ledger for later", leanFromItems: 0 },
];
let base = 1_000;

describe.each(TURNS)("with $turns", ({ leanFromItems }) => {
  test("every history ends as the reference model says, and the books are sound after every step", async () => {
    const commands = fc.array(
      fc.oneof(
        { weight: 6, arbitrary: admits },
        { weight: 3, arbitrary: turns },
        { weight: 4, arbitrary: settles },
        { weight: 1, arbitrary: settlesTwice },
        { weight: 1, arbitrary: releases },
        { weight: 1, arbitrary: setsAside },
        { weight: 1, arbitrary: resolves },
        { weight: 1, arbitrary: settlesUnheld },
        { weight: 2, arbitrary: credits },
        { weight: 4, arbitrary: payments },
        { weight: 1, arbitrary: creditLimits },
        { weight: 2, arbitrary: budgets },
        { weight: 1, arbitrary: exempts },
        { weight: 1, arbitrary: leases },
        { weight: 1, arbitrary: jumps },
        { weight: 1, arbitrary: restarts },
      ),
      { minLength: 5, maxLength: 40, size: "max" },
    );
    await fc.assert(
      fc.asyncProperty(commands, async (steps) => {
        base += 100;
        const model = new ReferenceModel();
        const real: Real = {
          accounting: await startOne(leanFromItems),
          leanFromItems,
          base,
          paid: new ModelPayments(processor, model),
          walletIds: [],
          clockMs: START,
          setAtMs: performance.now(),
        };
        await books.setClock(new Date(START));
        for (const kind of ["organisation", "project"]) {
          const [row] = await books.sql<{ id: number }>("SELECT wallet_open($1, $2, $2, false)::int AS id", [
            kind,
            base,
          ]);
          real.walletIds.push(row!.id);
          model.openWallet(row!.id);
          model.wallet(row!.id).post("promo_expense", 200n);
          await books.sql("SELECT wallet_post($1, 'promo_expense', 200, 'promo_grant', $2, 'test', '')", [
            row!.id,
            randomUUID(),
          ]);
        }
        try {
          for (const { label, run } of steps) {
            try {
              await run(model, real);
              await compare(model, real);
            } catch (problem) {
              throw new Error(`after "${label}"`, { cause: problem });
            }
          }
        } finally {
          await real.accounting.stop();
        }
      }),
      { numRuns: RUNS, ...(SEED === undefined ? {} : { seed: SEED }) },
    );
  }, 600_000);
});
