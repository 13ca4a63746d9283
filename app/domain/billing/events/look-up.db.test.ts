import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "~/connection/db.server";
import { type BillingBench, openBilling } from "../../../../tests/support/billing";
import { checkPayments, readCheckoutStatus } from "../index.server";

let bench: BillingBench;
beforeAll(async () => {
  bench = await openBilling();
}, 120_000);
afterAll(() => bench?.close());

test("a checkout that opened without an answer is found among the person's checkouts; one that never opened expires", async () => {
  const admin = await bench.anAdmin();
  const { id, sessionId } = await bench.aCheckout(admin, 10n);
  const unopened = await bench.aCheckout(admin, 11n);
  bench.processor.state.pay(sessionId);
  bench.processor.state.things.delete(unopened.sessionId);
  const since = async (days: number) =>
    bench.sql(
      `UPDATE payment SET session_id = NULL, state = 'created', looked_up_at = NULL, created_at = app_now() - make_interval(days => $2, mins => 10)
        WHERE id = ANY ($1::uuid[]) AND credited_txn IS NULL`,
      [[id, unopened.id], days],
    );
  await since(0);
  expect(await checkPayments(db(), new AbortController().signal)).toBeGreaterThan(0);
  expect((await bench.standing(admin.walletId)).wallet).toBe(10_000_000_000n);
  expect(await readCheckoutStatus(db(), admin, id)).toMatchObject({ state: "paid", confirmed: true });
  expect(await readCheckoutStatus(db(), admin, unopened.id)).toMatchObject({ state: "created" });
  await since(3);
  await checkPayments(db(), new AbortController().signal);
  expect(await readCheckoutStatus(db(), admin, unopened.id)).toMatchObject({ state: "expired" });
});
