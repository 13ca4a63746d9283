import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { db } from "~/connection/db.server";
import { openWallet } from "~/domain/accounting/index.server";
import type { Actor } from "~/domain/accounts/shared";
import { issueKey, verifyKey } from "~/domain/keys/index.server";
import { hardDelete, setBillingExempt, setOrganisation, setRole, setStatus } from "~/domain/people/index.server";
import { actorFor, anActor, anOrganisation, aPerson, codeOf } from "../../../tests/support/administered";
import { openFreshDatabase, type TestDatabase } from "../../../tests/support/database";
import {
  answerNomination,
  readBillingDuties,
  readNomination,
  setBillingUser,
  withdrawAsBillingUser,
} from "./index.server";

let database: TestDatabase;
let platform: Actor;
beforeAll(async () => {
  setConfig(readConfig({ GW_SECRET: "a-secret-for-tests-0123456789abcdefgh" }));
  database = await openFreshDatabase();
  const home = await anOrganisation();
  await aPerson(home.id, "owner");
  platform = await anActor(home.id, "platform_admin");
});
afterAll(() => database.close());

async function aHome() {
  const { id } = await anOrganisation();
  const boss = await anActor(id, "org_admin");
  const payer = await anActor(id, "member");
  const payerOf = async () => (await db().organisation.findUniqueOrThrow({ where: { id } })).billingUserId;
  const nominate = (userId: number | null = payer.userId, by = boss) => setBillingUser(db(), by, id, userId);
  return { id, boss, payer, payerOf, nominate };
}
const acts = async (organisationId: number) =>
  (await db().act.findMany({ where: { organisationId, targetKind: "organisation" }, orderBy: { id: "asc" } })).map(
    ({ action }) => action,
  );

test("a nominated person's wallet pays from the moment they accept, and no sooner", async () => {
  const { id, payer, payerOf, nominate } = await aHome();
  const key = await issueKey(db(), { organisationId: id, name: "key" });
  const own = (await verifyKey(key.secret)).walletId;
  expect(await nominate()).toMatchObject({
    billingUserId: null,
    nominatedUserId: payer.userId,
    asked: { id: payer.userId },
  });
  expect([await payerOf(), (await verifyKey(key.secret)).walletId]).toEqual([null, own]);
  expect(await readBillingDuties(db(), payer)).toMatchObject({
    pays: false,
    people: 2,
    asked: { by: expect.any(String) },
  });
  await answerNomination(db(), payer, "accept");
  const wallet = await openWallet(db(), { kind: "user", id: payer.userId, organisationId: id });
  expect((await verifyKey(key.secret)).walletId).toBe(wallet);
  // Repeating it changes nothing.
  await answerNomination(db(), payer, "accept");
  expect(await readBillingDuties(db(), payer)).toMatchObject({ pays: true, asked: null });
  await withdrawAsBillingUser(db(), payer);
  expect((await verifyKey(key.secret)).walletId).toBe(own);
  expect(await codeOf(withdrawAsBillingUser(db(), payer))).toBe("not_found");
  expect(await acts(id)).toEqual([
    "organisation.billing_user_nominate",
    "organisation.billing_user_accept",
    "organisation.billing_user_withdraw",
  ]);
});

test("declining changes nothing, and nobody else answers for them", async () => {
  const { id, boss, payer, payerOf, nominate } = await aHome();
  await nominate();
  const others = [boss, await anActor(id, "member"), await anActor((await anOrganisation()).id, "member"), platform];
  for (const other of others) expect(await codeOf(answerNomination(db(), other, "accept"))).toBe("not_found");
  await answerNomination(db(), payer, "decline");
  expect(await codeOf(answerNomination(db(), payer, "accept"))).toBe("not_found");
  expect([await payerOf(), await readNomination(db(), boss, id)]).toEqual([null, null]);
});

test("oneself pays at once, clearing is at once, the same again asks nobody twice, and another choice replaces the question", async () => {
  const { boss, payer, payerOf, nominate } = await aHome();
  await nominate(boss.userId);
  expect(await payerOf()).toBe(boss.userId);
  await nominate();
  expect((await nominate()).asked).toBeNull();
  expect(await payerOf()).toBe(boss.userId);
  const second = await anActor(boss.organisationId, "member");
  await nominate(second.userId);
  expect(await codeOf(answerNomination(db(), payer, "accept"))).toBe("not_found");
  await nominate(boss.userId);
  expect(await codeOf(answerNomination(db(), second, "accept"))).toBe("not_found");
  await nominate();
  await nominate(null);
  expect(await payerOf()).toBeNull();
  expect(await codeOf(answerNomination(db(), payer, "accept"))).toBe("not_found");
});

test("those who run the installation ask too", async () => {
  const { payer, payerOf, nominate } = await aHome();
  await nominate(payer.userId, platform);
  expect(await payerOf()).toBeNull();
});

test("whoever leaves, is put away or loses rank is not asked any more", async () => {
  const ends: [string, (payer: Actor) => Promise<unknown>][] = [
    ["suspended", ({ userId }) => setStatus(db(), platform, userId, "suspended")],
    ["archived", ({ userId }) => setStatus(db(), platform, userId, "archived")],
    ["moved", ({ userId }) => setOrganisation(db(), platform, userId, platform.organisationId)],
    ["deleted", ({ userId, email }) => hardDelete(db(), platform, userId, email)],
    ["demoted", ({ userId }) => setRole(db(), platform, userId, "viewer")],
  ];
  for (const [what, end] of ends) {
    const { id, boss, payer, payerOf, nominate } = await aHome();
    await nominate();
    await end(payer);
    expect([what, await readNomination(db(), boss, id)]).toEqual([what, null]);
    expect(
      await codeOf(answerNomination(db(), await actorFor(payer.userId, { organisationId: id }), "accept")),
    ).not.toBe("ok");
    expect([what, await payerOf()]).toEqual([what, null]);
    expect(await acts(id)).toContain("organisation.billing_user_end");
  }
});

test("an exempt person's exemption is not given to everybody by the organisation's own admins", async () => {
  const { payer, boss, payerOf, nominate } = await aHome();
  await setBillingExempt(db(), platform, payer.userId, true);
  expect(await codeOf(nominate())).toBe("forbidden");
  await setBillingExempt(db(), platform, boss.userId, true);
  expect(await codeOf(nominate(boss.userId))).toBe("forbidden");
  await setBillingExempt(db(), platform, payer.userId, false);
  await nominate();
  await setBillingExempt(db(), platform, payer.userId, true);
  expect(await codeOf(answerNomination(db(), payer, "accept"))).toBe("forbidden");
  expect(await payerOf()).toBeNull();
  await nominate(null);
  await nominate(payer.userId, platform);
  await answerNomination(db(), payer, "accept");
  expect(await payerOf()).toBe(payer.userId);
});

test("one address is not flooded with questions", async () => {
  const { payer, nominate } = await aHome();
  const outcomes: string[] = [];
  for (let round = 0; round < 7; round += 1) {
    outcomes.push(await codeOf(nominate(payer.userId)));
    await nominate(null);
  }
  expect(outcomes.at(-1)).toBe("rate_limit_exceeded");
});
