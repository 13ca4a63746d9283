import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "~/connection/db.server";
import { setBudget } from "~/domain/accounting/index.server";
import { recordRejections } from "~/domain/request-log/index.server";

import { type BillingBench, openBilling } from "../../../tests/support/billing";
import type { Actor } from "../accounts/shared";
import {
  changeAlertSettings,
  consentToAlerts,
  deliverAlerts,
  evaluateBudgets,
  readAlertHistory,
  readAlertSettings,
  revokeAlertConsent,
} from "./index.server";

let bench: BillingBench;
beforeAll(async () => {
  bench = await openBilling();
}, 120_000);
afterAll(() => bench?.close());

type Owned = { owner: Actor; admin: Actor; keyId: number };
let made = 0;

/** A key with a daily budget of 100, its owner and an admin of the organisation. */
async function aKey(): Promise<Owned> {
  const admin = await bench.anAdmin();
  made += 1;
  const { id: userId, email } = await db().user.create({
    data: { email: `owner-${made}@example.com`, name: "Owner", organisationId: admin.organisationId },
  });
  const key = await db().apiKey.create({
    data: {
      ...{ publicId: `alert-${made}`, organisationId: admin.organisationId, userId, name: `Key ${made}` },
      ...{ secretHmac: Buffer.from(`alert-${made}`), secretPrefix: "gw", secretLast4: "0000" },
    },
  });
  const budget = { limitNanoUsd: 100n, period: "daily" as const };
  await setBudget(db(), { kind: "key", id: key.id, organisationId: admin.organisationId }, budget);
  return { owner: { ...admin, userId, email, role: "member" }, admin, keyId: key.id };
}

/** A mail outbox that hands each email to `see`. */
const mailing = (see: (to: { userId: number; email: string }) => void) => ({
  alert: async (_tx: unknown, to: { userId: number; email: string }) => see(to),
  webhookDisabled: async () => undefined,
});

const spend = (keyId: number, amount: number) =>
  bench.sql(
    `INSERT INTO budget_counter (budget_id, period_start, organisation_id, spent)
       SELECT id, budget_period_start(period, app_now()), organisation_id, $2 FROM budget WHERE scope_kind = 'key' AND scope_id = $1 AND active
     ON CONFLICT (budget_id, period_start) DO UPDATE SET spent = budget_counter.spent + excluded.spent`,
    [keyId, amount],
  );

/** Notes that a request was refused by a budget or a wallet. */
const refusedBy = (by: { scope: string; walletId: number | null }, key: { keyId: number; organisationId: number }) =>
  recordRejections(db(), [
    {
      ...{ at: new Date(), ...key, requestId: crypto.randomUUID(), ...by },
      ...{ endpoint: "chat.completions", model: "m", code: "budget_exceeded", status: 402, param: null },
      ...{ humanMessage: "used up", retryAfterSeconds: null, details: null },
    },
  ]);

const historyOf = async (actor: Actor) => (await readAlertHistory(db(), actor, { limit: 100 })).deliveries;
const toldTo = async (actor: Actor) =>
  (await historyOf(actor)).map(({ kind, threshold, scopeName }) => `${scopeName}: ${kind} ${threshold}`);
const activate = (actor: Actor, thresholds?: number[]) =>
  changeAlertSettings(db(), actor, { active: true, ...(thresholds ? { thresholds } : {}) });

test("a threshold is told once a period to the owner of the key, whatever number of evaluators look at once", async () => {
  const { owner, keyId } = await aKey();
  await activate(owner);
  for (const amount of [49, 2, 30, 10, 8, 1, 5]) {
    await spend(keyId, amount);
    await Promise.all(Array.from({ length: 8 }, () => evaluateBudgets(db())));
  }
  const told = await toldTo(owner);
  expect(told.map((each) => each.split(": ")[1])).toEqual([
    "threshold 100",
    "threshold 90",
    "threshold 80",
    "threshold 50",
  ]);
  const [last] = await historyOf(owner);
  expect(last).toMatchObject({ state: "pending", spentNanoUsd: 100n, availableNanoUsd: 0n, scope: "key" });
});

test("thresholds that are crossed at once are told by the highest that somebody wants", async () => {
  const { owner, admin, keyId } = await aKey();
  await activate(owner, [10, 60]);
  await consentToAlerts(db(), admin);
  await activate(admin, [10, 95]);
  await spend(keyId, 70);
  await evaluateBudgets(db());
  expect((await toldTo(owner)).map((each) => each.split(": ")[1])).toEqual(["threshold 60"]);
  expect((await toldTo(admin)).map((each) => each.split(": ")[1])).toEqual(["threshold 10"]);
});

test("those who manage a key are told with their consent only, and not after they took it back", async () => {
  const { admin, keyId } = await aKey();
  await activate(admin);
  await spend(keyId, 60);
  await evaluateBudgets(db());
  expect(await toldTo(admin)).toEqual([]);
  await consentToAlerts(db(), admin);
  expect(await readAlertSettings(db(), admin)).toMatchObject({ active: true, consentVersion: expect.any(String) });
  await spend(keyId, 30);
  await evaluateBudgets(db());
  expect(await toldTo(admin)).toHaveLength(1);
  await revokeAlertConsent(db(), admin);
  const mailed: string[] = [];
  await deliverAlerts(
    db(),
    mailing((to) => void mailed.push(to.email)),
  );
  expect(mailed).not.toContain(admin.email);
  expect((await historyOf(admin))[0]).toMatchObject({ state: "cancelled" });
});

test("alerts are written for the owner and for the consenting managers of the same place, for no one else", async () => {
  const { owner, admin, keyId } = await aKey();
  const department = (name: string) => db().department.create({ data: { name, organisationId: admin.organisationId } });
  const [research, sales] = [await department("Research"), await department("Sales")];
  await db().apiKey.update({ where: { id: keyId }, data: { departmentId: research.id } });
  const person = async (
    name: string,
    place: { organisationId: number; departmentId?: number },
    role: Actor["role"],
  ) => {
    made += 1;
    const email = `${name}-${made}@example.com`;
    const { id: userId } = await db().user.create({ data: { email, name, role, ...place } });
    const actor: Actor = { ...admin, userId, email, role, departmentId: null, ...place };
    await consentToAlerts(db(), actor);
    await activate(actor);
    return actor;
  };
  const home = { organisationId: admin.organisationId };
  const told = {
    own: await person("own", { ...home, departmentId: research.id }, "department_admin"),
    other: await person("other", { ...home, departmentId: sales.id }, "department_admin"),
    colleague: await person("colleague", { ...home, departmentId: research.id }, "member"),
    stranger: await person("stranger", { organisationId: (await bench.anAdmin()).organisationId }, "org_admin"),
  };
  await activate(owner);
  await consentToAlerts(db(), admin);
  await spend(keyId, 60);
  await evaluateBudgets(db());
  for (const actor of [owner, admin, told.own]) expect(await toldTo(actor), actor.email).toHaveLength(1);
  for (const actor of [told.other, told.colleague, told.stranger])
    expect(await historyOf(actor), actor.email).toEqual([]);
});

test("that a budget begins to refuse is told once, and that it has room again", async () => {
  const { owner, keyId } = await aKey();
  await activate(owner, [100]);
  await spend(keyId, 94);
  const refuse = () => refusedBy({ scope: "key", walletId: null }, { keyId, organisationId: owner.organisationId });
  await refuse();
  await evaluateBudgets(db());
  await refuse();
  await evaluateBudgets(db());
  expect((await toldTo(owner)).map((each) => each.split(": ")[1])).toEqual(["refusing 0"]);
  const budget = { limitNanoUsd: 200n, period: "daily" as const };
  await setBudget(db(), { kind: "key", id: keyId, organisationId: owner.organisationId }, budget);
  await evaluateBudgets(db());
  expect((await toldTo(owner)).map((each) => each.split(": ")[1])).toEqual(["accepting 0", "refusing 0"]);
});

test("a wallet that refuses is told to whoever it belongs to, and again only after it has been filled", async () => {
  const { owner, admin, keyId } = await aKey();
  await activate(owner);
  await consentToAlerts(db(), admin);
  const [wallet] = await bench.sql<{ id: number }>(
    "SELECT id::int FROM ledger_account WHERE kind = 'wallet' AND payer_kind = 'organisation' AND payer_id = $1",
    [admin.organisationId],
  );
  const key = { keyId, organisationId: admin.organisationId };
  for (let turn = 0; turn < 3; turn += 1) {
    await refusedBy({ scope: "wallet", walletId: wallet!.id }, key);
    await Promise.all(Array.from({ length: 4 }, () => evaluateBudgets(db())));
  }
  const kinds = async (actor: Actor) => (await historyOf(actor)).map(({ scope, kind }) => `${scope} ${kind}`);
  expect(await kinds(admin)).toEqual(["wallet refusing"]);
  expect(await kinds(owner)).toEqual([]);
  await bench.sql("SELECT wallet_post($1, 'adjustment', 5000000000, 'adjustment', $2, 'test', 'more')", [
    wallet!.id,
    crypto.randomUUID(),
  ]);
  await evaluateBudgets(db());
  expect(await kinds(admin)).toEqual(["wallet accepting", "wallet refusing"]);
});

test("an email goes out once although many deliver, and again after whoever sent it died before it was written down", async () => {
  const { owner, keyId } = await aKey();
  await activate(owner);
  await spend(keyId, 50);
  await evaluateBudgets(db());
  await deliverAlerts(
    db(),
    mailing((to) => {
      if (to.userId === owner.userId) throw new Error("killed");
    }),
  );
  expect((await historyOf(owner))[0]).toMatchObject({ state: "pending", attempts: 1, error: "killed" });
  await bench.sql("UPDATE alert_delivery SET next_attempt_at = app_now() WHERE state = 'pending'");
  const mailed: number[] = [];
  await Promise.all(
    Array.from({ length: 4 }, () =>
      deliverAlerts(
        db(),
        mailing((to) => void mailed.push(to.userId)),
      ),
    ),
  );
  expect(mailed.filter((userId) => userId === owner.userId)).toHaveLength(1);
  expect((await historyOf(owner))[0]).toMatchObject({ state: "sent", error: null });
});

test("what cannot be delivered is tried twelve times, then it is dead and stays to be seen", async () => {
  const { owner, keyId } = await aKey();
  await activate(owner);
  await spend(keyId, 50);
  await evaluateBudgets(db());
  for (let attempt = 0; attempt < 13; attempt += 1) {
    await bench.sql("UPDATE alert_delivery SET next_attempt_at = app_now() WHERE state = 'pending'");
    await deliverAlerts(
      db(),
      mailing(() => {
        throw new Error("no");
      }),
    );
  }
  expect((await historyOf(owner))[0]).toMatchObject({ state: "dead", attempts: 12, nextAttemptAt: null });
});

test("a wallet's low balance is told to those who manage it, at the amount that each has chosen", async () => {
  const { admin } = await aKey();
  await consentToAlerts(db(), admin);
  await changeAlertSettings(db(), admin, { lowBalanceNanoUsd: 5_000n });
  await evaluateBudgets(db());
  await evaluateBudgets(db());
  expect((await toldTo(admin)).map((each) => each.split(": ")[1])).toEqual(["low_balance 5000"]);
});

test("a history holds only what was addressed to its reader, whoever's id bounds it", async () => {
  const [mine, other] = [await aKey(), await aKey()];
  for (const { owner, keyId } of [mine, other]) {
    await activate(owner);
    await spend(keyId, 50);
    await evaluateBudgets(db());
  }
  const [foreign] = await historyOf(other.owner);
  const page = await readAlertHistory(db(), mine.owner, { beforeId: foreign!.id, limit: 100 });
  expect(page.deliveries.map(({ scopeId }) => scopeId)).toEqual([mine.keyId]);
});

test("a deleted person leaves no settings and no deliveries", async () => {
  const { owner, keyId } = await aKey();
  await activate(owner);
  await spend(keyId, 50);
  await evaluateBudgets(db());
  await bench.sql("UPDATE app_user SET status = 'deleted' WHERE id = $1", [owner.userId]);
  expect(await historyOf(owner)).toEqual([]);
  expect(await readAlertSettings(db(), owner)).toMatchObject({ active: false });
});
