import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { subscribe } from "~/connection/bus.server";
import { db } from "~/connection/db.server";
import { grantFunds, openWallet, readBalance } from "~/domain/accounting/index.server";
import type { Actor, Role } from "~/domain/accounts/shared";
import { createActorKey, updateActorKey, verifyKey } from "~/domain/keys/index.server";
import { hardDelete, setOrganisation, setRole, setStatus } from "~/domain/people/index.server";
import { aHold, aSettlement, type Books, openBooks } from "../../../../tests/support/accounting";
import { actorFor, anActor, anOrganisation, codeOf } from "../../../../tests/support/administered";
import { acceptInvite, addMember, createInvite, createProject, readProject, removeMember } from "../index.server";

/** A project pays for a person's keys as long as the person belongs to it. */
const ROUNDS = 12;
let books: Books;
let platform: Actor;
beforeAll(async () => {
  setConfig(readConfig({ GW_SECRET: "a-secret-for-tests-0123456789abcdefgh" }));
  books = await openBooks();
  platform = await anActor((await anOrganisation()).id, "platform_admin");
});
afterAll(() => books.close());

const settings = { allowedModels: [], allowedRegions: [], rateLimitRpm: null, metadata: {}, expiresAt: null };
const aKeyIn = (actor: Actor, projectId: number, name = "in the project") =>
  createActorKey(db(), actor, { name, kind: "inference", owner: "self", projectId, ...settings });

/** A project with a wallet, created by the organisation's admin, and a member. */
async function aFundedProject() {
  const home = await anOrganisation();
  const boss = await anActor(home.id, "org_admin");
  const member = await anActor(home.id, "member");
  const project = await createProject(db(), boss, { name: "Apollo", description: "" });
  await addMember(db(), boss, project.id, { id: member.userId });
  const walletId = await openWallet(db(), { kind: "project", id: project.id, organisationId: home.id });
  const funds = { amountNanoUsd: 1_000n, idempotencyKey: `grant:${randomUUID()}`, actor: "test", memo: "" };
  await grantFunds(db(), { walletId, ...funds });
  return { home, boss, member, project, walletId };
}

const keysIn = (projectId: number, userId: number) =>
  db().apiKey.count({ where: { projectId, userId, status: { not: "revoked" } } });

test("whoever is removed takes their keys out: they work, paid by whoever pays for the person elsewhere", async () => {
  const { boss, member, project, walletId } = await aFundedProject();
  const colleague = await anActor(boss.organisationId, "member");
  const second = await createProject(db(), boss, { name: "Hermes", description: "" });
  await addMember(db(), boss, project.id, { id: colleague.userId });
  await addMember(db(), boss, second.id, { id: member.userId });
  const key = await aKeyIn(member, project.id);
  const stays = [await aKeyIn(colleague, project.id), await aKeyIn(member, second.id)];
  expect(await verifyKey(key.secret)).toMatchObject({ projectId: project.id, walletId });
  const { members } = await readProject(db(), boss, project.id);
  expect(members.map(({ userId, keys }) => [userId, keys]).toSorted()).toEqual(
    [
      [boss.userId, 0],
      [member.userId, 1],
      [colleague.userId, 1],
    ].toSorted(),
  );

  const told: (string | undefined)[] = [];
  const stop = subscribe("keys", (id) => told.push(id));
  expect(await removeMember(db(), boss, project.id, member.userId)).toEqual({ keysRemoved: 1 });
  stop();
  expect(told).toEqual([String(key.id)]);
  const caller = await verifyKey(key.secret);
  expect(caller.projectId).toBeNull();
  expect(caller.walletId).not.toBe(walletId);
  expect((await verifyKey(stays[0]!.secret)).projectId).toBe(project.id);
  expect((await verifyKey(stays[1]!.secret)).projectId).toBe(second.id);
  expect(await codeOf(updateActorKey(db(), member, key.id, { projectId: project.id }))).toBe("not_found");
  const acts = await db().act.findMany({ where: { subjectUserId: member.userId }, orderBy: { id: "desc" }, take: 2 });
  expect(acts.map(({ action, before, after }) => ({ action, before, after }))).toEqual([
    { action: "project.member_remove", before: { userId: member.userId }, after: { keysRemoved: 1 } },
    { action: "key.update", before: { project_id: project.id }, after: { project_id: null } },
  ]);
});

test("a call in flight while its key leaves is settled by the wallet that holds it", async () => {
  const { boss, member, project, walletId } = await aFundedProject();
  const key = await aKeyIn(member, project.id);
  const accounting = await books.start();
  const hold = aHold(await verifyKey(key.secret), 400n);
  await accounting.admit(hold);
  await removeMember(db(), boss, project.id, member.userId);
  await accounting.settle(aSettlement(hold, 300n));
  const { postedNanoUsd, heldNanoUsd } = await readBalance(db(), walletId);
  expect([postedNanoUsd, heldNanoUsd]).toEqual([700n, 0n]);
  expect(await books.defects()).toEqual([]);
});

const invited = async (member: Actor, organisationId: number, role: Role) => {
  const invite = await createInvite(db(), platform, { email: member.email, role, organisationId });
  return acceptInvite(db(), invite.token, { kind: "signedIn", actor: member });
};

test.each<[string, (member: Actor) => Promise<unknown>]>([
  ["archived", ({ userId }) => setStatus(db(), platform, userId, "archived")],
  ["moved", async ({ userId }) => setOrganisation(db(), platform, userId, (await anOrganisation()).id)],
  ["deleted", ({ userId, email }) => hardDelete(db(), platform, userId, email)],
  ["invited elsewhere", async (member) => invited(member, (await anOrganisation()).id, "member")],
])("whoever is %s leaves with their keys, and coming back brings none of it back", async (_, end) => {
  const { member, project } = await aFundedProject();
  await aKeyIn(member, project.id);
  await end(member);
  expect(await keysIn(project.id, member.userId)).toBe(0);
  expect(await db().projectMember.count({ where: { userId: member.userId } })).toBe(0);
  const after = await db().user.findUniqueOrThrow({ where: { id: member.userId } });
  if (after.status === "archived") await setStatus(db(), platform, member.userId, "active");
  expect(await keysIn(project.id, member.userId)).toBe(0);
});

test.each<[string, Role, (actor: Actor) => Promise<unknown>]>([
  ["an organisation admin made a member", "org_admin", ({ userId }) => setRole(db(), platform, userId, "member")],
  ["a department admin made a viewer", "department_admin", ({ userId }) => setRole(db(), platform, userId, "viewer")],
])("%s keeps their keys in projects that they belong to, and in no other", async (_, role, end) => {
  const { boss, project: joined } = await aFundedProject();
  const departmentId = (await db().department.create({ data: { organisationId: boss.organisationId, name: "D" } })).id;
  const admin = await anActor(boss.organisationId, role, { departmentId });
  await addMember(db(), boss, joined.id, { id: admin.userId });
  const made = await createProject(db(), admin, { name: "Made by them", description: "" });
  await removeMember(db(), boss, made.id, admin.userId);
  await aKeyIn(admin, joined.id);
  const key = await aKeyIn(admin, made.id);
  await end(admin);
  expect([await keysIn(joined.id, admin.userId), await keysIn(made.id, admin.userId)]).toEqual([1, 0]);
  const now = await actorFor(admin.userId);
  const again = updateActorKey(db(), { ...now, role: "member" }, key.id, { projectId: made.id });
  expect(await codeOf(again)).toBe("not_found");
});

test("a suspension takes nobody out: it refuses their keys until it ends", async () => {
  const { member, project } = await aFundedProject();
  const key = await aKeyIn(member, project.id);
  await setStatus(db(), platform, member.userId, "suspended");
  expect(await codeOf((async () => verifyKey(key.secret))())).toBe("account_status");
  await setStatus(db(), platform, member.userId, "active");
  expect((await verifyKey(key.secret)).projectId).toBe(project.id);
});

test("of a key that is made or moved into a project and a removal at the same moment, none stays behind", async () => {
  const { boss, member, project } = await aFundedProject();
  const other = await createActorKey(db(), member, { name: "other", kind: "inference", owner: "self", ...settings });
  for (let round = 0; round < ROUNDS; round += 1) {
    await addMember(db(), boss, project.id, { id: member.userId });
    const enters =
      round % 2 === 0
        ? aKeyIn(member, project.id, `round ${round}`)
        : updateActorKey(db(), member, other.id, { projectId: project.id });
    const ends = [codeOf(enters), codeOf(removeMember(db(), boss, project.id, member.userId))];
    const [entered, removed] = await Promise.all(ends);
    expect(["ok", "not_found"]).toContain(entered);
    expect(removed).toBe("ok");
    expect(await keysIn(project.id, member.userId)).toBe(0);
  }
});
