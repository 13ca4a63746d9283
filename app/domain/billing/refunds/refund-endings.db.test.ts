import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "~/connection/db.server";
import { type BillingBench, openBilling } from "../../../../tests/support/billing";
import type { Thing } from "../../../../tests/support/stand-in-processor/state";
import { compareEvents, readDeadEvents } from "../index.server";

const CENT = 10_000_000n;
const PAID_CENTS = 1_059;
let bench: BillingBench;
beforeAll(async () => {
  bench = await openBilling();
}, 120_000);
afterAll(() => bench?.close());

type Ending =
  | "arrives"
  | "pending"
  | "pending, arrives"
  | "waits, is cancelled"
  | "fails"
  | "arrives, then fails"
  | "is cancelled";
type Refund = readonly [cents: number, ending: Ending];

/** Whether the customer has the money, or it is in progress. */
const isGone = (ending: Ending): boolean => ["arrives", "pending", "pending, arrives"].includes(ending);

/** Performs refunds, all of which begin before any ends; returns their events in chronological order. */
function carryOut(sessionId: string, refunds: readonly Refund[]): Thing[] {
  const { state } = bench.processor;
  const before = state.events.length;
  const ids = refunds.map(([cents, ending]) => {
    const first = ending.startsWith("arrives")
      ? "succeeded"
      : ending.startsWith("waits")
        ? "requires_action"
        : "pending";
    state.refund(sessionId, cents, first);
    return state.events[1]?.data.object.id as string;
  });
  for (const [at, [, ending]] of refunds.entries()) {
    const id = ids[at] as string;
    if (ending === "pending, arrives") state.completeRefund(id);
    if (ending.endsWith("fails")) state.failRefund(sessionId, "failed", id);
    if (ending.endsWith("cancelled")) state.failRefund(sessionId, "canceled", id);
  }
  return state.events.slice(0, state.events.length - before).toReversed();
}

const STORIES: readonly (readonly Refund[])[] = [
  [[PAID_CENTS, "arrives"]],
  [[PAID_CENTS, "fails"]],
  [[PAID_CENTS, "is cancelled"]],
  [[PAID_CENTS, "waits, is cancelled"]],
  [[PAID_CENTS, "arrives, then fails"]],
  [[400, "pending"]],
  [[400, "pending, arrives"]],
  [
    [200, "arrives"],
    [300, "fails"],
    [100, "pending, arrives"],
  ],
  [
    [200, "fails"],
    [200, "arrives"],
    [200, "is cancelled"],
  ],
  [
    [500, "fails"],
    [559, "arrives, then fails"],
  ],
  [
    [500, "arrives"],
    [559, "waits, is cancelled"],
  ],
];

/** Orders of delivery: chronological, reversed, and twice. */
const DELIVERIES: Readonly<Record<string, (story: Thing[]) => Thing[]>> = {
  "as they happened": (story) => story,
  backwards: (story) => story.toReversed(),
  twice: (story) => [...story, ...story.toReversed()],
};

test.each(
  STORIES.map((refunds) => [refunds.map(([cents, ending]) => `${cents} ${ending}`).join("; "), refunds] as const),
)(
  "of a payment, the customer has back what was not refused on its way: %s",
  async (_, refunds) => {
    const goneCents = refunds.filter(([, ending]) => isGone(ending)).reduce((sum, [cents]) => sum + cents, 0);
    const standings: Record<string, bigint> = {};
    for (const [how, order] of Object.entries(DELIVERIES)) {
      const admin = await bench.anAdmin();
      const { sessionId } = await bench.aCheckout(admin, 10n);
      await bench.deliver(bench.processor.state.pay(sessionId));
      for (const event of order(carryOut(sessionId, refunds))) await bench.deliver(event);
      const { wallet, owed } = await bench.standing(admin.walletId);
      standings[how] = wallet - owed;
    }
    // The fee is part of the paid amount, and is returned in proportion to the credit.
    const expected = creditLeft(goneCents);
    expect(standings).toEqual(Object.fromEntries(Object.keys(DELIVERIES).map((how) => [how, expected])));
    expect(await bench.defects()).toBe(0);
    expect(await readDeadEvents(db())).toEqual([]);
  },
  60_000,
);

test("what nobody delivered is found by the comparison, whatever the endings", async () => {
  const admin = await bench.anAdmin();
  const { sessionId } = await bench.aCheckout(admin, 10n);
  await bench.deliver(bench.processor.state.pay(sessionId));
  carryOut(sessionId, [
    [200, "arrives"],
    [300, "fails"],
    [100, "waits, is cancelled"],
  ]);
  await compareEvents(db(), new AbortController().signal);
  expect(await bench.standing(admin.walletId)).toEqual({ wallet: creditLeft(200), owed: 0n });
});

/** Refunds reduce the credit first, cent by cent; for a credit of $10 that cost $10.59. */
function creditLeft(goneCents: number): bigint {
  const left = 1_000 - goneCents;
  return left > 0 ? BigInt(left) * CENT : 0n;
}
