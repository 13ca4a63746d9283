import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { inTransaction } from "~/connection/bus.server";
import { db } from "~/connection/db.server";
import { mergeWallets } from "~/domain/accounting/index.server";
import { type AutoTopupBench, openAutoTopups } from "../../../../tests/support/auto-topup";
import type { Thing } from "../../../../tests/support/stand-in-processor/state";
import {
  makeDefault,
  readAutoTopup,
  readAutoTopupOperation,
  readOpenAutoTopups,
  switchOffAutoTopup,
} from "../index.server";
import { AUTO_TOPUP_CONSENT_VERSION } from "../shared";
import { startTopup } from "./start";

const USD = 1_000_000_000n;
let bench: AutoTopupBench;
beforeAll(async () => {
  bench = await openAutoTopups();
}, 120_000);
afterAll(() => bench?.close());
beforeEach(() => bench.begin());

describe("a wallet below its threshold", () => {
  test("is topped up by its card, with the fee, once a hundred times at once", async () => {
    const payer = await bench.aPayer();
    await Promise.all(Array.from({ length: 100 }, bench.run));
    await bench.run();
    expect(await bench.charges(payer)).toBe(1);
    expect(await bench.posted(payer)).toBe(21n * USD);
    const last = await bench.lastOf(payer);
    expect(last).toMatchObject({
      state: "succeeded",
      confirmed: true,
      amountNanoUsd: 20n * USD,
      feeNanoUsd: 300_000_000n,
    });
    const view = await readAutoTopup(db(), payer);
    expect(view).toMatchObject({
      wait: "idle",
      usedTodayNanoUsd: 20_300_000_000n,
      usedThisMonthNanoUsd: 20_300_000_000n,
    });
    expect(view?.consent).toMatchObject({ version: AUTO_TOPUP_CONSENT_VERSION, language: "de", isOwn: true });
    const [payment] = await bench.sql("SELECT card, receipt_url FROM payment WHERE id = $1", [last?.id]);
    expect(payment).toEqual({ card: "visa 4242", receipt_url: "https://pay.example/receipt" });
    expect(await bench.defects()).toBe(0);
  }, 60_000);

  test("is left alone at its threshold, and once it is switched off", async () => {
    const payer = await bench.aPayer({ balance: 5n });
    await bench.run();
    expect(await bench.charges(payer)).toBe(0);
    await switchOffAutoTopup(db(), payer);
    await switchOffAutoTopup(db(), payer);
    await bench.adjust(payer.walletId, -1n * USD);
    await bench.run();
    expect(await bench.charges(payer)).toBe(0);
    const versions = await bench.sql(
      "SELECT version, active, consent_version FROM auto_topup_setting WHERE wallet_id = $1 ORDER BY version",
      [payer.walletId],
    );
    expect(versions).toEqual([
      { version: 1, active: true, consent_version: AUTO_TOPUP_CONSENT_VERSION },
      { version: 2, active: false, consent_version: null },
    ]);
  });

  test("is charged up to its limits, what is on its way counted, and again in the next month", async () => {
    const payer = await bench.aPayer({ balance: 0n, dayLimitNanoUsd: 41n * USD, monthLimitNanoUsd: 41n * USD });
    for (let turn = 0; turn < 4; turn += 1) {
      await bench.run();
      if ((await bench.posted(payer)) > 0n) await bench.adjust(payer.walletId, -(await bench.posted(payer)));
    }
    expect(await bench.charges(payer)).toBe(2);
    expect(await readAutoTopup(db(), payer)).toMatchObject({ wait: "month_limit" });
    await bench.sql(
      "UPDATE auto_topup_operation SET created_at = created_at - interval '32 days' WHERE wallet_id = $1",
      [payer.walletId],
    );
    await bench.passPauses(payer);
    bench.processor.faults.push("error_after");
    await bench.run();
    expect(await bench.charges(payer)).toBe(3);
    expect(await readAutoTopup(db(), payer)).toMatchObject({ wait: "open", usedTodayNanoUsd: 20_300_000_000n });
  });

  test("is not charged when the policy is withdrawn, for somebody who may not fund it any more, or with an expired card", async () => {
    const payer = await bench.aPayer();
    await bench.approve(false);
    await bench.run();
    expect(await readAutoTopup(db(), payer)).toMatchObject({ wait: "no_policy" });
    await bench.approve(true, { maxChargeNanoUsd: 10n * USD });
    await bench.run();
    expect(await readAutoTopup(db(), payer)).toMatchObject({ wait: "over_policy" });
    await bench.approve();
    await bench.sql("UPDATE app_user SET role = 'member' WHERE id = $1", [payer.userId]);
    await bench.run();
    expect(await readAutoTopup(db(), payer)).toMatchObject({ wait: "not_entitled" });
    await bench.sql("UPDATE app_user SET role = 'org_admin' WHERE id = $1", [payer.userId]);
    await bench.sql("UPDATE payment_method SET exp_year = 2020 WHERE id = $1", [payer.card]);
    await bench.run();
    expect(await readAutoTopup(db(), payer)).toMatchObject({ wait: "card_expired" });
    expect(await bench.charges(payer)).toBe(0);
  });
});

describe("a charge whose outcome is unknown", () => {
  test.each(["error_after", "silent_after"] as const)(
    "is looked up, not repeated, and credited once: %s",
    async (fault) => {
      const payer = await bench.aPayer();
      bench.processor.faults.push(fault);
      await bench.run();
      expect(await bench.lastOf(payer)).toMatchObject({ state: "unknown", confirmed: false });
      expect(await bench.posted(payer)).toBe(1n * USD);
      await bench.run();
      await bench.lookSoon();
      await Promise.all([bench.run(), bench.run(), bench.run()]);
      expect(await bench.lastOf(payer)).toMatchObject({ state: "succeeded", confirmed: true });
      const event = bench.processor.state.events.find(({ type }) => type === "payment_intent.succeeded") as Thing;
      await bench.deliver(event);
      expect(await bench.charges(payer)).toBe(1);
      expect(await bench.posted(payer)).toBe(21n * USD);
    },
    40_000,
  );

  test("because the connection broke is asked for once more under the same key, and found done", async () => {
    const payer = await bench.aPayer();
    bench.processor.faults.push("cut_after");
    await bench.run();
    expect(await bench.charges(payer)).toBe(1);
    expect(await bench.posted(payer)).toBe(21n * USD);
  });

  test("is credited by its event, whoever comes first", async () => {
    const payer = await bench.aPayer();
    bench.processor.faults.push("error_after");
    await bench.run();
    const event = bench.processor.state.events.find(({ type }) => type === "payment_intent.succeeded") as Thing;
    await Promise.all([bench.deliver(event), bench.deliver(event), bench.lookSoon().then(bench.run)]);
    expect(await bench.posted(payer)).toBe(21n * USD);
    expect(await bench.lastOf(payer)).toMatchObject({ state: "succeeded" });
    expect(await bench.charges(payer)).toBe(1);
  });

  test("that the processor has never seen ends without a pause, and another one follows", async () => {
    const payer = await bench.aPayer();
    bench.processor.faults.push("error_before");
    await bench.run();
    await bench.lookSoon();
    await bench.run();
    expect(await bench.lastOf(payer)).toMatchObject({ state: "unknown" });
    await bench.sql(
      "UPDATE auto_topup_operation SET submitted_at = submitted_at - interval '16 minutes' WHERE wallet_id = $1",
      [payer.walletId],
    );
    await bench.lookSoon();
    await bench.run();
    await bench.run();
    expect(await bench.posted(payer)).toBe(21n * USD);
    const states = await bench.sql(
      "SELECT state, failure FROM auto_topup_operation WHERE wallet_id = $1 ORDER BY created_at",
      [payer.walletId],
    );
    expect(states).toEqual([
      { state: "failed", failure: "not_executed" },
      { state: "succeeded", failure: null },
    ]);
    expect(bench.told).toEqual([]);
  });

  test("that was written down and never sent is sent by whoever comes next, or cancelled when it is old", async () => {
    for (const [age, expected] of [
      ["1 second", 1],
      ["3 minutes", 0],
    ] as const) {
      const payer = await bench.aPayer();
      const id = (await startTopup(db(), payer.walletId)) as string;
      await bench.sql(`UPDATE auto_topup_operation SET created_at = created_at - $2::interval WHERE id = $1`, [
        id,
        age,
      ]);
      await Promise.all([bench.run(), bench.run()]);
      expect(bench.processor.writes.filter(({ key }) => key === id)).toHaveLength(expected);
    }
  });
});

describe("a card that is declined", () => {
  test("pauses for ever longer, is told of, and works again once it is mended", async () => {
    const payer = await bench.aPayer({ answer: "insufficient_funds" });
    await bench.run();
    await bench.run();
    expect(await bench.charges(payer)).toBe(1);
    expect(await readAutoTopup(db(), payer)).toMatchObject({ wait: "backing_off", usedTodayNanoUsd: 0n });
    expect(bench.told).toMatchObject([
      { tell: "declined", failure: "insufficient_funds", card: "visa •••• 4242", to: { email: payer.email } },
    ]);
    const pauses: number[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      const [row] = await bench.sql<{ hours: number }>(
        "SELECT round(extract(epoch FROM next_attempt_at - now()) / 3600)::int AS hours FROM auto_topup WHERE wallet_id = $1",
        [payer.walletId],
      );
      pauses.push(row?.hours as number);
      await bench.passPauses(payer);
      await bench.run();
    }
    expect(pauses).toEqual([1, 6, 24, 72]);
    expect(await bench.charges(payer)).toBe(5);
    await bench.passPauses(payer);
    bench.processor.state.behave(payer.card, null);
    await bench.run();
    expect(await bench.posted(payer)).toBe(21n * USD);
    expect(await readAutoTopup(db(), payer)).toMatchObject({ wait: "idle", nextAttemptAt: null });
  });

  test("is told once, also when its event comes as well, and another card needs no long pause", async () => {
    const payer = await bench.aPayer({ answer: "lost_card" });
    await bench.run();
    const event = bench.processor.state.events.find(({ type }) => type === "payment_intent.payment_failed") as Thing;
    await bench.deliver(event);
    await bench.run();
    expect(bench.told).toHaveLength(1);
    await bench.sql(
      "UPDATE auto_topup SET failures = 3, next_attempt_at = now() + interval '23 hours', last_attempt_at = now() - interval '61 minutes' WHERE wallet_id = $1",
      [payer.walletId],
    );
    const other = await bench.aCard(payer);
    await makeDefault(db(), payer, other);
    await bench.sql("UPDATE auto_topup SET next_check_at = now() WHERE wallet_id = $1", [payer.walletId]);
    await bench.run();
    expect(await bench.posted(payer)).toBe(21n * USD);
  });
});

describe("a payment that the bank wants confirmed", () => {
  test("waits on the processor's page, of which its owner is told, and is credited when they confirm it", async () => {
    const payer = await bench.aPayer({ answer: "authentication_required" });
    for (let turn = 0; turn < 3; turn += 1) await bench.run();
    const last = await bench.lastOf(payer);
    expect(last).toMatchObject({
      state: "requires_action",
      actionUrl: expect.stringMatching(/^https:\/\/checkout\.example\//),
    });
    expect(bench.told).toMatchObject([{ tell: "confirm", actionUrl: last?.actionUrl }]);
    const intents = [...bench.processor.state.things.values()].filter(
      ({ object, customer }) => object === "payment_intent" && customer === lastCustomer(),
    );
    expect(intents.map(({ status }) => status)).toEqual(["canceled"]);
    const paid = bench.processor.state.pay(String(last?.actionUrl).split("/").at(-1) as string);
    for (let turn = 0; turn < 3; turn += 1) await bench.deliver(paid);
    expect(await bench.posted(payer)).toBe(21n * USD);
    expect(await bench.lastOf(payer)).toMatchObject({ state: "succeeded", confirmed: true, actionUrl: null });
    const refunded = bench.processor.state.refund(String(last?.actionUrl).split("/").at(-1) as string, 2_030);
    await bench.deliver(refunded);
    expect(await bench.posted(payer)).toBe(1n * USD);
  });

  test("and is not, ends with the page, and pauses", async () => {
    const payer = await bench.aPayer({ answer: "authentication_required" });
    for (let turn = 0; turn < 2; turn += 1) {
      await bench.lookSoon();
      await bench.run();
    }
    const sessionId = String((await bench.lastOf(payer))?.actionUrl)
      .split("/")
      .at(-1) as string;
    bench.processor.state.expire(sessionId);
    await bench.lookSoon();
    await bench.run();
    expect(await bench.lastOf(payer)).toMatchObject({ state: "failed", failure: "not_confirmed" });
    expect(await readAutoTopup(db(), payer)).toMatchObject({ wait: "backing_off" });
    expect(await bench.charges(payer)).toBe(1);
  });
});

const lastCustomer = () =>
  [...bench.processor.state.things.values()].filter(({ object }) => object === "customer").at(-1)?.id;

test("a refund of a charge is taken back from the wallet as of any payment", async () => {
  const payer = await bench.aPayer();
  await bench.run();
  const { id } = (await bench.lastOf(payer)) as { id: string };
  const [row] = await bench.sql<{ intent_id: string }>("SELECT intent_id FROM payment WHERE id = $1", [id]);
  await bench.deliver(bench.processor.state.refund(row?.intent_id as string, 2_030));
  expect(await bench.standing(payer.walletId)).toEqual({ wallet: 1n * USD, owed: 0n });
  expect(await bench.defects()).toBe(0);
});

test("a charge is read by its owner only, and reading makes none", async () => {
  const payer = await bench.aPayer();
  await bench.run();
  const { id } = (await bench.lastOf(payer)) as { id: string };
  const stranger = await bench.anAdmin();
  expect(await readAutoTopupOperation(db(), payer, id)).toMatchObject({ id, state: "succeeded", settingsVersion: 1 });
  await expect(readAutoTopupOperation(db(), stranger, id)).rejects.toMatchObject({ code: "not_found" });
  await expect(readAutoTopupOperation(db(), payer, "00000000-0000-4000-8000-000000000000")).rejects.toMatchObject({
    code: "not_found",
  });
  expect(await bench.charges(payer)).toBe(1);
  const open = await bench.aPayer();
  bench.processor.faults.push("error_after");
  await bench.run();
  expect(await readOpenAutoTopups(db())).toContainEqual(
    expect.objectContaining({ state: "unknown", payer: expect.stringContaining("Payers") }),
  );
  expect(await bench.lastOf(open)).toMatchObject({ state: "unknown" });
});

describe("a wallet that another one takes over, or whose payer is gone,", () => {
  test("is not charged any more, and what was on its way is credited to the other one", async () => {
    const from = await bench.aPayer();
    const to = await bench.anAdmin();
    bench.processor.faults.push("error_after");
    await bench.run();
    const merge = { fromId: from.walletId, toId: to.walletId, withCredit: false, actor: "test" };
    await inTransaction(db(), (tx) => mergeWallets(tx, merge));
    await bench.lookSoon();
    await bench.run();
    await bench.passPauses(from);
    await bench.run();
    expect(await bench.posted(to)).toBe(21n * USD);
    expect(await bench.posted(from)).toBe(0n);
    expect(await bench.charges(from)).toBe(1);
    expect(await bench.defects()).toBe(0);
  });

  test("is not charged when its owner was erased", async () => {
    const payer = await bench.aPayer();
    await bench.sql("UPDATE app_user SET status = 'deleted' WHERE id = $1", [payer.userId]);
    await bench.run();
    expect(await bench.charges(payer)).toBe(0);
  });
});
