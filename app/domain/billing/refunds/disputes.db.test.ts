import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { db } from "~/connection/db.server";
import { type BillingBench, openBilling } from "../../../../tests/support/billing";
import type { Thing } from "../../../../tests/support/stand-in-processor/state";
import { applyDueEvents, readDeadEvents } from "../index.server";

const USD = 1_000_000_000n;
let bench: BillingBench;
beforeAll(async () => {
  bench = await openBilling();
}, 120_000);
afterAll(() => bench?.close());

async function aPayment() {
  const admin = await bench.anAdmin();
  const { id, sessionId } = await bench.aCheckout(admin, 10n);
  await bench.deliver(bench.processor.state.pay(sessionId));
  return { id, sessionId, standing: () => bench.standing(admin.walletId) };
}

describe("an inquiry", () => {
  test("moves no money, however it goes on, in any order of its events", async () => {
    const { state } = bench.processor;
    for (const isReversed of [false, true]) {
      const { sessionId, standing } = await aPayment();
      const opened = state.dispute(sessionId, 1_000, "warning_needs_response");
      const { id } = opened.data.object as Thing;
      const events = [
        opened,
        state.moveDispute(id, "warning_under_review", "charge.dispute.updated"),
        state.closeDispute(id, "warning_closed"),
      ];
      for (const event of isReversed ? events.reverse() : events) {
        await bench.deliver(event);
        expect(await standing()).toEqual({ wallet: 10n * USD, owed: 0n });
      }
    }
    expect(await bench.defects()).toBe(0);
  });

  test("that becomes a dispute takes the money back from then on, also when its first news comes last", async () => {
    const { state } = bench.processor;
    const { sessionId, standing } = await aPayment();
    const asked = state.dispute(sessionId, 1_000, "warning_needs_response");
    await bench.deliver(asked);
    expect(await standing()).toEqual({ wallet: 10n * USD, owed: 0n });
    const withdrawn = state.moveDispute(
      (asked.data.object as Thing).id,
      "needs_response",
      "charge.dispute.funds_withdrawn",
    );
    await bench.deliver(withdrawn);
    expect(await standing()).toEqual({ wallet: 0n, owed: 0n });
    await bench.deliver(asked);
    expect(await standing()).toEqual({ wallet: 0n, owed: 0n });
  });
});

test("a warning of fraud moves no money", async () => {
  const { sessionId, standing } = await aPayment();
  await bench.deliver(bench.processor.state.warnOfFraud(sessionId));
  expect(await standing()).toEqual({ wallet: 10n * USD, owed: 0n });
});

test.each(["charge.dispute.funds_reinstated", "charge.dispute.updated", "charge.dispute.closed"])(
  "a dispute that was won returns the money, whichever event says so: %s",
  async (type) => {
    const { state } = bench.processor;
    const { sessionId, standing } = await aPayment();
    const opened = state.dispute(sessionId, 1_000);
    await bench.deliver(opened);
    expect(await standing()).toEqual({ wallet: 0n, owed: 0n });
    await bench.deliver(state.moveDispute((opened.data.object as Thing).id, "won", type));
    expect(await standing()).toEqual({ wallet: 10n * USD, owed: 0n });
    await bench.deliver(opened);
    expect(await standing()).toEqual({ wallet: 10n * USD, owed: 0n });
  },
);

describe("a dispute that was prevented", () => {
  const prevented = (id: string, withdrawn: number) => {
    const { state } = bench.processor;
    const moved = withdrawn === 0 ? [] : [{ id: "txn_1", amount: -withdrawn, currency: "usd" }];
    Object.assign(state.things.get(id) as Thing, { balance_transactions: moved });
    return state.moveDispute(id, "prevented", "charge.dispute.closed");
  };

  test("has taken the money where it says so, once", async () => {
    const { sessionId, standing } = await aPayment();
    const opened = bench.processor.state.dispute(sessionId, 1_000);
    const closed = prevented((opened.data.object as Thing).id, 1_000);
    for (const event of [closed, opened, closed]) {
      await bench.deliver(event);
      expect(await standing()).toEqual({ wallet: 0n, owed: 0n });
    }
  });

  test("by a refund takes what was refunded, and no more", async () => {
    const { sessionId, standing } = await aPayment();
    const opened = bench.processor.state.dispute(sessionId, 1_000);
    await bench.deliver(opened);
    await bench.deliver(bench.processor.state.refund(sessionId, 400));
    await bench.deliver(prevented((opened.data.object as Thing).id, 0));
    expect(await standing()).toEqual({ wallet: 6n * USD, owed: 0n });
  });
});

test.each(["appeal_needs_response", "appeal_under_review"])(
  "a dispute that is appealed stays lost until it is won: %s",
  async (status) => {
    const { state } = bench.processor;
    const { sessionId, standing } = await aPayment();
    const { id } = state.dispute(sessionId, 1_000).data.object as Thing;
    await bench.deliver(state.closeDispute(id, "lost"));
    await bench.deliver(state.moveDispute(id, status, "charge.dispute.updated"));
    expect(await standing()).toEqual({ wallet: 0n, owed: 0n });
    await bench.deliver(state.closeDispute(id, "won"));
    expect(await standing()).toEqual({ wallet: 10n * USD, owed: 0n });
  },
);

test("an event that fails is tried twelve times, after pauses that double up to an hour, and then waits for a person", async () => {
  const { sessionId } = await aPayment();
  const event = bench.processor.state.refund(sessionId, 1_000);
  // The processor fails on the intent that identifies the payment.
  const broken = bench.processor.state.keep({
    id: "pi_broken",
    object: "payment_intent",
    error: { type: "api_error" },
  });
  (event.data.object as Thing).payment_intent = broken.id;
  const pauses: number[] = [];
  await bench.deliver(event);
  for (let turn = 1; ; turn += 1) {
    const [row] = await bench.sql<{ state: string; attempts: number; pause: number }>(
      `SELECT state, attempts, round(extract(epoch FROM next_attempt_at - app_now()))::int AS pause FROM processor_event WHERE id = $1`,
      [event.id],
    );
    expect(row?.attempts).toBe(turn);
    if (row?.state !== "received") break;
    pauses.push(row.pause);
    // Nothing is applied before the event is due.
    await applyDueEvents(db());
    await bench.sql("UPDATE processor_event SET next_attempt_at = app_now() WHERE id = $1", [event.id]);
    await applyDueEvents(db());
  }
  const expected = [5, 10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600];
  expect(pauses).toHaveLength(expected.length);
  for (const [at, seconds] of expected.entries()) {
    // Rows are read after they were written, on a busy machine seconds later.
    expect(pauses[at]).toBeLessThanOrEqual(seconds);
    expect(pauses[at]).toBeGreaterThan(seconds - 45);
  }
  expect(await readDeadEvents(db())).toContainEqual(expect.objectContaining({ id: event.id, attempts: 12 }));
});
