import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { db } from "~/connection/db.server";
import { grantFunds, openWallet, postAdjustment, readBalance, readBudget } from "~/domain/accounting/index.server";
import { type Actor, ROLES, type Role, rankOfRole } from "~/domain/accounts/shared";
import { issueKey, verifyKey } from "~/domain/keys/index.server";
import { actorFor, aDepartment, anActor, anOrganisation, aPerson, codeOf } from "../../../tests/support/administered";
import { openFreshDatabase, type TestDatabase } from "../../../tests/support/database";
import {
  acceptInvite,
  addMember,
  answerNomination,
  archiveProject,
  createDepartment,
  createInvite,
  createOrganisation,
  createOrganisationByAdmin,
  createProject,
  deleteDepartment,
  deleteOrganisation,
  listInvites,
  listOrganisations,
  listProjects,
  readInvite,
  readProject,
  removeMember,
  renameDepartment,
  revokeInvite,
  setBillingUser,
  setOrganisationBudget,
  updateOrganisation,
  updateSettings,
} from "./index.server";
import { NEWEST_ORGANISATIONS } from "./shared";

let database: TestDatabase;
let platform: Actor;
beforeAll(async () => {
  setConfig(readConfig({ GW_SECRET: "a-secret-for-tests-0123456789abcdefgh" }));
  database = await openFreshDatabase();
  platform = await anActor((await anOrganisation()).id, "platform_admin");
});
afterAll(() => database.close());

const aNewcomer = (name = "New Person") =>
  ({ kind: "new", name, password: "several words and a half", language: null, address: "" }) as const;

test("invitations: every actor's role against every role and place", async () => {
  const home = await anOrganisation();
  const department = await aDepartment(home.id);
  const foreign = await anOrganisation();
  for (const actorRole of ROLES) {
    const actor = await anActor(home.id, actorRole, { departmentId: department.id });
    for (const role of ROLES) {
      for (const location of ["own", "foreign"] as const) {
        const organisationId = location === "own" ? home.id : foreign.id;
        const departmentId = location === "own" ? department.id : (await aDepartment(foreign.id)).id;
        const email = `${actorRole}-${role}-${location}@example.com`;
        const outcome = await codeOf(createInvite(db(), actor, { email, role, organisationId, departmentId }));
        const mayGive =
          rankOfRole(actorRole) <= rankOfRole("department_admin") &&
          rankOfRole(actorRole) < rankOfRole(role) &&
          role !== "owner";
        const reaches = location === "own" || rankOfRole(actorRole) <= rankOfRole("platform_admin");
        const expected = mayGive ? (reaches ? "ok" : "not_found") : "forbidden";
        expect(`${actorRole} invites ${role} (${location}): ${outcome}`).toBe(
          `${actorRole} invites ${role} (${location}): ${expected}`,
        );
      }
    }
  }
});

test("a link works once: of many at the same moment one becomes the person", async () => {
  const home = await anOrganisation({ name: "Inviting Ltd" });
  const admin = await anActor(home.id, "org_admin");
  const { token } = await createInvite(db(), admin, { email: "ada@new.example", role: "member" });
  expect(await readInvite(db(), token)).toMatchObject({
    status: "pending",
    email: "ada@new.example",
    role: "member",
    organisation: "Inviting Ltd",
    invitedBy: admin.name,
  });
  const tries = Array.from({ length: 6 }, (_, index) => codeOf(acceptInvite(db(), token, aNewcomer(`Racer ${index}`))));
  const outcomes = await Promise.all(tries);
  expect(outcomes.filter((outcome) => outcome === "ok")).toHaveLength(1);
  expect(new Set(outcomes)).toEqual(new Set(["ok", "invalid_token"]));
  expect(await db().user.count({ where: { email: "ada@new.example" } })).toBe(1);
  const person = await db().user.findUniqueOrThrow({ where: { email: "ada@new.example" } });
  expect(person).toMatchObject({ organisationId: home.id, role: "member", status: "active" });
  expect((await readInvite(db(), token))?.status).toBe("accepted");
});

test("accepting and revoking at the same moment: one of them happens, and both tell the truth", async () => {
  const home = await anOrganisation();
  const admin = await anActor(home.id, "org_admin");
  for (let round = 0; round < 5; round += 1) {
    const email = `race-${round}@new.example`;
    const { id, token } = await createInvite(db(), admin, { email, role: "member" });
    const [accepted, revoked] = await Promise.all([
      codeOf(acceptInvite(db(), token, aNewcomer())),
      codeOf(revokeInvite(db(), admin, id)),
    ]);
    const joined = (await db().user.count({ where: { email } })) === 1;
    expect([accepted === "ok", revoked === "ok"]).toEqual([joined, !joined]);
  }
});

test("links end: expired, revoked, replaced by a newer one, of an organisation that has ended", async () => {
  const home = await anOrganisation();
  const admin = await anActor(home.id, "org_admin");
  const invite = () => createInvite(db(), admin, { email: "bob@new.example", role: "viewer" });
  const first = await invite();
  const second = await invite();
  expect((await readInvite(db(), first.token))?.status).toBe("revoked");
  await db().invite.update({ where: { id: second.id }, data: { expiresAt: new Date(Date.now() - 1) } });
  expect((await readInvite(db(), second.token))?.status).toBe("expired");
  for (const { token } of [first, second])
    expect(await codeOf(acceptInvite(db(), token, aNewcomer()))).toBe("invalid_token");
  expect(await readInvite(db(), "no-such-token")).toBeNull();
  expect((await listInvites(db(), admin, { pendingOnly: true, beforeId: null, limit: 10 })).invites).toEqual([]);
  expect((await listInvites(db(), admin, { pendingOnly: false, beforeId: null, limit: 10 })).invites).toHaveLength(2);
});

test("somebody with an account comes over signed in, with their keys; nobody else can use their link", async () => {
  const [home, former] = [await anOrganisation(), await anOrganisation()];
  const admin = await anActor(home.id, "org_admin");
  const department = await aDepartment(home.id);
  const person = await aPerson(former.id, "org_admin", { email: "carol@new.example" });
  const key = await issueKey(db(), { organisationId: former.id, userId: person.id, name: "mine" });
  const { token } = await createInvite(db(), admin, {
    email: person.email,
    role: "department_admin",
    departmentId: department.id,
  });
  const other = await anActor(former.id, "member");
  expect(await codeOf(acceptInvite(db(), token, { kind: "signedIn", actor: other }))).toBe("forbidden");
  await acceptInvite(db(), token, { kind: "signedIn", actor: await actorFor(person.id) });
  expect(await db().user.findUniqueOrThrow({ where: { id: person.id } })).toMatchObject({
    organisationId: home.id,
    departmentId: department.id,
    role: "department_admin",
  });
  expect((await verifyKey(key.secret)).organisationId).toBe(home.id);
});

test("foreign invitations are as missing as none, and nobody revokes one to their own role or above", async () => {
  const [home, other] = [await anOrganisation(), await anOrganisation()];
  const admin = await anActor(home.id, "org_admin");
  const theirs = await createInvite(db(), platform, {
    email: "x@new.example",
    role: "member",
    organisationId: other.id,
  });
  expect(await codeOf(revokeInvite(db(), admin, theirs.id))).toBe("not_found");
  expect(await codeOf(revokeInvite(db(), admin, 999_999))).toBe("not_found");
  const higher = await createInvite(db(), platform, {
    email: "y@new.example",
    role: "org_admin",
    organisationId: home.id,
  });
  expect(await codeOf(revokeInvite(db(), admin, higher.id))).toBe("forbidden");
  expect(await codeOf(revokeInvite(db(), await anActor(home.id, "member"), higher.id))).toBe("forbidden");
});

test("organisations are run by platform admins; slugs follow names; an ended one is gone", async () => {
  const founded = await createOrganisationByAdmin(db(), platform, {
    name: "Ömer & Söhne",
    billingExempt: false,
    monthlyBudgetNanoUsd: 50n,
  });
  expect(founded.slug).toBe("oemer-and-soehne");
  const second = await createOrganisationByAdmin(db(), platform, {
    name: "Ömer & Söhne",
    billingExempt: false,
    monthlyBudgetNanoUsd: null,
  });
  expect(second.slug).toBe(`${founded.slug}-2`);
  expect((await readBudget(db(), { kind: "organisation", id: founded.id }))?.limitNanoUsd).toBe(50n);
  await updateOrganisation(db(), platform, founded.id, {
    name: "Renamed",
    billingExempt: true,
    monthlyBudgetNanoUsd: null,
  });
  const walletId = await openWallet(db(), { kind: "organisation", id: founded.id, organisationId: founded.id });
  expect((await readBalance(db(), walletId)).exempt).toBe(true);
  expect(await codeOf(updateOrganisation(db(), platform, founded.id, { slug: second.slug }))).toBe("conflict");
  const boss = await anActor(founded.id, "org_admin");
  for (const act of [
    () => listOrganisations(db(), boss, { q: null, sort: NEWEST_ORGANISATIONS, after: null, limit: 5 }),
    () => createOrganisationByAdmin(db(), boss, { name: "Mine", billingExempt: true, monthlyBudgetNanoUsd: null }),
    () => updateOrganisation(db(), boss, founded.id, { billingExempt: true }),
    () => deleteOrganisation(db(), boss, founded.id),
  ]) {
    expect(await codeOf(act())).toBe("forbidden");
  }
  expect(await codeOf(deleteOrganisation(db(), platform, founded.id))).toBe("conflict");
  const key = await issueKey(db(), { organisationId: second.id, name: "key" });
  await verifyKey(key.secret);
  await deleteOrganisation(db(), platform, second.id);
  expect(await codeOf((async () => verifyKey(key.secret))())).toBe("invalid_api_key");
  expect(await codeOf(updateOrganisation(db(), platform, second.id, { name: "Back" }))).toBe("not_found");
  const { organisations } = await listOrganisations(db(), platform, {
    q: "renamed",
    sort: NEWEST_ORGANISATIONS,
    after: null,
    limit: 5,
  });
  expect(organisations).toMatchObject([{ id: founded.id, people: 1, admins: 1, monthlyBudgetNanoUsd: null }]);
});

test("an organisation with money in its wallet is not deleted", async () => {
  const { id } = await db().$transaction((tx) => createOrganisation(tx, { name: "Rich", billingExempt: false }));
  const walletId = await openWallet(db(), { kind: "organisation", id, organisationId: id });
  await grantFunds(db(), { walletId, amountNanoUsd: 1n, idempotencyKey: "rich", actor: "test", memo: "" });
  expect(await codeOf(deleteOrganisation(db(), platform, id))).toBe("conflict");
});

test("an organisation with money in the wallet of a project, even of an archived one, is not deleted", async () => {
  const { id } = await db().$transaction((tx) => createOrganisation(tx, { name: "Hidden", billingExempt: false }));
  const project = await db().project.create({ data: { organisationId: id, name: "Old", archivedAt: new Date() } });
  const walletId = await openWallet(db(), { kind: "project", id: project.id, organisationId: id });
  const adjust = (amountNanoUsd: bigint) =>
    postAdjustment(db(), {
      walletId,
      amountNanoUsd,
      idempotencyKey: `hidden${amountNanoUsd}`,
      actor: "test",
      memo: "",
    });
  await adjust(1n);
  expect(await codeOf(deleteOrganisation(db(), platform, id))).toBe("conflict");
  await adjust(-1n);
  await deleteOrganisation(db(), platform, id);
});

test("an organisation's own settings: its admins, its people, and the domain by the operator only", async () => {
  const [home, other] = [await anOrganisation(), await anOrganisation()];
  const boss = await anActor(home.id, "org_admin");
  const [payer, stranger] = [await aPerson(home.id, "member"), await aPerson(other.id, "member")];
  await setBillingUser(db(), boss, home.id, payer.id);
  await answerNomination(db(), await actorFor(payer.id), "accept");
  expect(await codeOf(setBillingUser(db(), boss, home.id, stranger.id))).toBe("not_found");
  expect(await codeOf(setBillingUser(db(), boss, other.id, stranger.id))).toBe("not_found");
  expect(await codeOf(setBillingUser(db(), await anActor(home.id, "department_admin"), home.id, null))).toBe(
    "forbidden",
  );
  await setOrganisationBudget(db(), boss, home.id, { limitNanoUsd: 5n });
  await updateSettings(db(), boss, home.id, { brandName: "Brand", accentColour: "#123456" });
  expect(await codeOf(updateSettings(db(), boss, home.id, { portalDomain: "ai.example.com" }))).toBe("forbidden");
  await updateSettings(db(), platform, home.id, { portalDomain: "ai.example.com" });
  expect(await codeOf(updateSettings(db(), platform, other.id, { portalDomain: "ai.example.com" }))).toBe("conflict");
  const key = await issueKey(db(), { organisationId: home.id, userId: stranger.id, name: "key" });
  const payerWallet = await openWallet(db(), { kind: "user", id: payer.id, organisationId: home.id });
  expect((await verifyKey(key.secret)).walletId).toBe(payerWallet);
  await setBillingUser(db(), boss, home.id, null);
  expect((await verifyKey(key.secret)).walletId).not.toBe(payerWallet);
  const acts = await db().act.findMany({ where: { organisationId: home.id }, orderBy: { id: "asc" } });
  expect(acts.map(({ action }) => action).filter((action) => action.startsWith("organisation."))).toEqual([
    "organisation.billing_user_nominate",
    "organisation.billing_user_accept",
    "organisation.monthly_budget",
    "organisation.settings",
    "organisation.settings",
    "organisation.billing_user",
  ]);
});

test("departments: by organisation admins, unique by name, deleted only when empty", async () => {
  const [home, other] = [await anOrganisation(), await anOrganisation()];
  const boss = await anActor(home.id, "org_admin");
  const { id } = await createDepartment(db(), boss, home.id, "Research");
  expect(await codeOf(createDepartment(db(), boss, home.id, "Research"))).toBe("conflict");
  expect(await codeOf(createDepartment(db(), boss, other.id, "Theirs"))).toBe("not_found");
  expect(await codeOf(createDepartment(db(), await anActor(home.id, "department_admin"), home.id, "No"))).toBe(
    "forbidden",
  );
  const location = { organisationId: home.id, departmentId: id };
  await renameDepartment(db(), boss, location, "Discovery");
  const foreign = await aDepartment(other.id);
  expect(await codeOf(renameDepartment(db(), boss, { ...location, departmentId: foreign.id }, "Mine"))).toBe(
    "not_found",
  );
  const person = await aPerson(home.id, "member", { departmentId: id });
  expect(await codeOf(deleteDepartment(db(), boss, location))).toBe("conflict");
  await db().user.update({ where: { id: person.id }, data: { departmentId: null } });
  await deleteDepartment(db(), boss, location);
  expect(await codeOf(deleteDepartment(db(), boss, location))).toBe("not_found");
});

test("projects: who sees which", async () => {
  const [home, other] = [await anOrganisation(), await anOrganisation({ name: "CANARY" })];
  const department = await aDepartment(home.id);
  const boss = await anActor(home.id, "org_admin");
  const head = await anActor(home.id, "department_admin", { departmentId: department.id });
  const stranger = await anActor(other.id, "org_admin");
  const bosses = await createProject(db(), boss, { name: "Boss's", description: "" });
  const heads = await createProject(db(), head, { name: "Head's", description: "" });
  const theirs = await createProject(db(), stranger, { name: "canary", description: "canary" });
  const seenBy = async (actor: Actor) => {
    const query = { q: null, state: "active", beforeId: null, limit: 50 } as const;
    return (await listProjects(db(), actor, query)).projects.map(({ id }) => id);
  };
  expect(await seenBy(boss)).toEqual([heads.id, bosses.id]);
  expect(await seenBy(head)).toEqual([heads.id]);
  expect(await seenBy(platform)).toEqual([theirs.id, heads.id, bosses.id]);
  expect(await seenBy({ ...platform, adminOrganisationId: other.id })).toEqual([theirs.id]);
  for (const role of ["member", "viewer"] as Role[]) {
    expect(await codeOf(seenBy(await anActor(home.id, role)))).toBe("forbidden");
  }
  expect(await codeOf(readProject(db(), head, bosses.id))).toBe("not_found");
  await addMember(db(), boss, bosses.id, { email: head.email });
  expect(await seenBy(head)).toEqual([heads.id, bosses.id]);
  expect((await readProject(db(), head, bosses.id)).members.map(({ email }) => email).toSorted()).toEqual(
    [boss.email, head.email].toSorted(),
  );
  expect(await codeOf(addMember(db(), boss, bosses.id, { email: stranger.email }))).toBe("user_not_found");
  expect(await codeOf(addMember(db(), head, heads.id, { email: boss.email }))).toBe("user_not_found");
  await removeMember(db(), boss, bosses.id, head.userId);
  expect(await codeOf(removeMember(db(), boss, bosses.id, head.userId))).toBe("not_found");
  expect(await codeOf(archiveProject(db(), stranger, bosses.id, true))).toBe("not_found");
  await archiveProject(db(), boss, bosses.id, true);
  expect(await seenBy(boss)).toEqual([heads.id]);
  expect(await codeOf(createProject(db(), boss, { name: "Head's", description: "" }))).toBe("conflict");
});

test("nobody is flooded with invitations: after five emails the next one has to wait", async () => {
  const boss = await anActor((await anOrganisation()).id, "org_admin");
  const invite = () => codeOf(createInvite(db(), boss, { email: "flooded@new.example", role: "viewer" }));
  for (let count = 0; count < 5; count += 1) expect(await invite()).toBe("ok");
  expect(await invite()).toBe("rate_limit_exceeded");
  const open = await db().invite.count({ where: { email: "flooded@new.example", revokedAt: null } });
  expect(open).toBe(1);
});
