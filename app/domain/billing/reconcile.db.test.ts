import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { db } from "~/connection/db.server";
import {
  admit,
  markForReview,
  postAdjustment,
  runReviewCommand,
  startAccounting,
  stopAccounting,
} from "~/domain/accounting/index.server";
import { aHold, someParties } from "../../../tests/support/accounting";
import { type BillingBench, openBilling } from "../../../tests/support/billing";
import type { Actor } from "../accounts/shared";
import { readLatestAudit, readReview, readReviews, recordAudit, resolveReview } from "./index.server";

const USD = 1_000_000_000n;
const dataDir = mkdtempSync(join(tmpdir(), "gw-reconcile-"));
let bench: BillingBench;
let operator: Actor;
let payer: Awaited<ReturnType<BillingBench["anAdmin"]>>;
beforeAll(async () => {
  bench = await openBilling();
  await startAccounting({ dataDir });
  operator = await bench.anAdmin("platform_admin");
  payer = await bench.anAdmin();
  const posting = {
    walletId: payer.walletId,
    amountNanoUsd: 10n * USD,
    idempotencyKey: "start",
    actor: "test",
    memo: "",
  };
  await postAdjustment(db(), posting);
}, 120_000);
afterAll(async () => {
  await stopAccounting();
  await bench?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** A call in review with a hold of this amount. */
async function inReview(amount: bigint): Promise<string> {
  const { walletId, organisationId } = payer;
  const call = aHold(someParties(walletId, { organisationId }), amount);
  await admit(call);
  await markForReview(call.callId, "lease_expired");
  return call.callId;
}
const outcome = (work: Promise<unknown>) =>
  work.then(
    (answer) => (typeof answer === "bigint" ? answer : "done"),
    (error) => error.code as string,
  );

describe("a hold in review", () => {
  test("is charged, at most what is held, or released, with its reason kept, by platform admins only", async () => {
    const [charged, released] = [await inReview(4_000n), await inReview(6_000n)];
    expect(await readReviews(db())).toMatchObject([{ callId: charged }, { callId: released }]);
    const release = { callId: released, decision: { kind: "release" as const }, reason: "no trace" };
    await expect(resolveReview(db(), payer, release)).rejects.toMatchObject({ code: "forbidden" });
    const checkpoint = { callId: released, decision: { kind: "checkpoint" as const }, reason: "known" };
    await expect(resolveReview(db(), operator, checkpoint)).rejects.toMatchObject({ param: "resolution" });
    const charge = { callId: charged, decision: { kind: "charge" as const, costNanoUsd: USD }, reason: "billed" };
    expect(await resolveReview(db(), operator, charge)).toBe(4_000n);
    expect(await resolveReview(db(), operator, release)).toBe(0n);
    expect(await bench.sql("SELECT state, reason FROM hold ORDER BY created_at")).toEqual([
      { state: "settled", reason: `user:${operator.userId}: billed` },
      { state: "released", reason: `user:${operator.userId}: no trace` },
    ]);
    const acts = await bench.sql("SELECT action FROM act WHERE target_kind = 'hold' ORDER BY id");
    expect(acts.map(({ action }) => action)).toEqual(["hold.charge", "hold.release"]);
    await expect(readReview(db(), charged)).rejects.toMatchObject({ code: "not_found" });
    expect(await bench.defects()).toBe(0);
  });

  test("decided by many at once, on the page and by the command, is decided once", async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      const callId = await inReview(4_000n);
      const mine = { callId, decision: { kind: "charge" as const, costNanoUsd: 3_000n }, reason: "billed" };
      const answers = await Promise.all([
        ...[1, 2, 3].map(() => outcome(resolveReview(db(), operator, mine))),
        runReviewCommand(["settle", callId, "0.000003", "billed"], "operator ann").then(() => "command"),
      ]);
      expect(answers.filter((each) => each === 3_000n).length).toBeLessThanOrEqual(1);
      expect(await bench.sql("SELECT state, captured::int FROM hold WHERE id = $1", [callId])).toEqual([
        { state: "settled", captured: 3_000 },
      ]);
      expect(await bench.sql("SELECT charged::int FROM usage_event WHERE request_id = $1", [callId])).toEqual([
        { charged: 3_000 },
      ]);
    }
    expect(await bench.defects()).toBe(0);
  });
});

describe("the audit", () => {
  test("says what the ledger, the payments and the processor have, and that they are equal", async () => {
    expect(await readLatestAudit(db())).toBeNull();
    const { sessionId } = await bench.aCheckout(payer, 10n);
    await bench.deliver(bench.processor.state.pay(sessionId));
    await bench.deliver(bench.processor.state.refund(sessionId, 400));
    expect(await recordAudit(db())).toBe(0);
    expect(await readLatestAudit(db())).toMatchObject({
      defects: [],
      clearingNanoUsd: 6n * USD,
      creditedNanoUsd: 6n * USD,
      chargedCents: 1_000n,
      returnedCents: 400n,
      processor: "asked",
      balanceCents: 600n,
    });
  });

  test("finds what was changed behind the ledger, and says when the processor does not answer", async () => {
    await bench.sql("UPDATE ledger_account SET held = held + 1 WHERE id = $1", [payer.walletId]);
    await bench.processor.close();
    expect(await recordAudit(db())).toBe(1);
    expect(await readLatestAudit(db())).toMatchObject({
      defects: [{ defect: "wallet_held_drift", subject: `account ${payer.walletId}` }],
      processor: "away",
      balanceCents: null,
    });
    await bench.sql("UPDATE ledger_account SET held = held - 1 WHERE id = $1", [payer.walletId]);
  }, 60_000);
});
