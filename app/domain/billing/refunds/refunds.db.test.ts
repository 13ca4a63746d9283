import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { db } from "~/connection/db.server";
import { type BillingBench, openBilling } from "../../../../tests/support/billing";
import { spendFrom } from "../../../../tests/support/spend";
import type { Thing } from "../../../../tests/support/stand-in-processor/state";
import { compareEvents, readDeadEvents } from "../index.server";
import { sumClearing } from "../reconcile-store";

const USD = 1_000_000_000n;
const ALL = 1_000;
let bench: BillingBench;
beforeAll(async () => {
  bench = await openBilling();
}, 120_000);
afterAll(() => bench?.close());
const never = new AbortController().signal;

/** A payer with one payment of ten dollars, whose events are applied as they are delivered. */
async function paid() {
  const admin = await bench.anAdmin();
  const { sessionId } = await bench.aCheckout(admin, 10n);
  await bench.deliver(bench.processor.state.pay(sessionId));
  return { ...admin, sessionId };
}
/** All events that an operation causes at the processor, in chronological order. */
function told(act: () => unknown): Thing[] {
  const before = bench.processor.state.events.length;
  act();
  return bench.processor.state.events.slice(0, bench.processor.state.events.length - before).toReversed();
}
const deliver = async (events: readonly Thing[]) => {
  for (const event of events) await bench.deliver(event);
};
const standing = (walletId: number) => bench.standing(walletId);

function* permutations<T>(list: readonly T[]): Generator<T[]> {
  if (list.length < 2) yield [...list];
  for (const [at, first] of list.entries())
    for (const rest of permutations(list.toSpliced(at, 1))) yield [first, ...rest];
}

describe("a refund", () => {
  test("that fails gives the credit back, in whatever order and however often that is told", async () => {
    const { refund, failRefund } = bench.processor.state;
    for (const how of ["failed", "canceled"] as const) {
      const first = await paid();
      const story = told(() => {
        refund.call(bench.processor.state, first.sessionId, ALL, "pending");
        failRefund.call(bench.processor.state, first.sessionId, how);
      });
      expect(story.map(({ type }) => type)).toEqual([
        ...["refund.created", "charge.refunded", "refund.updated", "charge.refund.updated"],
        ...(how === "failed" ? ["refund.failed"] : []),
      ]);
      await deliver(story);
      expect(await standing(first.walletId)).toEqual({ wallet: 10n * USD, owed: 0n });
      for (const order of [...permutations(story)].filter((_, at) => at % 12 === 0)) {
        const payer = await paid();
        const own = told(() => {
          bench.processor.state.refund(payer.sessionId, ALL, "pending");
          bench.processor.state.failRefund(payer.sessionId, how);
        });
        await deliver([...order, ...order].map(({ type }) => own.find((event) => event.type === type) as Thing));
        expect(await standing(payer.walletId)).toEqual({ wallet: 10n * USD, owed: 0n });
      }
    }
    expect(await bench.defects()).toBe(0);
    expect(await readDeadEvents(db())).toEqual([]);
  }, 120_000);

  test("is taken back once it is told by itself or by its charge, and counted once", async () => {
    for (const kept of [["refund.created"], ["charge.refunded"], ["refund.created", "charge.refunded"]]) {
      const payer = await paid();
      const story = told(() => bench.processor.state.refund(payer.sessionId, 250));
      await deliver(story.filter(({ type }) => kept.includes(type)));
      expect(await standing(payer.walletId)).toEqual({ wallet: (USD * 750n) / 100n, owed: 0n });
    }
  });

  test("that fails beside others gives back its own share only, told by any one of its events", async () => {
    for (const kept of ["refund.updated", "charge.refund.updated", "refund.failed"]) {
      const payer = await paid();
      await deliver(told(() => bench.processor.state.refund(payer.sessionId, 200)));
      await deliver(told(() => bench.processor.state.refund(payer.sessionId, 300)));
      const failed = told(() => bench.processor.state.failRefund(payer.sessionId));
      await deliver(failed.filter(({ type }) => type === kept));
      expect(await standing(payer.walletId)).toEqual({ wallet: 8n * USD, owed: 0n });
      await deliver(told(() => bench.processor.state.refund(payer.sessionId, 300)));
      expect(await standing(payer.walletId)).toEqual({ wallet: 5n * USD, owed: 0n });
    }
  });

  test("known only by its charge is given back when it fails", async () => {
    const payer = await paid();
    await bench.deliver(bench.processor.state.refund(payer.sessionId, 400));
    await deliver(
      told(() => bench.processor.state.failRefund(payer.sessionId)).filter(({ type }) => type === "refund.failed"),
    );
    expect(await standing(payer.walletId)).toEqual({ wallet: 10n * USD, owed: 0n });
  });

  test("that its charge lists is known from there", async () => {
    const payer = await paid();
    const [created, charge] = told(() => bench.processor.state.refund(payer.sessionId, 400)) as [Thing, Thing];
    charge.data.object.refunds = { object: "list", data: [{ ...created.data.object, status: "failed" }] };
    charge.data.object.amount_refunded = 0;
    await bench.deliver(charge);
    await bench.deliver(created);
    expect(await standing(payer.walletId)).toEqual({ wallet: 10n * USD, owed: 0n });
  });

  test("that fails after all was spent lowers what is owed first", async () => {
    const payer = await paid();
    await spendFrom(payer.walletId, 9n * USD);
    await deliver(told(() => bench.processor.state.refund(payer.sessionId, ALL)));
    expect(await standing(payer.walletId)).toEqual({ wallet: 0n, owed: 9n * USD });
    await deliver(told(() => bench.processor.state.failRefund(payer.sessionId)));
    expect(await standing(payer.walletId)).toEqual({ wallet: USD, owed: 0n });
  });
});

describe("the daily comparison", () => {
  test("finds a refund that failed and of which nothing was delivered, and the sums agree", async () => {
    const payer = await paid();
    await deliver(told(() => bench.processor.state.refund(payer.sessionId, ALL)));
    bench.processor.state.failRefund(payer.sessionId);
    expect(await standing(payer.walletId)).toEqual({ wallet: 0n, owed: 0n });
    await compareEvents(db(), never);
    expect(await standing(payer.walletId)).toEqual({ wallet: 10n * USD, owed: 0n });
    const { clearingNanoUsd, creditedNanoUsd, chargedCents, returnedCents } = await sumClearing(db());
    expect(clearingNanoUsd).toBe(creditedNanoUsd);
    expect((chargedCents - returnedCents) * (USD / 100n)).toBe(creditedNanoUsd);
  });

  test("uses what an earlier release had written down as of no use", async () => {
    const payer = await paid();
    await deliver(told(() => bench.processor.state.refund(payer.sessionId, ALL)));
    for (const { id, type } of told(() => bench.processor.state.failRefund(payer.sessionId)))
      await bench.sql(
        "INSERT INTO processor_event (id, type, livemode, created_at, state, applied_at) VALUES ($1, $2, false, now(), 'ignored', now())",
        [id, type],
      );
    expect(await compareEvents(db(), never)).toBe(3);
    expect(await standing(payer.walletId)).toEqual({ wallet: 10n * USD, owed: 0n });
    expect(await compareEvents(db(), never)).toBe(0);
  });
});

describe("a dispute", () => {
  test("that is an inquiry only moves no money, open or closed; one that it becomes does", async () => {
    const payer = await paid();
    const { state } = bench.processor;
    const opened = state.dispute(payer.sessionId, ALL, "warning_needs_response");
    await deliver([opened, state.closeDispute(opened.data.object.id, "warning_closed")]);
    expect(await standing(payer.walletId)).toEqual({ wallet: 10n * USD, owed: 0n });
    await bench.deliver(state.closeDispute(opened.data.object.id, "lost"));
    expect(await standing(payer.walletId)).toEqual({ wallet: 0n, owed: 0n });
    expect(await bench.defects()).toBe(0);
  });
});
