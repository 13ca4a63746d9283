import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { db } from "~/connection/db.server";
import { openWallet } from "~/domain/accounting/index.server";
import { verifyAuditLog } from "~/domain/activity/index.server";
import { issueKey, payerOf, verifyKey } from "~/domain/keys/index.server";
import {
  hardDelete,
  setBillingConfig,
  setBillingExempt,
  setOrganisation,
  setStatus,
} from "~/domain/people/index.server";
import { actorFor, anActor, anOrganisation, aPerson, codeOf } from "../../../tests/support/administered";
import { openFreshDatabase, type TestDatabase } from "../../../tests/support/database";
import type { Actor } from "../accounts/shared";
import { acceptDelegation, endDelegation, listDelegations, proposeDelegation } from "./index.server";

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

const pays = (userId: number, billingMode = "own") =>
  db().user.update({ where: { id: userId }, data: { billingMode } });

/** Two colleagues who pay for themselves, and a key of the first. */
async function aPair() {
  const { id: organisationId } = await anOrganisation();
  const user = await anActor(organisationId, "member");
  const payer = await anActor(organisationId, "member");
  await pays(user.userId);
  await pays(payer.userId);
  const key = await issueKey(db(), { organisationId, userId: user.userId, name: "key" });
  const wallet = (person: Actor) => openWallet(db(), { kind: "user", id: person.userId, organisationId });
  const [own, payers] = [await wallet(user), await wallet(payer)];
  const walletNow = async () => (await verifyKey(key.secret)).walletId;
  const reasonNow = async () => (await payerOf(db(), { organisationId, userId: user.userId, projectId: null })).reason;
  const request = async () => (await proposeDelegation(db(), user, { kind: "request", email: payer.email })).id;
  return { organisationId, user, payer, own, payers, walletNow, reasonNow, request };
}

test("a colleague's wallet pays from the moment they accept until one of the two ends it", async () => {
  const { user, payer, own, payers, walletNow, reasonNow, request } = await aPair();
  const id = await request();
  expect(await walletNow()).toBe(own);
  expect(await listDelegations(db(), payer)).toMatchObject([
    { id, pays: true, askedByReader: false, acceptedAt: null },
  ]);
  // The requester cannot answer for the other person.
  expect(await codeOf(acceptDelegation(db(), user, id))).toBe("not_found");
  expect(await acceptDelegation(db(), payer, id)).toMatchObject({ payer: { id: payer.userId } });
  expect([await walletNow(), await reasonNow()]).toEqual([payers, "delegated"]);
  expect(await acceptDelegation(db(), payer, id)).toBeNull();
  await endDelegation(db(), user, id);
  expect([await walletNow(), await reasonNow()]).toEqual([own, "own"]);
  expect(await codeOf(endDelegation(db(), payer, id))).toBe("not_found");
  const acts = await db().act.findMany({
    where: { subjectUserId: user.userId, targetKind: "user" },
    orderBy: { id: "asc" },
  });
  expect(acts.map(({ action }) => action)).toEqual(["user.payer_ask", "user.payer_accept", "user.payer_end"]);
});

test("an offer is the payer's consent, and the person accepts it", async () => {
  const { user, payer, payers, walletNow } = await aPair();
  const { id, asked } = await proposeDelegation(db(), payer, { kind: "offer", email: user.email });
  expect(asked.id).toBe(user.userId);
  expect(await codeOf(acceptDelegation(db(), payer, id))).toBe("not_found");
  await acceptDelegation(db(), user, id);
  expect(await walletNow()).toBe(payers);
});

test("another agreement replaces the one before, and many acceptances at once leave one payer", async () => {
  const { organisationId, user, payer, walletNow, request } = await aPair();
  const others = await Promise.all([1, 2, 3].map(() => anActor(organisationId, "member")));
  const ids = new Map([[payer.userId, await request()]]);
  for (const other of others) {
    await pays(other.userId);
    ids.set(other.userId, (await proposeDelegation(db(), user, { kind: "request", email: other.email })).id);
  }
  await Promise.all([payer, ...others].map((each) => acceptDelegation(db(), each, ids.get(each.userId)!)));
  const inForce = (await listDelegations(db(), user)).filter(({ acceptedAt }) => acceptedAt !== null);
  expect(inForce).toHaveLength(1);
  const winner = [payer, ...others].find(({ userId }) => ids.get(userId) === inForce[0]!.id)!;
  expect(await walletNow()).toBe(await openWallet(db(), { kind: "user", id: winner.userId, organisationId }));
});

describe("nobody pays who did not agree", () => {
  test("a stranger of another organisation is not found, neither by address nor by id", async () => {
    const [one, other] = [await aPair(), await aPair()];
    const ask = proposeDelegation(db(), one.user, { kind: "request", email: other.payer.email });
    expect(await codeOf(ask)).toBe("not_found");
    const id = await other.request();
    expect(await codeOf(acceptDelegation(db(), one.payer, id))).toBe("not_found");
    expect(await codeOf(endDelegation(db(), one.payer, id))).toBe("not_found");
    expect(await other.walletNow()).toBe(other.own);
  });

  test("who does not pay for themselves, is exempt, or is paid for pays for nobody: no chain", async () => {
    const { organisationId, user, payer, request } = await aPair();
    const inherits = await anActor(organisationId, "member");
    const refused = (by: Actor, kind: "offer" | "request", email: string) =>
      codeOf(proposeDelegation(db(), by, { kind, email }));
    expect(await refused(inherits, "offer", user.email)).toBe("conflict");
    const exempt = await anActor(organisationId, "member");
    await pays(exempt.userId);
    await setBillingExempt(db(), platform, exempt.userId, true);
    expect(await refused(exempt, "offer", user.email)).toBe("conflict");
    await acceptDelegation(db(), payer, await request());
    const third = await anActor(organisationId, "member");
    await pays(third.userId);
    expect(await refused(third, "offer", payer.email)).toBe("conflict");
    expect(await refused(user, "offer", third.email)).toBe("conflict");
    expect(await refused(user, "request", user.email)).toBe("invalid_input");
    expect(await refused(user, "request", payer.email)).toBe("conflict");
  });

  test("who became exempt or unable between question and answer cannot accept", async () => {
    const { payer, own, walletNow, request } = await aPair();
    const id = await request();
    await setBillingConfig(db(), platform, payer.userId, { mode: "inherit" });
    expect(await codeOf(acceptDelegation(db(), payer, id))).toBe("conflict");
    expect(await walletNow()).toBe(own);
  });
});

describe("an agreement that stands ends by itself", () => {
  const ends: [string, (payer: Actor, there: number) => Promise<unknown>][] = [
    ["the payer is archived", (payer) => setStatus(db(), platform, payer.userId, "archived")],
    ["the payer is deleted", (payer) => hardDelete(db(), platform, payer.userId, payer.email)],
    ["the payer moves away", (payer, there) => setOrganisation(db(), platform, payer.userId, there)],
  ];
  test.each(ends)("when %s, and says so", async (_, act) => {
    const { user, payer, own, walletNow, request } = await aPair();
    const there = await anOrganisation();
    await acceptDelegation(db(), payer, await request());
    await act(payer, there.id);
    expect(await walletNow()).toBe(own);
    expect(await listDelegations(db(), user)).toEqual([]);
    const acts = await db().act.findMany({ where: { subjectUserId: user.userId, action: "user.payer_end" } });
    expect(acts).toMatchObject([
      { actorId: null, actorLabel: "gw", organisationId: user.organisationId, targetLabel: user.email },
    ]);
    expect((await verifyAuditLog(db())).defects).toEqual([]);
    const notices = await db().$queryRaw`
      SELECT user_id, facts FROM billing_notice WHERE kind = 'payer_ended' AND user_id IN (${user.userId}, ${payer.userId})
       ORDER BY user_id`;
    const toPayer = { user_id: payer.userId, facts: { pays: true, person: user.name } };
    expect(notices).toEqual([
      { user_id: user.userId, facts: { pays: false, person: payer.name } },
      ...(_ === "the payer moves away" ? [toPayer] : []),
    ]);
  });

  test("a question that nobody has answered ends as well, and there is nothing to tell", async () => {
    const { user, payer, request } = await aPair();
    await request();
    await setStatus(db(), platform, payer.userId, "archived");
    expect(await listDelegations(db(), user)).toEqual([]);
    expect(await db().act.count({ where: { subjectUserId: user.userId, action: "user.payer_end" } })).toBe(1);
    expect(await db().$queryRaw`SELECT FROM billing_notice WHERE user_id = ${user.userId}`).toEqual([]);
  });

  test("as long as the payer does not pay for themselves or is exempt, they do not pay for others", async () => {
    const { payer, own, payers, walletNow, request } = await aPair();
    await acceptDelegation(db(), payer, await request());
    await setBillingConfig(db(), platform, payer.userId, { mode: "inherit" });
    expect(await walletNow()).toBe(own);
    await setBillingConfig(db(), platform, payer.userId, { mode: "own" });
    expect(await walletNow()).toBe(payers);
    await setBillingExempt(db(), platform, payer.userId, true);
    expect(await walletNow()).toBe(own);
  });

  test("not when both go along into another organisation, nor while the payer is suspended, whom the person can still leave", async () => {
    const { user, payer, payers, own, walletNow, request } = await aPair();
    const id = await request();
    await acceptDelegation(db(), payer, id);
    const there = await anOrganisation();
    await db()
      .$executeRaw`UPDATE app_user SET organisation_id = ${there.id} WHERE id IN (${user.userId}, ${payer.userId})`;
    expect(await listDelegations(db(), user)).toMatchObject([{ id }]);
    await db()
      .$executeRaw`UPDATE app_user SET organisation_id = ${user.organisationId} WHERE id IN (${user.userId}, ${payer.userId})`;
    await setStatus(db(), platform, payer.userId, "suspended");
    expect(await walletNow()).toBe(payers);
    await endDelegation(db(), await actorFor(user.userId), id);
    expect(await walletNow()).toBe(own);
  });
});
