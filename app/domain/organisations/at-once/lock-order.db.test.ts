import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { db } from "~/connection/db.server";
import { grantFunds, openWallet } from "~/domain/accounting/index.server";
import type { Actor } from "~/domain/accounts/shared";
import {
  createActorKey,
  revokeActorKey,
  rotateActorKey,
  suspendActorKey,
  updateActorKey,
} from "~/domain/keys/index.server";
import { acceptDelegation, endDelegation, proposeDelegation } from "~/domain/payers/index.server";
import {
  hardDelete,
  setCreditLimit,
  setDepartment,
  setOrganisation,
  setRole,
  setStatus,
} from "~/domain/people/index.server";
import {
  actorFor,
  aDepartment,
  anActor,
  anOrganisation,
  aPerson,
  codeOf,
} from "../../../../tests/support/administered";
import { openFreshDatabase, type TestDatabase } from "../../../../tests/support/database";
import { lockedBy, outOfOrder, watchLocks } from "../../../../tests/support/lock-order";
import {
  acceptInvite,
  addMember,
  answerNomination,
  archiveProject,
  createDepartment,
  createInvite,
  createProject,
  deleteDepartment,
  deleteOrganisation,
  mergeOrganisations,
  removeMember,
  setBillingUser,
  updateProject,
  withdrawAsBillingUser,
} from "../index.server";

/**
 * Operations that lock several rows lock them in this order: organisation, person, department, project, key, wallet.
 */
let database: TestDatabase;
let platform: Actor;
let owner: Actor;
beforeAll(async () => {
  setConfig(readConfig({ GW_SECRET: "a-secret-for-tests-0123456789abcdefgh" }));
  database = await openFreshDatabase();
  const { id } = await anOrganisation();
  platform = await anActor(id, "platform_admin");
  owner = await anActor(id, "owner");
});
afterAll(() => database.close());

const settings = { allowedModels: [], allowedRegions: [], rateLimitRpm: null, metadata: {}, expiresAt: null };
const aKey = (actor: Actor, more: Partial<Parameters<typeof createActorKey>[2]> = {}) =>
  createActorKey(db(), actor, { name: "key", kind: "inference", owner: "self", ...settings, ...more });
let addresses = 0;
const anAddress = () => {
  addresses += 1;
  return `order-${addresses}@new.example`;
};

async function fund(userId: number, organisationId: number): Promise<void> {
  const walletId = await openWallet(db(), { kind: "user", id: userId, organisationId });
  await grantFunds(db(), { walletId, amountNanoUsd: 5n, idempotencyKey: `fund-${userId}`, actor: "test", memo: "" });
}

/** An organisation admin in a department with a wallet, keys of both kinds, a project and an invitation. */
async function anAdminWithEverything(): Promise<{ admin: Actor; projectId: number; departmentId: number }> {
  const home = await anOrganisation({ creditCeilingNanoUsd: 1_000n });
  const { id: departmentId } = await aDepartment(home.id);
  const admin = await anActor(home.id, "org_admin", { departmentId });
  const { id: projectId } = await createProject(db(), admin, { name: "project", description: "" });
  await fund(admin.userId, home.id);
  await aKey(admin, { projectId });
  await aKey(admin, { kind: "admin" });
  await aKey(admin, { kind: "admin", owner: "nobody" });
  await aKey(admin, { owner: "nobody", departmentId });
  await createInvite(db(), admin, { email: anAddress(), role: "department_admin", departmentId });
  return { admin, projectId, departmentId };
}

const ACTS: Record<string, () => Promise<unknown>> = {
  "invite and join anew": async () => {
    const { admin, departmentId } = await anAdminWithEverything();
    const invite = await createInvite(db(), admin, { email: anAddress(), role: "member", departmentId });
    const newcomer = { kind: "new", name: "New", password: "several words and a half", language: null, address: "" };
    await acceptInvite(db(), invite.token, newcomer as never);
  },
  "join with everything": async () => {
    const { admin } = await anAdminWithEverything();
    const { admin: host } = await anAdminWithEverything();
    const invite = await createInvite(db(), host, { email: admin.email, role: "member" });
    await acceptInvite(db(), invite.token, { kind: "signedIn", actor: admin });
  },
  demote: async () => setRole(db(), platform, (await anAdminWithEverything()).admin.userId, "member"),
  "demote an owner": async () => setRole(db(), owner, (await aPerson(owner.organisationId, "owner")).id, "member"),
  suspend: async () => setStatus(db(), platform, (await anAdminWithEverything()).admin.userId, "suspended"),
  archive: async () => setStatus(db(), platform, (await anAdminWithEverything()).admin.userId, "archived"),
  "move to another department": async () => {
    const { admin } = await anAdminWithEverything();
    await setDepartment(db(), platform, admin.userId, (await aDepartment(admin.organisationId)).id);
  },
  "move to another organisation": async () =>
    setOrganisation(db(), platform, (await anAdminWithEverything()).admin.userId, (await anOrganisation()).id),
  delete: async () => {
    const { admin } = await anAdminWithEverything();
    await hardDelete(db(), platform, admin.userId, admin.email);
  },
  "give credit": async () => {
    const { admin } = await anAdminWithEverything();
    const person = await aPerson(admin.organisationId, "member");
    await setCreditLimit(db(), admin, person.id, 10n);
  },
  "change, rotate, suspend and revoke a key": async () => {
    const { admin, projectId } = await anAdminWithEverything();
    for (const kind of ["inference", "admin"] as const) {
      const { id } = await aKey(admin, { kind, owner: "nobody" });
      await updateActorKey(db(), admin, id, { name: "other", projectId });
      await rotateActorKey(db(), admin, id, { overlapSeconds: 60 });
      await suspendActorKey(db(), admin, id);
      await revokeActorKey(db(), admin, id);
    }
  },
  "change, archive and leave a project": async () => {
    const { admin, projectId } = await anAdminWithEverything();
    const member = await anActor(admin.organisationId, "member");
    await addMember(db(), admin, projectId, { id: member.userId });
    await aKey(member, { projectId });
    await updateProject(db(), admin, projectId, { name: "another" });
    await removeMember(db(), admin, projectId, member.userId);
    await archiveProject(db(), admin, projectId, true);
  },
  "make and delete a department": async () => {
    const { admin } = await anAdminWithEverything();
    const { id: departmentId } = await createDepartment(db(), admin, admin.organisationId, "passing");
    await deleteDepartment(db(), admin, { organisationId: admin.organisationId, departmentId });
  },
  "choose who pays": async () => {
    const { admin } = await anAdminWithEverything();
    const payer = await aPerson(admin.organisationId, "member");
    await setBillingUser(db(), admin, admin.organisationId, payer.id);
    await answerNomination(db(), await actorFor(payer.id), "accept");
    await withdrawAsBillingUser(db(), await actorFor(payer.id));
  },
  "pay for a colleague": async () => {
    const { admin } = await anAdminWithEverything();
    const colleague = await anActor(admin.organisationId, "member");
    await db().user.update({ where: { id: admin.userId }, data: { billingMode: "own" } });
    const { id } = await proposeDelegation(db(), admin, { kind: "offer", email: colleague.email });
    await acceptDelegation(db(), colleague, id);
    await endDelegation(db(), colleague, id);
  },
  "merge organisations": async () => {
    const [{ admin: target }, { admin: source }] = [await anAdminWithEverything(), await anAdminWithEverything()];
    const roles = new Map([[source.userId, "member" as const]]);
    await mergeOrganisations(db(), platform, {
      targetId: target.organisationId,
      sourceIds: [source.organisationId],
      roles,
    });
  },
  "end an organisation": async () => deleteOrganisation(db(), platform, (await anOrganisation()).id),
};

describe("nothing is locked out of order by who wants to", () => {
  test.each(Object.keys(ACTS))("%s", async (act) => {
    const watch = watchLocks();
    const outcome = await codeOf(ACTS[act]!());
    const { transactions, wrong } = watch.stop();
    expect(outcome).toBe("ok");
    expect(transactions).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
  });
});

test("the watch sees locks in statements by hand and by Prisma, and a lock out of order", () => {
  expect(lockedBy('UPDATE "public"."app_user" SET "role" = $1')).toEqual(["app_user"]);
  expect(lockedBy("SELECT 1 FROM api_key k LEFT JOIN app_user u ON true FOR NO KEY UPDATE OF k")).toEqual(["api_key"]);
  expect(lockedBy("SELECT 1 FROM organisation WHERE id = 1 FOR SHARE")).toEqual(["organisation"]);
  expect(lockedBy("SELECT 1 FROM organisation")).toEqual([]);
  expect(outOfOrder(["UPDATE api_key SET name = ''", "SELECT 1 FROM project FOR SHARE"])).toHaveLength(1);
});
