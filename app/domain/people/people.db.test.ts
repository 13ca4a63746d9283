import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { db } from "~/connection/db.server";
import type { Cursor } from "~/connection/keyset-store";
import { grantFunds, openWallet, readBalance, readBudget } from "~/domain/accounting/index.server";
import { issueKey, verifyKey } from "~/domain/keys/index.server";
import { AppError } from "~/errors/app-error";
import { actorFor, aDepartment, anActor, anOrganisation, aPerson } from "../../../tests/support/administered";
import { openFreshDatabase, type TestDatabase } from "../../../tests/support/database";
import { type Actor, ROLES, type Role, rankOfRole } from "../accounts/shared";
import {
  hardDelete,
  listPeople,
  previewConsequences,
  readPerson,
  setBillingConfig,
  setBillingExempt,
  setCreditLimit,
  setDepartment,
  setMonthlyBudget,
  setOrganisation,
  setRole,
  setStatus,
} from "./index.server";
import { NEWEST_PEOPLE, PEOPLE_BY_EMAIL } from "./shared";

let database: TestDatabase;
beforeAll(async () => {
  setConfig(readConfig({ GW_SECRET: "a-secret-for-tests-0123456789abcdefgh" }));
  database = await openFreshDatabase();
});
afterAll(() => database.close());

/** Result of an operation: "ok", or the code of its rejection. */
async function outcomeOf(act: Promise<unknown>): Promise<string> {
  try {
    await act;
    return "ok";
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

const OPERATIONS: Record<string, { least: Role; run: (actor: Actor, id: number, email: string) => Promise<unknown> }> =
  {
    role: {
      least: "department_admin",
      run: async (actor, id) => {
        const { role } = await db().user.findUniqueOrThrow({ where: { id } });
        return setRole(db(), actor, id, role === "viewer" ? "member" : "viewer");
      },
    },
    status: { least: "department_admin", run: (actor, id) => setStatus(db(), actor, id, "suspended") },
    "credit-limit": { least: "org_admin", run: (actor, id) => setCreditLimit(db(), actor, id, 5n) },
    "billing-config": {
      least: "org_admin",
      run: (actor, id) =>
        setBillingConfig(db(), actor, id, { mode: "own", credit: { limitNanoUsd: 7n, param: "credit_limit" } }),
    },
    department: { least: "org_admin", run: (actor, id) => setDepartment(db(), actor, id, null) },
    "billing-exempt": { least: "platform_admin", run: (actor, id) => setBillingExempt(db(), actor, id, true) },
    "monthly-budget": { least: "platform_admin", run: (actor, id) => setMonthlyBudget(db(), actor, id, 9n) },
    org: {
      least: "platform_admin",
      run: async (actor, id) => setOrganisation(db(), actor, id, (await anOrganisation()).id),
    },
    "hard-delete": { least: "org_admin", run: (actor, id, email) => hardDelete(db(), actor, id, email) },
  };

test.each(Object.keys(OPERATIONS))(
  "%s: every actor's role against every target's, near and far",
  async (name) => {
    const { least: minimum, run } = OPERATIONS[name]!;
    for (const actorRole of ROLES) {
      for (const targetRole of ROLES) {
        for (const location of ["same department", "same organisation", "foreign"] as const) {
          const home = await anOrganisation({ creditCeilingNanoUsd: 7n });
          const department = await aDepartment(home.id);
          const actor = await anActor(home.id, actorRole, { departmentId: department.id });
          const elsewhere = location === "foreign" ? (await anOrganisation()).id : home.id;
          const targetDepartment = location === "same department" ? department.id : (await aDepartment(elsewhere)).id;
          const target = await aPerson(elsewhere, targetRole, { departmentId: targetDepartment });
          await aPerson(home.id, "owner");
          const outcome = await outcomeOf(run(actor, target.id, target.email));
          const label = `${actorRole} does ${name} to ${targetRole} (${location})`;
          expect(`${label}: ${outcome}`).toBe(`${label}: ${expected(name, minimum, actorRole, targetRole, location)}`);
          const acts = await db().act.count({ where: { targetKind: "user", targetId: String(target.id) } });
          expect(`${label}: ${acts > 0}`).toBe(`${label}: ${outcome === "ok"}`);
        }
      }
    }
  },
  120_000,
);

function expected(name: string, minimum: Role, actor: Role, target: Role, location: string): string {
  if (rankOfRole(actor) > rankOfRole(minimum)) return "forbidden";
  const everywhere = rankOfRole(actor) <= rankOfRole("platform_admin");
  if (!everywhere && location === "foreign") return "not_found";
  if (actor === "department_admin" && location !== "same department") return "not_found";
  if (actor !== "owner" && rankOfRole(actor) >= rankOfRole(target)) return "forbidden";
  // A department admin needs a department.
  if (name === "department" && target === "department_admin") return "conflict";
  return "ok";
}

test("roles that are given stand below the giver's, and only an owner makes owners", async () => {
  const home = await anOrganisation();
  for (const actorRole of ROLES.slice(0, 4)) {
    const department = await aDepartment(home.id);
    const actor = await anActor(home.id, actorRole, { departmentId: department.id });
    for (const given of ROLES) {
      const target = await aPerson(home.id, given === "viewer" ? "member" : "viewer", { departmentId: department.id });
      const outcome = await outcomeOf(setRole(db(), actor, target.id, given));
      expect(`${actorRole} gives ${given}: ${outcome}`).toBe(
        `${actorRole} gives ${given}: ${actorRole === "owner" || rankOfRole(actorRole) < rankOfRole(given) ? "ok" : "forbidden"}`,
      );
    }
  }
});

test("nobody raises themselves, not even to the role that they have", async () => {
  const home = await anOrganisation();
  for (const actorRole of ROLES.slice(1)) {
    const department = await aDepartment(home.id);
    const actor = await anActor(home.id, actorRole, { departmentId: department.id });
    for (const given of ROLES) {
      const outcome = await outcomeOf(setRole(db(), actor, actor.userId, given));
      expect(`${actorRole} takes ${given}: ${outcome}`).toBe(`${actorRole} takes ${given}: forbidden`);
    }
  }
});

test("another role signs a person out everywhere; an owner who steps down keeps the session they act in", async () => {
  const home = await anOrganisation();
  const owner = await anActor(home.id, "owner");
  await aPerson(home.id, "owner");
  const person = await aPerson(home.id, "member");
  const sessionOf = async (userId: number) => {
    const expiresAt = new Date(Date.now() + 3_600_000);
    return (await db().session.create({ data: { tokenHash: randomBytes(32), userId, expiresAt } })).id;
  };
  const left = (userId: number) => db().session.count({ where: { userId } });
  await sessionOf(person.id);
  await sessionOf(person.id);
  const own = await sessionOf(owner.userId);
  await sessionOf(owner.userId);
  await setRole(db(), owner, person.id, "member");
  expect(await left(person.id)).toBe(2);
  await setRole(db(), owner, person.id, "org_admin");
  expect(await left(person.id)).toBe(0);
  await sessionOf(person.id);
  await setOrganisation(db(), owner, person.id, (await anOrganisation()).id);
  expect(await left(person.id)).toBe(0);
  await setRole(db(), { ...owner, sessionId: own }, owner.userId, "platform_admin");
  expect(await db().session.findMany({ where: { userId: owner.userId }, select: { id: true } })).toEqual([{ id: own }]);
});

test("of two owners who demote each other at the same moment one stays", async () => {
  await db().user.updateMany({ where: { role: "owner" }, data: { role: "member" } });
  const home = await anOrganisation();
  const [one, two] = [await anActor(home.id, "owner"), await anActor(home.id, "owner")];
  const outcomes = await Promise.all([
    outcomeOf(setRole(db(), one, two.userId, "member")),
    outcomeOf(setRole(db(), two, one.userId, "member")),
  ]);
  expect(outcomes.toSorted()).toEqual(["conflict", "ok"]);
  expect(await db().user.count({ where: { role: "owner", status: "active" } })).toBe(1);
});

test("the last owner keeps the role, stays active and is not deleted; stepping down works while another is there", async () => {
  await db().user.updateMany({ where: { role: "owner" }, data: { role: "member" } });
  const home = await anOrganisation();
  const owner = await anActor(home.id, "owner");
  expect(await outcomeOf(setRole(db(), owner, owner.userId, "member"))).toBe("conflict");
  expect(await outcomeOf(setStatus(db(), owner, owner.userId, "suspended"))).toBe("forbidden");
  await aPerson(home.id, "owner");
  expect(await outcomeOf(setRole(db(), owner, owner.userId, "org_admin"))).toBe("ok");
});

test("a suspended person's keys are refused at once and work again afterwards; sessions end", async () => {
  const home = await anOrganisation();
  const admin = await anActor(home.id, "org_admin");
  const person = await aPerson(home.id, "member");
  const key = await issueKey(db(), { organisationId: home.id, userId: person.id, name: "key" });
  const expiresAt = new Date(Date.now() + 3_600_000);
  await db().session.create({ data: { tokenHash: Buffer.from([1, person.id % 256]), userId: person.id, expiresAt } });
  expect((await verifyKey(key.secret)).keyId).toBe(key.id);
  expect(await previewConsequences(db(), admin, person.id)).toMatchObject({ activeKeys: 1, sessions: 1, paysFor: 0 });
  await setStatus(db(), admin, person.id, "suspended");
  expect(await outcomeOf((async () => verifyKey(key.secret))())).toBe("account_status");
  expect(await db().session.count({ where: { userId: person.id } })).toBe(0);
  await setStatus(db(), admin, person.id, "active");
  expect((await verifyKey(key.secret)).keyId).toBe(key.id);
  await setStatus(db(), admin, person.id, "archived");
  expect(await outcomeOf((async () => verifyKey(key.secret))())).toBe("account_status");
});

test("a hard-deleted person leaves a pseudonym: no address anywhere, money with the organisation, keys revoked", async () => {
  const home = await anOrganisation();
  const admin = await anActor(home.id, "org_admin");
  const person = await aPerson(home.id, "member", { name: "Canary Bird", email: "canary.bird@example.com" });
  const key = await issueKey(db(), { organisationId: home.id, userId: person.id, name: "key" });
  const walletId = await openWallet(db(), { kind: "user", id: person.id, organisationId: home.id });
  await grantFunds(db(), { walletId, amountNanoUsd: 12n, idempotencyKey: "g", actor: "test", memo: "" });
  await setRole(db(), admin, person.id, "viewer");
  await setStatus(db(), admin, person.id, "suspended");
  const named = { targetKind: "user", targetId: String(person.id), targetLabel: person.email };
  const before = { name: "Canary Bird", status: "active" };
  await db().act.create({
    data: { ...named, actorId: person.id, actorLabel: person.email, action: "user.name", before },
  });
  expect(await outcomeOf(hardDelete(db(), admin, person.id, "somebody else"))).toBe("invalid_input");
  await hardDelete(db(), admin, person.id, "Canary.Bird@example.com");
  const homeWallet = await openWallet(db(), { kind: "organisation", id: home.id, organisationId: home.id });
  expect((await readBalance(db(), homeWallet)).postedNanoUsd).toBe(12n);
  expect((await readBalance(db(), walletId)).postedNanoUsd).toBe(0n);
  expect(await outcomeOf((async () => verifyKey(key.secret))())).toBe("invalid_api_key");
  const left = await db().user.findUniqueOrThrow({ where: { id: person.id } });
  expect(left).toMatchObject({ status: "deleted", name: `Person ${person.id}`, passwordHash: null });
  const traces = await db().$queryRaw<{ text: string }[]>`
    SELECT row_to_json(x)::text AS text FROM (SELECT * FROM act) x UNION ALL SELECT row_to_json(u)::text FROM app_user u
    UNION ALL SELECT row_to_json(i)::text FROM invite i UNION ALL SELECT row_to_json(t)::text FROM ledger_txn t`;
  expect(traces.filter(({ text }) => /canary/i.test(text))).toEqual([]);
  expect(await db().act.count({ where: { targetKind: "user", targetId: String(person.id) } })).toBe(4);
  expect(await outcomeOf(setRole(db(), admin, person.id, "member"))).toBe("conflict");
});

test("the audit log itself cannot be rewritten", async () => {
  await expect(db().$executeRaw`UPDATE act SET actor_label = 'nobody'`).rejects.toThrow(/append-only/);
  await expect(db().$executeRaw`DELETE FROM act`).rejects.toThrow(/append-only/);
});

test("moving to another organisation takes inference keys and wallet along, and leaves kept admin keys suspended", async () => {
  const [from, to] = [await anOrganisation(), await anOrganisation()];
  const platform = await anActor((await anOrganisation()).id, "platform_admin");
  const person = await aPerson(from.id, "org_admin", { departmentId: (await aDepartment(from.id)).id });
  const key = await issueKey(db(), { organisationId: from.id, userId: person.id, name: "mine" });
  const root = await issueKey(db(), { organisationId: from.id, userId: person.id, name: "root", kind: "admin" });
  await setMonthlyBudget(db(), platform, person.id, 100n);
  await setOrganisation(db(), platform, person.id, to.id, { revokeAdminKeys: false });
  expect(await db().user.findUniqueOrThrow({ where: { id: person.id } })).toMatchObject({
    organisationId: to.id,
    departmentId: null,
    role: "member",
  });
  expect(await verifyKey(key.secret)).toMatchObject({ organisationId: to.id });
  expect(await db().apiKey.findUniqueOrThrow({ where: { id: root.id } })).toMatchObject({
    organisationId: from.id,
    userId: null,
    status: "suspended",
  });
  expect((await readBudget(db(), { kind: "user", id: person.id }))?.limitNanoUsd).toBe(100n);
});

test("whoever is no admin any more has no admin key that works, and keeps the others", async () => {
  const home = await anOrganisation();
  const platform = await anActor((await anOrganisation()).id, "platform_admin");
  const person = await aPerson(home.id, "org_admin");
  const key = await issueKey(db(), { organisationId: home.id, userId: person.id, name: "mine" });
  const root = await issueKey(db(), { organisationId: home.id, userId: person.id, name: "root", kind: "admin" });
  expect(await verifyKey(root.secret)).toMatchObject({ kind: "admin" });
  await setRole(db(), platform, person.id, "member", { revokeAdminKeys: false });
  await expect((async () => verifyKey(root.secret))()).rejects.toMatchObject({ code: "account_status" });
  expect(await verifyKey(key.secret)).toMatchObject({ userId: person.id });
  expect(await db().apiKey.findUniqueOrThrow({ where: { id: root.id } })).toMatchObject({
    organisationId: home.id,
    userId: null,
    status: "suspended",
  });
});

test("somebody who pays for an organisation cannot leave it, be archived or deleted", async () => {
  const home = await anOrganisation();
  const platform = await anActor((await anOrganisation()).id, "platform_admin");
  const payer = await aPerson(home.id, "member");
  await db().organisation.update({ where: { id: home.id }, data: { billingUserId: payer.id } });
  expect(await outcomeOf(setStatus(db(), platform, payer.id, "archived"))).toBe("conflict");
  expect(await outcomeOf(hardDelete(db(), platform, payer.id, payer.email))).toBe("conflict");
  expect(await outcomeOf(setOrganisation(db(), platform, payer.id, (await anOrganisation()).id))).toBe("conflict");
  expect(await outcomeOf(setStatus(db(), platform, payer.id, "suspended"))).toBe("ok");
});

test("lists show the actor's people only, page by page, and filters hold", async () => {
  const [home, other] = [await anOrganisation(), await anOrganisation({ name: "CANARY Ltd" })];
  const department = await aDepartment(home.id);
  const admin = await anActor(home.id, "org_admin");
  const head = await anActor(home.id, "department_admin", { departmentId: department.id });
  for (let count = 0; count < 7; count += 1) await aPerson(home.id, "member", { departmentId: department.id });
  await aPerson(other.id, "member", { name: "canary", email: "canary@other.example" });
  const all: number[] = [];
  let after: Cursor | null = null;
  do {
    const page = await listPeople(db(), admin, { filter: {}, sort: PEOPLE_BY_EMAIL, after, limit: 3 });
    all.push(...page.people.map(({ id }) => id));
    after = page.next;
  } while (after !== null);
  expect(new Set(all).size).toBe(9);
  expect(all).toHaveLength(9);
  const mine = await listPeople(db(), head, { filter: {}, sort: NEWEST_PEOPLE, after: null, limit: 50 });
  expect(mine.people).toHaveLength(8);
  const asked = { organisationId: other.id, q: "canary" };
  for (const actor of [admin, head]) {
    const found = await listPeople(db(), actor, { filter: asked, sort: NEWEST_PEOPLE, after: null, limit: 50 });
    expect(found.people).toEqual([]);
  }
  const members = await listPeople(db(), admin, {
    filter: { role: "member", departmentId: department.id, keys: "none", budget: "none", seen: "never", terms: "none" },
    sort: NEWEST_PEOPLE,
    after: null,
    limit: 50,
  });
  expect(members.people).toHaveLength(7);
  expect(
    await outcomeOf(
      listPeople(db(), await anActor(home.id, "member"), { filter: {}, sort: NEWEST_PEOPLE, after: null, limit: 5 }),
    ),
  ).toBe("forbidden");
});

test("a person's page says what its reader may do", async () => {
  const home = await anOrganisation();
  const admin = await anActor(home.id, "org_admin");
  const person = await aPerson(home.id, "member");
  const detail = await readPerson(db(), admin, person.id);
  expect(detail.person.email).toBe(person.email);
  expect(detail.allowed.toSorted()).toEqual([
    "billing-config",
    "credit-limit",
    "department",
    "hard-delete",
    "role",
    "status",
    "view",
  ]);
  expect(detail.grantable).toEqual(["department_admin", "member", "viewer"]);
  expect(detail.organisations).toEqual([]);
  expect((await readPerson(db(), admin, admin.userId)).allowed).toEqual(["view"]);
  expect(await outcomeOf(readPerson(db(), admin, 999_999))).toBe("not_found");
});

test("billing-config sets who pays, the budget and the credit, all of them or none", async () => {
  const home = await anOrganisation({ creditCeilingNanoUsd: 20n });
  const admin = await anActor(home.id, "org_admin");
  const person = await aPerson(home.id, "member");
  await setBillingConfig(db(), admin, person.id, { mode: "inherit", budget: { limitNanoUsd: 10n, period: "daily" } });
  expect(await readBudget(db(), { kind: "user", id: person.id })).toMatchObject({ limitNanoUsd: 10n, period: "daily" });
  await setBillingConfig(db(), admin, person.id, { mode: "own", credit: { limitNanoUsd: 20n, param: "credit_limit" } });
  const walletId = await openWallet(db(), { kind: "user", id: person.id, organisationId: home.id });
  expect((await readBalance(db(), walletId)).creditLimitNanoUsd).toBe(20n);
  const tooMuch = { mode: "inherit", budget: { limitNanoUsd: 5n, period: "monthly" } } as const;
  const credit = { limitNanoUsd: 21n, param: "credit_limit" };
  expect(await outcomeOf(setBillingConfig(db(), admin, person.id, { ...tooMuch, credit }))).toBe("forbidden");
  expect(await readBudget(db(), { kind: "user", id: person.id })).toMatchObject({ limitNanoUsd: 10n, period: "daily" });
  expect((await db().user.findUniqueOrThrow({ where: { id: person.id } })).billingMode).toBe("own");
  const again = await actorFor(admin.userId);
  const before = await db().act.count();
  await setBillingConfig(db(), again, person.id, { mode: "own", credit: { limitNanoUsd: 20n, param: "credit_limit" } });
  expect(await db().act.count()).toBe(before);
});

test("an exempt person is charged to nobody, from the next call on, and is charged again afterwards", async () => {
  const home = await anOrganisation();
  const platform = await anActor((await anOrganisation()).id, "platform_admin");
  const person = await aPerson(home.id, "member");
  const key = await issueKey(db(), { organisationId: home.id, userId: person.id, name: "key" });
  expect((await verifyKey(key.secret)).exempt).toBe(false);
  await setBillingExempt(db(), platform, person.id, true);
  expect((await verifyKey(key.secret)).exempt).toBe(true);
  // Without a value, it is toggled.
  expect(await setBillingExempt(db(), platform, person.id)).toBe(false);
  expect((await verifyKey(key.secret)).exempt).toBe(false);
});
