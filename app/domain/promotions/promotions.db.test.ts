import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { db } from "~/connection/db.server";
import { mergeWallets, openWallet, postAdjustment, readBalance } from "~/domain/accounting/index.server";
import { hashPassword } from "~/domain/accounts/index.server";
import { type BillingBench, openBilling } from "../../../tests/support/billing";
import type { Actor } from "../accounts/shared";
import {
  applyPromotions,
  createPromotion,
  listPromotions,
  readPromotion,
  readPromotionsLeft,
  redeemCode,
  updatePromotion,
} from "./index.server";

const USD = 1_000_000_000n;
const never = new AbortController().signal;
let bench: BillingBench;
let operator: Actor;
beforeAll(async () => {
  bench = await openBilling();
  operator = await bench.anAdmin("platform_admin");
}, 120_000);
afterAll(() => bench?.close());

const aPromotion = (more: Partial<Parameters<typeof createPromotion>[2]> = {}) =>
  createPromotion(db(), operator, {
    name: "Spring",
    amountNanoUsd: 5n * USD,
    audience: "code",
    recipientId: null,
    limitPerPayer: 1,
    limitTotal: null,
    expiresAt: null,
    requestId: randomUUID(),
    ...more,
  });
const redeem = (actor: Actor, typed: string | null, requestId: string = randomUUID()) =>
  redeemCode(db(), actor, { typed: typed!, requestId });
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => "given",
    (error) => error.code as string,
  );
const posted = async (walletId: number) => (await readBalance(db(), walletId)).postedNanoUsd;
const post = (walletId: number, amount: bigint) =>
  postAdjustment(db(), { walletId, amountNanoUsd: amount, idempotencyKey: randomUUID(), actor: "test", memo: "" });
const sound = async () => {
  expect(await bench.defects()).toBe(0);
  expect(await bench.sql("SELECT * FROM promotion_audit")).toEqual([]);
};

describe("a code", () => {
  test("is redeemed however it is typed, once, into the wallet that pays, and the ledger says where it came from", async () => {
    const { code } = await aPromotion();
    const member = await bench.anAdmin("member");
    expect(await redeem(member, ` ${code!.toLowerCase().replace("-", " – ")} `)).toMatchObject({
      name: "Spring",
      amountNanoUsd: 5n * USD,
    });
    expect(await posted(member.walletId)).toBe(5n * USD);
    expect(await outcome(redeem(member, code))).toBe("conflict");
    expect(
      await bench.sql(
        `SELECT t.kind, a.kind AS against, e.amount::text FROM ledger_txn t JOIN ledger_entry e ON e.txn_id = t.id
           JOIN ledger_account a ON a.id = e.account_id WHERE t.idem_key LIKE 'promotion:%' AND t.actor = $1 AND a.kind <> 'wallet'`,
        [`user:${member.userId}`],
      ),
    ).toEqual([{ kind: "promo_grant", against: "promo_expense", amount: String(-5n * USD) }]);
    expect(await readPromotionsLeft(db(), member.walletId)).toMatchObject([{ remainingNanoUsd: 5n * USD }]);
    await sound();
  });

  test("that does not exist, is exhausted, ended or over is refused in the same words", async () => {
    const ended = await aPromotion();
    await updatePromotion(db(), operator, ended.id, { ended: true });
    const exhausted = await aPromotion({ limitTotal: 1 });
    await redeem(await bench.anAdmin(), exhausted.code);
    const over = await aPromotion({ expiresAt: new Date(Date.now() + 60_000) });
    await bench.sql("UPDATE promotion SET expires_at = app_now() - interval '1 second' WHERE id = $1", [over.id]);
    const late = await bench.anAdmin();
    const said = await Promise.all(
      ["22222-22222", "none", ended.code, exhausted.code, over.code].map((code) =>
        redeem(late, code).catch(({ code, humanMessage, param }) => ({ code, humanMessage, param })),
      ),
    );
    expect(new Set(said.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(said[0]).toMatchObject({ code: "invalid_request", param: "code" });
    expect(await posted(late.walletId)).toBe(0n);
  });

  test("guessed at is refused after ten tries, and the right one then too", async () => {
    const guesser = await bench.anAdmin();
    const { code } = await aPromotion();
    const tries = [];
    for (let turn = 0; turn < 11; turn += 1) tries.push(await outcome(redeem(guesser, "33333-33333")));
    expect(tries.at(-1)).toBe("rate_limit_exceeded");
    expect(await outcome(redeem(guesser, code))).toBe("rate_limit_exceeded");
    expect(await posted(guesser.walletId)).toBe(0n);
  });

  test("guessed at from one network is refused after sixty tries of all its people, and right ones do not count", async () => {
    const address = "203.0.113.7";
    const { code } = await aPromotion({ limitPerPayer: 9 });
    const aPerson = async (from = address) => ({ ...(await bench.anAdmin()), address: from });
    const lucky = await aPerson();
    for (let turn = 0; turn < 3; turn += 1) expect(await outcome(redeem(lucky, code))).toBe("given");
    const guessers = await Promise.all(Array.from({ length: 6 }, () => aPerson()));
    for (const guesser of guessers.flatMap((each) => Array.from({ length: 10 }, () => each)))
      expect(await outcome(redeem(guesser, "33333-33333"))).toBe("invalid_request");
    const next = await aPerson();
    expect(await outcome(redeem(next, "33333-33333"))).toBe("rate_limit_exceeded");
    expect(await outcome(redeem(next, code))).toBe("rate_limit_exceeded");
    expect(await posted(next.walletId)).toBe(0n);
    expect(await outcome(redeem(await aPerson("198.51.100.7"), code))).toBe("given");
  });

  test("redeemed by many at once keeps its limits exactly, and the same request twice gives once", async () => {
    const { id, code } = await aPromotion({ limitTotal: 7, limitPerPayer: 2 });
    const payers = await Promise.all(Array.from({ length: 6 }, () => bench.anAdmin()));
    const all = await Promise.all(payers.flatMap((payer) => [1, 2, 3].map(() => outcome(redeem(payer, code)))));
    expect(all.filter((each) => each === "given")).toHaveLength(7);
    const balances = await Promise.all(payers.map(({ walletId }) => posted(walletId)));
    expect(balances.every((balance) => balance <= 10n * USD)).toBe(true);
    expect(balances.reduce((sum, balance) => sum + balance, 0n)).toBe(35n * USD);
    expect((await readPromotion(db(), id)).promotion).toMatchObject({ given: 7, state: "exhausted" });
    const one = await aPromotion({ limitPerPayer: 5 });
    const payer = await bench.anAdmin();
    const requestId = randomUUID();
    await Promise.all([1, 2, 3, 4].map(() => redeem(payer, one.code, requestId)));
    expect(await posted(payer.walletId)).toBe(5n * USD);
    await sound();
  });

  test("gives nothing to a payer that is not charged", async () => {
    const { code } = await aPromotion();
    const admin = await bench.anAdmin();
    await bench.sql("SELECT wallet_mark_exempt($1, true, 'test')", [admin.walletId]);
    expect(await outcome(redeem(admin, code))).toBe("conflict");
    expect(await posted(admin.walletId)).toBe(0n);
  });
});

describe("a promotion", () => {
  test("is made by platform admins only, once for each request, and not in the past", async () => {
    const admin = await bench.anAdmin("org_admin");
    const { id } = await aPromotion();
    await expect(updatePromotion(db(), admin, id, { ended: true })).rejects.toMatchObject({ code: "forbidden" });
    const requestId = randomUUID();
    const [first, second] = [await aPromotion({ requestId }), await aPromotion({ requestId })];
    expect(second).toEqual(first);
    await expect(aPromotion({ expiresAt: new Date(Date.now() - 1) })).rejects.toMatchObject({ param: "expires_at" });
    await expect(aPromotion({ audience: "user", recipientId: 999_999 })).rejects.toMatchObject({ code: "not_found" });
    await expect(updatePromotion(db(), operator, 999_999, { ended: true })).rejects.toMatchObject({
      code: "not_found",
    });
  });

  test("for an organisation or a person is in their payer's wallet at once", async () => {
    const admin = await bench.anAdmin();
    await aPromotion({ audience: "organisation", recipientId: admin.organisationId });
    await aPromotion({ audience: "user", recipientId: admin.userId, amountNanoUsd: 2n * USD });
    expect(await posted(admin.walletId)).toBe(7n * USD);
  });

  test("for newcomers goes to each payer once, when a person's address is proven", async () => {
    const { id } = await aPromotion({ audience: "new" });
    const [one, other] = [await bench.anAdmin(), await bench.anAdmin()];
    const second = await db().user.create({
      data: { email: `${randomUUID()}@example.com`, organisationId: one.organisationId },
    });
    await applyPromotions(db(), never);
    expect(await posted(one.walletId)).toBe(0n);
    await db().user.updateMany({
      where: { id: { in: [one.userId, second.id, other.userId] } },
      data: { emailVerifiedAt: new Date(), passwordHash: await hashPassword("several words and a half") },
    });
    await Promise.all([applyPromotions(db(), never), applyPromotions(db(), never)]);
    await applyPromotions(db(), never);
    expect([await posted(one.walletId), await posted(other.walletId)]).toEqual([5n * USD, 5n * USD]);
    await updatePromotion(db(), operator, id, { ended: true });
    await sound();
  });

  test("changed later keeps what it gave as it was given, and says who changed what", async () => {
    const { id, code } = await aPromotion({ limitPerPayer: 2 });
    const payer = await bench.anAdmin();
    await redeem(payer, code);
    await updatePromotion(db(), operator, id, { amountNanoUsd: USD, name: "Summer" });
    await redeem(payer, code);
    expect((await readPromotionsLeft(db(), payer.walletId)).map(({ amountNanoUsd }) => amountNanoUsd)).toEqual([
      5n * USD,
      USD,
    ]);
    await updatePromotion(db(), operator, id, { ended: true });
    await updatePromotion(db(), operator, id, { ended: true });
    const acts = await bench.sql(
      "SELECT action FROM act WHERE target_kind = 'promotion' AND target_id = $1 ORDER BY id",
      [String(id)],
    );
    expect(acts.map(({ action }) => action)).toEqual([
      "promotion.create",
      "promotion.redeem",
      "promotion.update",
      "promotion.redeem",
      "promotion.end",
    ]);
    expect((await listPromotions(db(), { beforeId: id + 1, limit: 1 })).promotions[0]).toMatchObject({
      id,
      state: "ended",
      given: 2,
    });
  });
});

describe("promotional credit", () => {
  test("goes back with a payment that is refunded only where the wallet has nothing else", async () => {
    const admin = await bench.anAdmin();
    const { sessionId } = await bench.aCheckout(admin, 10n);
    await bench.deliver(bench.processor.state.pay(sessionId));
    const { code } = await aPromotion();
    await redeem(admin, code);
    await post(admin.walletId, -6n * USD);
    const session = bench.processor.state.things.get(sessionId) as { amount_total: number };
    await bench.deliver(bench.processor.state.refund(sessionId, session.amount_total));
    // Of the payment 4 were left: they go, then the 5 of the promotion; 1 is owed.
    expect(await bench.standing(admin.walletId)).toEqual({ wallet: 0n, owed: USD });
    await applyPromotions(db(), never);
    expect(await readPromotionsLeft(db(), admin.walletId)).toEqual([]);
    await sound();
  });

  test("repays credit that was used before first", async () => {
    const admin = await bench.anAdmin();
    await bench.sql("SELECT wallet_set_credit_limit($1, $2)", [admin.walletId, 3n * USD]);
    await post(admin.walletId, -3n * USD);
    const { code } = await aPromotion();
    await redeem(admin, code);
    await applyPromotions(db(), never);
    expect(await readPromotionsLeft(db(), admin.walletId)).toMatchObject([{ remainingNanoUsd: 2n * USD }]);
    await sound();
  });

  test("goes along with its day when one payer's wallet is merged into another's, and back again", async () => {
    const [from, to] = [await bench.anAdmin(), await bench.anAdmin()];
    const expiresAt = new Date(Date.now() + 86_400_000);
    const { id, code } = await aPromotion({ expiresAt });
    await redeem(from, code);
    await post(from.walletId, 10n * USD);
    const merge = (fromId: number, toId: number) =>
      mergeWallets(db(), { fromId, toId, withCredit: true, actor: "test" });
    await merge(from.walletId, to.walletId);
    expect(await outcome(redeem(to, code))).toBe("conflict");
    await applyPromotions(db(), never);
    expect(await readPromotionsLeft(db(), from.walletId)).toEqual([]);
    expect(await readPromotionsLeft(db(), to.walletId)).toMatchObject([{ remainingNanoUsd: 5n * USD, expiresAt }]);
    await merge(to.walletId, from.walletId);
    await applyPromotions(db(), never);
    await applyPromotions(db(), never);
    expect(await readPromotionsLeft(db(), from.walletId)).toMatchObject([{ remainingNanoUsd: 5n * USD, expiresAt }]);
    expect((await readPromotion(db(), id)).promotion).toMatchObject({ given: 1, remainingNanoUsd: 5n * USD });
    await sound();
    await bench.sql("UPDATE promotion_credit SET expires_at = app_now() WHERE promotion_id = $1", [id]);
    await applyPromotions(db(), never);
    expect([await posted(from.walletId), await posted(to.walletId)]).toEqual([10n * USD, 0n]);
    await sound();
  });

  test("is looked for by the auditor: what the ledger does not say is a defect", async () => {
    const walletId = await openWallet(db(), {
      kind: "organisation",
      id: operator.organisationId,
      organisationId: operator.organisationId,
    });
    const { code } = await aPromotion();
    await redeem(operator, code);
    await bench.sql("UPDATE promotion_credit SET amount = amount + 1, remaining = remaining + 1 WHERE wallet_id = $1", [
      walletId,
    ]);
    expect((await bench.sql("SELECT defect FROM promotion_audit")).map(({ defect }) => defect)).toContain(
      "promotion_posting",
    );
    const [{ found }] = (await bench.sql("SELECT ledger_defects() AS found")) as [{ found: string }];
    expect(found).toContain("promotion_posting");
    await bench.sql("UPDATE promotion_credit SET amount = amount - 1, remaining = remaining - 1 WHERE wallet_id = $1", [
      walletId,
    ]);
    await sound();
  });

  // The last one: it leaves a call without a usage row behind.
  test("stays for calls that are charged and not posted yet when it expires", async () => {
    const admin = await bench.anAdmin();
    const { id, code } = await aPromotion();
    await redeem(admin, code);
    const credit = () =>
      bench.sql("SELECT spent::text, expired::text, remaining::text FROM promotion_credit WHERE promotion_id = $1", [
        id,
      ]);
    const callId = randomUUID();
    await bench.sql(
      `INSERT INTO hold (id, organisation_id, key_id, wallet_id, exempt, state, amount, captured, price_version, lease_owner, lease_until, created_at, resolved_at)
       VALUES ($1, $2, 1, $3, false, 'settled', $4, $4, 1, 'test', app_now(), app_now(), app_now())`,
      [callId, admin.organisationId, admin.walletId, 2n * USD],
    );
    await bench.sql("UPDATE ledger_account SET held = held + $2 WHERE id = $1", [admin.walletId, 2n * USD]);
    await bench.sql(
      "INSERT INTO unposted_turn (ids, calls, attempts, settled_at) VALUES (ARRAY[$1::uuid], '{}', '[]', app_now())",
      [callId],
    );
    await bench.sql("UPDATE promotion_credit SET expires_at = app_now() WHERE promotion_id = $1", [id]);
    await applyPromotions(db(), never);
    expect(await credit()).toEqual([{ spent: "0", expired: String(3n * USD), remaining: String(2n * USD) }]);
    // Posted, it is what the credit was spent on.
    await bench.sql("DELETE FROM unposted_turn WHERE $1 = ANY (ids)", [callId]);
    await bench.sql("UPDATE ledger_account SET held = held - $2 WHERE id = $1", [admin.walletId, 2n * USD]);
    await bench.sql("SELECT wallet_post($1, 'revenue', $2, 'usage', $3, 'test', NULL)", [
      admin.walletId,
      -2n * USD,
      callId,
    ]);
    await applyPromotions(db(), never);
    expect(await credit()).toEqual([{ spent: String(2n * USD), expired: String(3n * USD), remaining: "0" }]);
    expect(await posted(admin.walletId)).toBe(0n);
  });
});
