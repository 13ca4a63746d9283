import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { db } from "~/connection/db.server";
import { type AutoTopupBench, openAutoTopups } from "../../../../tests/support/auto-topup";
import { startTopup } from "../auto-topup/start";
import { sendBillingNotices } from "../index.server";
import type { BillingNotice } from "../shared";

const USD = 1_000_000_000n;
let bench: AutoTopupBench;
beforeAll(async () => {
  bench = await openAutoTopups();
}, 120_000);
afterAll(() => bench?.close());
beforeEach(() => bench.begin());

/** Sends pending notices, as several concurrent processes do. */
async function told(): Promise<BillingNotice[]> {
  const all: BillingNotice[] = [];
  const mail = async (_tx: unknown, notice: BillingNotice) => void all.push(notice);
  await Promise.all([1, 2, 3, 4].map(() => sendBillingNotices(db(), mail)));
  return all;
}

test("a limit that holds auto top-up back is told once in its period, and again in the next", async () => {
  const payer = await bench.aPayer({ balance: 0n, dayLimitNanoUsd: 21n * USD, monthLimitNanoUsd: 100n * USD });
  const top = async () => {
    await bench.run();
    return bench.posted(payer);
  };
  await expect.poll(top).toBe(20n * USD);
  expect(await told()).toEqual([]);
  await bench.adjust(payer.walletId, -20n * USD);
  for (let turn = 0; turn < 3; turn += 1) {
    await bench.passPauses(payer);
    await bench.run();
  }
  expect(await told()).toMatchObject([
    { kind: "topup_limit", facts: { limit: "day", amount: String(20n * USD) }, to: { email: payer.email } },
  ]);
  await bench.passPauses(payer);
  await bench.run();
  expect(await told()).toEqual([]);
  await bench.sql("UPDATE billing_notice SET subject = subject || ':yesterday' WHERE kind = 'topup_limit'");
  await bench.passPauses(payer);
  await bench.run();
  expect(await told()).toHaveLength(1);
});

test("nothing is told of a limit while the balance is above the threshold", async () => {
  const payer = await bench.aPayer({ balance: 50n, dayLimitNanoUsd: 21n * USD, monthLimitNanoUsd: 21n * USD });
  const usedUp = [payer.walletId, payer.userId];
  await bench.sql(
    `INSERT INTO auto_topup_setting (wallet_id, version, user_id, active, threshold, amount, day_limit, month_limit, policy_version, consent_version, consent_language, consented_at)
     SELECT wallet_id, version + 1, user_id, true, threshold, amount, 1, 1, policy_version, consent_version, consent_language, consented_at
       FROM auto_topup_setting WHERE wallet_id = $1 AND user_id = $2`,
    usedUp,
  );
  await bench.sql(
    "UPDATE auto_topup SET setting_id = (SELECT max(id) FROM auto_topup_setting WHERE wallet_id = $1) WHERE wallet_id = $1",
    [payer.walletId],
  );
  expect(await startTopup(db(), payer.walletId)).toBeNull();
  expect(await told()).toEqual([]);
  expect(await bench.charges(payer)).toBe(0);
});

test("a card that expires is told once, and after a renewal only when that one does", async () => {
  const payer = await bench.aPayer({ balance: 50n });
  expect(await told()).toEqual([]);
  const now = new Date();
  const expiry = (year: number, month: number) =>
    bench.sql("UPDATE payment_method SET exp_year = $2, exp_month = $3 WHERE id = $1", [payer.card, year, month]);
  await expiry(now.getUTCFullYear(), now.getUTCMonth() + 1);
  const month = now.toISOString().slice(0, 7);
  expect(await told()).toMatchObject([{ kind: "card_expires", facts: { card: "visa •••• 4242", month } }]);
  expect(await told()).toEqual([]);
  await expiry(now.getUTCFullYear() + 3, 1);
  expect(await told()).toEqual([]);
  await bench.sql("UPDATE payment_method SET removed_at = now() WHERE id = $1", [payer.card]);
  await expiry(now.getUTCFullYear() - 1, 1);
  expect(await told()).toEqual([]);
});

test("an email that fails to be written is told by the next run, and none of somebody who has left", async () => {
  const payer = await bench.aPayer({ balance: 50n });
  await bench.sql("UPDATE payment_method SET exp_year = 2020 WHERE id = $1", [payer.card]);
  const fails = sendBillingNotices(db(), async () => {
    throw new Error("outbox");
  });
  await expect(fails).rejects.toThrow("outbox");
  expect(await told()).toHaveLength(1);
  await bench.sql("UPDATE payment_method SET exp_year = 2021 WHERE id = $1", [payer.card]);
  await bench.sql("UPDATE app_user SET status = 'suspended' WHERE id = $1", [payer.userId]);
  expect(await told()).toEqual([]);
});
