import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { inTransaction } from "~/connection/bus.server";
import { db } from "~/connection/db.server";
import { mergeWallets } from "~/domain/accounting/index.server";
import { type AutoTopupBench, asked, openAutoTopups, type Payer } from "../../../../tests/support/auto-topup";
import type { Thing } from "../../../../tests/support/stand-in-processor/state";
import {
  emailPaymentProblems,
  makeDefault,
  readAutoTopup,
  readPausedAutoTopups,
  saveAutoTopup,
  switchOffAutoTopup,
} from "../index.server";
import { startTopup } from "./start";

const USD = 1_000_000_000n;
let bench: AutoTopupBench;
beforeAll(async () => {
  bench = await openAutoTopups();
}, 120_000);
afterAll(() => bench?.close());
beforeEach(() => bench.begin());

/** The processor's id of the last automatic charge of a wallet. */
async function intentOf(payer: Payer): Promise<string> {
  const { id } = (await bench.lastOf(payer)) as { id: string };
  const intent = [...bench.processor.state.things.values()].find(
    ({ object, metadata }) => object === "payment_intent" && metadata.gw_reference === id,
  );
  return (intent as Thing).id;
}
/** A payment that its payer made on the processor's page. */
async function aPayment(payer: Payer, usd = 10n): Promise<string> {
  const { sessionId } = await bench.aCheckout(payer, usd);
  await bench.deliver(bench.processor.state.pay(sessionId));
  return sessionId;
}
/** Empties a wallet and runs the job. */
async function runDry(payer: Payer): Promise<number> {
  const before = await bench.charges(payer);
  const { wallet } = await bench.standing(payer.walletId);
  if (wallet > 0n) await bench.adjust(payer.walletId, -wallet);
  await bench.passPauses(payer);
  await Promise.all([bench.run(), bench.run(), bench.run()]);
  return (await bench.charges(payer)) - before;
}
const consentTo = async (payer: Payer) =>
  saveAutoTopup(db(), payer, asked({ version: (await readAutoTopup(db(), payer))?.version ?? 0 }));

type Claim = [what: string, reason: string, claim: (name: string) => Thing[]];
const claims = (): Claim[] => {
  const at = () => bench.processor.state;
  const opened = (name: string, status?: string) => at().dispute(name, 1_000, status);
  return [
    ["a full refund", "refund", (name) => [at().refund(name, at().chargeOf(name).amount)]],
    ["a refund of a cent", "refund", (name) => [at().refund(name, 1)]],
    [
      "a refund that is told by its own event alone",
      "refund",
      (name) => {
        at().refund(name, 100);
        return at()
          .events.filter(({ type }) => type === "refund.created")
          .slice(0, 1);
      },
    ],
    ["a dispute", "dispute", (name) => [opened(name)]],
    ["an inquiry", "inquiry", (name) => [opened(name, "warning_needs_response")]],
    ["a warning of fraud", "fraud_warning", (name) => [at().warnOfFraud(name)]],
    [
      "a dispute of which the end is told alone",
      "dispute",
      (name) => [at().closeDispute((opened(name).data.object as Thing).id, "lost")],
    ],
    [
      "an inquiry of which the end is told alone",
      "inquiry",
      (name) => [at().closeDispute((opened(name, "warning_needs_response").data.object as Thing).id, "warning_closed")],
    ],
  ];
};
const KINDS = [0, 1, 2, 3, 4, 5, 6, 7];

describe("after a payment of its wallet was claimed back, a card is not charged by itself", () => {
  test.each(KINDS)("whether the card was charged automatically or its owner paid: claim %i", async (kind) => {
    const [, reason, claim] = claims()[kind] as Claim;
    for (const isByHand of [false, true]) {
      const payer = await bench.aPayer();
      await bench.run();
      expect(await bench.charges(payer)).toBe(1);
      const name = isByHand ? await aPayment(payer) : await intentOf(payer);
      for (const event of claim(name)) await bench.deliver(event);
      expect(await runDry(payer)).toBe(0);
      expect(await readAutoTopup(db(), payer)).toMatchObject({
        wait: "paused",
        version: 2,
        consent: null,
        pause: { reason },
        settings: { amountNanoUsd: 20n * USD, thresholdNanoUsd: 5n * USD },
      });
      expect(await readPausedAutoTopups(db())).toContainEqual(
        expect.objectContaining({ walletId: payer.walletId, reason }),
      );
    }
    expect(await bench.defects()).toBe(0);
  });

  test.each(KINDS)(
    "until its owner consents again, and what was told before pauses nothing then: claim %i",
    async (kind) => {
      const [, , claim] = claims()[kind] as Claim;
      const payer = await bench.aPayer();
      const name = await aPayment(payer);
      const events = claim(name);
      for (const event of events) await bench.deliver(event);
      expect(await runDry(payer)).toBe(0);
      // A page that was opened before the pause cannot lift it.
      await expect(saveAutoTopup(db(), payer, asked({ version: 1 }))).rejects.toMatchObject({ code: "conflict" });
      expect(await runDry(payer)).toBe(0);
      expect(await consentTo(payer)).toBe(3);
      for (const event of [...events, ...events]) await bench.deliver({ ...event, id: `${event.id}_again` });
      expect(await readAutoTopup(db(), payer)).toMatchObject({ pause: null, version: 3 });
      expect(await runDry(payer)).toBe(1);
    },
  );

  test("and each further refund, and a dispute after an inquiry, is news of its own", async () => {
    const payer = await bench.aPayer();
    const name = await aPayment(payer);
    const asks = bench.processor.state.dispute(name, 500, "warning_needs_response");
    const disputed = () =>
      bench.processor.state.moveDispute((asks.data.object as Thing).id, "needs_response", "charge.dispute.updated");
    const news = [
      () => bench.processor.state.refund(name, 100),
      () => bench.processor.state.refund(name, 1),
      () => asks,
      disputed,
    ];
    const reasons: unknown[] = [];
    for (const event of news) {
      await consentTo(payer);
      await bench.deliver(event());
      reasons.push((await readAutoTopup(db(), payer))?.pause?.reason);
      expect(await runDry(payer)).toBe(0);
    }
    expect(reasons).toEqual(["refund", "refund", "inquiry", "dispute"]);
    await consentTo(payer);
    await bench.deliver(bench.processor.state.closeDispute((asks.data.object as Thing).id, "lost"));
    expect(await readAutoTopup(db(), payer)).toMatchObject({ pause: null });
  });

  test("also when the refund is told before the payment, and while the charge was under way", async () => {
    const payer = await bench.aPayer();
    bench.processor.faults.push("error_after");
    await bench.run();
    expect(await bench.lastOf(payer)).toMatchObject({ state: "unknown" });
    await bench.deliver(bench.processor.state.refund(await intentOf(payer), 2_030));
    await bench.lookSoon();
    await bench.run();
    expect(await bench.lastOf(payer)).toMatchObject({ state: "succeeded", confirmed: true });
    expect(await bench.standing(payer.walletId)).toEqual({ wallet: 1n * USD, owed: 0n });
    expect(await readAutoTopup(db(), payer)).toMatchObject({ wait: "paused" });
    expect(await runDry(payer)).toBe(0);
  });

  test("and one that was written down and not sent yet is cancelled, whichever comes first", async () => {
    for (let turn = 0; turn < 6; turn += 1) {
      const payer = await bench.aPayer();
      const name = await aPayment(payer, 5n);
      await bench.adjust(payer.walletId, -6n * USD);
      const refunded = bench.processor.state.refund(name, 100);
      if (turn % 2 === 0) await startTopup(db(), payer.walletId);
      await Promise.all([
        bench.deliver(refunded),
        startTopup(db(), payer.walletId),
        bench.deliver({ ...refunded, id: `${refunded.id}_2` }),
      ]);
      expect(await readAutoTopup(db(), payer)).toMatchObject({ wait: "paused" });
      expect(await runDry(payer)).toBe(0);
      const [row] = await bench.sql("SELECT count(*)::int AS n FROM auto_topup_setting WHERE wallet_id = $1", [
        payer.walletId,
      ]);
      expect(row).toEqual({ n: 2 });
    }
  });

  test("nor that of the wallet which took it over", async () => {
    const from = await bench.aPayer();
    const name = await aPayment(from);
    const to = await bench.aPayer();
    const merge = { fromId: from.walletId, toId: to.walletId, withCredit: false, actor: "test" };
    await inTransaction(db(), (tx) => mergeWallets(tx, merge));
    await bench.deliver(bench.processor.state.refund(name, 100));
    expect(await readAutoTopup(db(), to)).toMatchObject({ wait: "paused", pause: { reason: "refund" } });
    expect(await runDry(to)).toBe(0);
  });

  test("for no other wallet of the same person either, where a bank has said so; a refund concerns its own wallet", async () => {
    for (const [kind, wait] of [
      [3, "paused"],
      [0, "due"],
    ] as const) {
      const payer = await bench.aPayer();
      const name = await aPayment(payer);
      await bench.sql("UPDATE app_user SET billing_mode = 'own' WHERE id = $1", [payer.userId]);
      await saveAutoTopup(db(), payer, asked());
      for (const event of (claims()[kind] as Claim)[2](name)) await bench.deliver(event);
      expect(await readAutoTopup(db(), payer)).toMatchObject({ wait });
      await bench.sql("UPDATE auto_topup SET active = false");
    }
  });

  test("while other wallets are", async () => {
    const [one, other] = [await bench.aPayer(), await bench.aPayer()];
    await bench.deliver(bench.processor.state.refund(await aPayment(one), 100));
    expect(await runDry(other)).toBe(1);
    expect(await runDry(one)).toBe(0);
  });
});

test("a pause is told once to whoever had consented and to those who run the installation, and is in the audit log", async () => {
  const owner = await bench.anAdmin("owner");
  const payer = await bench.aPayer({ balance: 50n });
  const refunded = bench.processor.state.refund(await aPayment(payer), 100);
  bench.told.length = 0;
  await bench.deliver(refunded);
  await bench.deliver({ ...refunded, id: `${refunded.id}_again` });
  await Promise.all([bench.run(), bench.run(), bench.run()]);
  expect(bench.told).toMatchObject([
    { tell: "paused", reason: "refund", amountNanoUsd: 10_300_000_000n, to: { email: payer.email } },
  ]);
  const counts: object[] = [];
  const mail = async (_: unknown, { email }: { email: string }, problems: object) =>
    void (email === owner.email && counts.push(problems));
  for (let turn = 0; turn < 2; turn += 1) await emailPaymentProblems(db(), mail);
  expect(counts).toMatchObject([{ pauses: 1 }]);
  const acts = await bench.sql(
    "SELECT action, actor_label, after->>'reason' AS reason FROM act WHERE organisation_id = $1 AND action LIKE 'auto_topup%' ORDER BY id",
    [payer.organisationId],
  );
  expect(acts.at(-1)).toEqual({ action: "auto_topup.pause", actor_label: "gw", reason: "refund" });
});

test("a paused auto top-up can be switched off, and one that is off is not paused", async () => {
  const payer = await bench.aPayer();
  const name = await aPayment(payer);
  await bench.deliver(bench.processor.state.refund(name, 100));
  expect(await switchOffAutoTopup(db(), payer)).toBe(3);
  expect(await readAutoTopup(db(), payer)).toMatchObject({ wait: "off", pause: null });
  await bench.deliver(bench.processor.state.refund(name, 1));
  expect(await readAutoTopup(db(), payer)).toMatchObject({ wait: "off", pause: null, version: 3 });
});

describe("a card that its bank reports", () => {
  test.each([
    "lost_card",
    "stolen_card",
    "pickup_card",
    "fraudulent",
    "restricted_card",
    "revocation_of_authorization",
    "do_not_try_again",
  ])("is never charged again by itself: %s", async (code) => {
    const payer = await bench.aPayer({ answer: code });
    await bench.run();
    bench.processor.state.behave(payer.card, null);
    expect(await runDry(payer)).toBe(0);
    expect(await readAutoTopup(db(), payer)).toMatchObject({ wait: "card_refused" });
    expect(bench.told).toMatchObject([{ tell: "declined", failure: code, cardRefused: true }]);
    await expect(consentTo(payer)).rejects.toMatchObject({ code: "conflict" });
    await makeDefault(db(), payer, await bench.aCard(payer));
    expect(await runDry(payer)).toBe(1);
    expect(await readAutoTopup(db(), payer)).toMatchObject({ wait: "idle" });
  });

  test("is charged again after other declines, once their pause is over", async () => {
    for (const code of ["insufficient_funds", "generic_decline", "processing_error", "expired_card"]) {
      const payer = await bench.aPayer({ answer: code });
      await bench.run();
      expect(await runDry(payer)).toBe(1);
      expect(await readAutoTopup(db(), payer)).toMatchObject({ wait: "backing_off" });
      await bench.sql("UPDATE auto_topup SET active = false");
    }
  });
});

test("settings that were saved again after a decline shorten the pause to one hour since the last charge", async () => {
  const payer = await bench.aPayer({ answer: "insufficient_funds" });
  for (let turn = 0; turn < 4; turn += 1) {
    await bench.passPauses(payer);
    await bench.run();
  }
  const pause = async () => {
    const [row] = await bench.sql<{ minutes: number }>(
      "SELECT round(extract(epoch FROM next_attempt_at - last_attempt_at) / 60)::int AS minutes FROM auto_topup WHERE wallet_id = $1",
      [payer.walletId],
    );
    return row?.minutes;
  };
  expect(await pause()).toBe(72 * 60);
  bench.processor.state.behave(payer.card, null);
  await consentTo(payer);
  expect(await pause()).toBe(60);
  await bench.run();
  expect(await bench.charges(payer)).toBe(4);
  const pass = (minutes: number) =>
    bench.sql(
      `UPDATE auto_topup SET next_check_at = now(), next_attempt_at = next_attempt_at - make_interval(mins => $2),
              last_attempt_at = last_attempt_at - make_interval(mins => $2) WHERE wallet_id = $1`,
      [payer.walletId, minutes],
    );
  await pass(50);
  await bench.run();
  expect(await bench.charges(payer)).toBe(4);
  await pass(10);
  await bench.run();
  expect(await bench.charges(payer)).toBe(5);
  expect(await bench.posted(payer)).toBe(21n * USD);
});
