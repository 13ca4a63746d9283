import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { db } from "~/connection/db.server";
import type { Actor, Role } from "~/domain/accounts/shared";
import {
  authorOfAdminKey,
  createActorKey,
  issueKey,
  rotateActorKey,
  rotateKey,
  verifyKey,
} from "~/domain/keys/index.server";
import {
  hardDelete,
  previewConsequences,
  setDepartment,
  setOrganisation,
  setRole,
  setStatus,
} from "~/domain/people/index.server";
import { actorFor, aDepartment, anActor, anOrganisation, aPerson, codeOf } from "../../../tests/support/administered";
import { openFreshDatabase, type TestDatabase } from "../../../tests/support/database";
import { acceptInvite, createInvite, mergeOrganisations } from "./index.server";

/** Keys and invitations that a person has created, and their fate when the person's rank ends. */
let database: TestDatabase;
let platform: Actor;
beforeAll(async () => {
  setConfig(readConfig({ GW_SECRET: "a-secret-for-tests-0123456789abcdefgh" }));
  database = await openFreshDatabase();
  platform = await anActor((await anOrganisation()).id, "platform_admin");
});
afterAll(() => database.close());

const settings = { allowedModels: [], allowedRegions: [], rateLimitRpm: null, metadata: {}, expiresAt: null };
const aNewcomer = () =>
  ({ kind: "new", name: "New", password: "several words and a half", language: null, address: "" }) as const;
const byKey = async (secret: string) => authorOfAdminKey(await verifyKey(secret));
const works = (secret: string) => codeOf((async () => verifyKey(secret))());
const anAddress = () => `left-${randomUUID()}@new.example`;

/**
 * An admin with an ownerless key created in the portal, a key created by that key, a key created by the latter, and an
 * invitation.
 */
async function anAdminWithThings() {
  const home = await anOrganisation();
  const admin = await anActor(home.id, "org_admin");
  const organisationId = home.id;
  const nobodys = await createActorKey(db(), admin, { name: "nobody's", kind: "admin", owner: "nobody", ...settings });
  const minted = await issueKey(db(), { organisationId, name: "minted", kind: "admin" }, await byKey(nobodys.secret));
  const again = await issueKey(db(), { organisationId, name: "again", kind: "admin" }, await byKey(minted.secret));
  const application = await issueKey(db(), { organisationId, name: "application" }, await byKey(minted.secret));
  const others = await issueKey(db(), { organisationId, name: "somebody else's", kind: "admin" });
  const invite = await createInvite(db(), admin, { email: anAddress(), role: "member" });
  return { home, admin, adminKeys: [nobodys, minted, again], application, others, invite };
}

const ENDINGS: Record<string, (userId: number, email: string, revokeAdminKeys?: boolean) => Promise<unknown>> = {
  suspend: (id, _, revokeAdminKeys) => setStatus(db(), platform, id, "suspended", { revokeAdminKeys }),
  archive: (id, _, revokeAdminKeys) => setStatus(db(), platform, id, "archived", { revokeAdminKeys }),
  demote: async (id, _, revokeAdminKeys) =>
    (await setRole(db(), platform, id, "member", { revokeAdminKeys })).withdrawn,
  move: async (id, _, revokeAdminKeys) =>
    setOrganisation(db(), platform, id, (await anOrganisation()).id, { revokeAdminKeys }),
  delete: (id, email, revokeAdminKeys) => hardDelete(db(), platform, id, email, { revokeAdminKeys }),
};

describe.each(Object.keys(ENDINGS))("to %s an admin", (ending) => {
  const end = ENDINGS[ending]!;

  test("ends every admin key that leads back to them and their invitations, and leaves the rest", async () => {
    const { admin, adminKeys, application, others, invite } = await anAdminWithThings();
    const preview = await previewConsequences(db(), platform, admin.userId);
    expect(preview.leftBehind).toEqual({
      adminKeys: { count: 3, names: ["nobody's", "minted", "again"] },
      keysForOthers: 1,
      openInvites: 1,
    });
    expect(await end(admin.userId, admin.email)).toEqual({ adminKeysRevoked: 3, invitesRevoked: 1 });
    for (const { secret } of adminKeys) expect(await works(secret)).toBe("invalid_api_key");
    expect(await works(application.secret)).toBe("ok");
    expect(await works(others.secret)).toBe("ok");
    expect(await codeOf(acceptInvite(db(), invite.token, aNewcomer()))).toBe("invalid_token");
    const acts = await db().act.findMany({ where: { after: { path: ["withdrawnWith"], equals: admin.userId } } });
    expect(acts.map(({ action }) => action).toSorted()).toEqual([
      "invite.revoke",
      "key.revoke",
      "key.revoke",
      "key.revoke",
    ]);
  });

  test("keeps admin keys where that is asked for; invitations end all the same", async () => {
    const { admin, adminKeys, invite } = await anAdminWithThings();
    expect(await end(admin.userId, admin.email, false)).toEqual({ adminKeysRevoked: 0, invitesRevoked: 1 });
    for (const { secret } of adminKeys) expect(await works(secret)).toBe("ok");
    expect(await codeOf(acceptInvite(db(), invite.token, aNewcomer()))).toBe("invalid_token");
  });
});

test("reactivating brings nothing back that was revoked", async () => {
  const { admin, adminKeys, invite } = await anAdminWithThings();
  await setStatus(db(), platform, admin.userId, "suspended");
  await setStatus(db(), platform, admin.userId, "active");
  for (const { secret } of adminKeys) expect(await works(secret)).toBe("invalid_api_key");
  expect(await codeOf(acceptInvite(db(), invite.token, aNewcomer()))).toBe("invalid_token");
});

test("who rotated a key is who knows its secret; who made it knows the one of before while that works", async () => {
  const { admin: maker, adminKeys, home } = await anAdminWithThings();
  const [key] = adminKeys as [(typeof adminKeys)[number]];
  const heir = await anActor(home.id, "org_admin");
  const rotated = await rotateActorKey(db(), heir, key.id, { overlapSeconds: 3_600 });
  const later = await issueKey(
    db(),
    { organisationId: home.id, name: "later", kind: "admin" },
    await byKey(rotated.secret),
  );
  expect(await works(key.secret)).toBe("ok");
  await setStatus(db(), platform, maker.userId, "suspended");
  expect(await works(key.secret)).toBe("invalid_api_key");
  expect(await works(rotated.secret)).toBe("ok");
  expect(await works(later.secret)).toBe("ok");
  await setStatus(db(), platform, heir.userId, "suspended");
  expect(await works(rotated.secret)).toBe("invalid_api_key");
  expect(await works(later.secret)).toBe("invalid_api_key");
});

test("a key that somebody else's key has rotated belongs to whoever has that key", async () => {
  const home = await anOrganisation();
  const admin = await anActor(home.id, "org_admin");
  const root = await issueKey(db(), { organisationId: home.id, name: "root", kind: "admin" });
  const mine = await createActorKey(db(), admin, { name: "mine", kind: "admin", owner: "nobody", ...settings });
  const taken = await rotateKey(
    db(),
    { organisationId: home.id },
    root,
    { overlapSeconds: 0 },
    await byKey(mine.secret),
  );
  await setRole(db(), platform, admin.userId, "viewer");
  expect(await works(taken.secret)).toBe("invalid_api_key");
});

test("an admin key whose owner is being suspended at this moment makes no other key", async () => {
  const home = await anOrganisation();
  const admin = await anActor(home.id, "org_admin");
  const mine = await createActorKey(db(), admin, { name: "mine", kind: "admin", owner: "self", ...settings });
  const author = await byKey(mine.secret);
  await db().user.update({ where: { id: admin.userId }, data: { status: "suspended" } });
  const minted = issueKey(db(), { organisationId: home.id, name: "minted", kind: "admin" }, author);
  expect(await codeOf(minted)).toBe("account_status");
});

test("what somebody may still have stays: keys of their own organisation, invitations that they could still send", async () => {
  const [home, other] = [await anOrganisation(), await anOrganisation()];
  const owner = await anActor(home.id, "owner");
  const person = await anActor(home.id, "platform_admin");
  const here = await createActorKey(db(), person, { name: "here", kind: "admin", owner: "nobody", ...settings });
  const there = await createActorKey(
    db(),
    { ...person, adminOrganisationId: other.id },
    { name: "there", kind: "admin", owner: "nobody", ...settings },
  );
  const invite = (role: Role, organisationId: number) =>
    createInvite(db(), person, { email: anAddress(), role, organisationId });
  const [stays, equal, foreign] = [
    await invite("member", home.id),
    await invite("org_admin", home.id),
    await invite("member", other.id),
  ];
  const { before, withdrawn } = await setRole(db(), owner, person.userId, "org_admin");
  expect([before, withdrawn]).toEqual(["platform_admin", { adminKeysRevoked: 1, invitesRevoked: 2 }]);
  expect([await works(here.secret), await works(there.secret)]).toEqual(["ok", "invalid_api_key"]);
  expect(await codeOf(acceptInvite(db(), stays.token, aNewcomer()))).toBe("ok");
  for (const { token } of [equal, foreign])
    expect(await codeOf(acceptInvite(db(), token, aNewcomer()))).toBe("invalid_token");
});

test("a department admin who changes departments, or comes back with a second address, has no way in left", async () => {
  const home = await anOrganisation();
  const [first, second] = [await aDepartment(home.id), await aDepartment(home.id)];
  const boss = await anActor(home.id, "org_admin");
  const head = await anActor(home.id, "department_admin", { departmentId: first.id });
  const invite = await createInvite(db(), head, { email: anAddress(), role: "member" });
  expect(await setDepartment(db(), boss, head.userId, second.id)).toMatchObject({ invitesRevoked: 1 });
  expect(await codeOf(acceptInvite(db(), invite.token, aNewcomer()))).toBe("invalid_token");
});

test("who accepts an invitation elsewhere, and who falls in a merge, leaves nothing behind either", async () => {
  const leaver = await anAdminWithThings();
  const away = await anOrganisation();
  const to = { email: leaver.admin.email, role: "member", organisationId: away.id } as const;
  const invite = await createInvite(db(), platform, to);
  await acceptInvite(db(), invite.token, { kind: "signedIn", actor: leaver.admin });
  const merged = await anAdminWithThings();
  await mergeOrganisations(db(), platform, {
    targetId: (await anOrganisation()).id,
    sourceIds: [merged.home.id],
    roles: new Map([[merged.admin.userId, "member"]]),
  });
  for (const things of [leaver, merged]) {
    for (const { secret } of things.adminKeys) expect(await works(secret)).toBe("invalid_api_key");
    expect(await codeOf(acceptInvite(db(), things.invite.token, aNewcomer()))).toBe("invalid_token");
  }
});

test("an admin of another organisation ends no key of this one, and sees none", async () => {
  const { admin, adminKeys } = await anAdminWithThings();
  const away = await anOrganisation();
  await setOrganisation(db(), platform, admin.userId, away.id, { revokeAdminKeys: false });
  const boss = await anActor(away.id, "org_admin");
  expect((await previewConsequences(db(), boss, admin.userId)).leftBehind.adminKeys).toEqual({ count: 0, names: [] });
  await setStatus(db(), boss, admin.userId, "suspended");
  for (const { secret } of adminKeys) expect(await works(secret)).toBe("ok");
});

test("at the same moment: what is accepted or made is there and counts, or it has ended", async () => {
  for (let round = 0; round < 12; round += 1) {
    const { home, admin, adminKeys, invite } = await anAdminWithThings();
    const by = await byKey(adminKeys[1]!.secret);
    const email = anAddress();
    const made: { secret: string }[] = [];
    const keep = async (key: Promise<{ secret: string }>) => void made.push(await key);
    const [accepted] = await Promise.all([
      codeOf(acceptInvite(db(), invite.token, aNewcomer())),
      codeOf(setStatus(db(), platform, admin.userId, "suspended")),
      codeOf(createInvite(db(), admin, { email, role: "member" })),
      codeOf(keep(issueKey(db(), { organisationId: home.id, name: "minted late", kind: "admin" }, by))),
      codeOf(keep(createActorKey(db(), admin, { name: "late", kind: "admin", owner: "nobody", ...settings }))),
      codeOf(keep(rotateActorKey(db(), admin, adminKeys[2]!.id, { overlapSeconds: 60 }))),
    ]);
    const row = await db().invite.findUniqueOrThrow({ where: { id: invite.id } });
    expect([accepted === "ok", row.acceptedAt !== null]).toEqual([row.revokedAt === null, row.revokedAt === null]);
    const open = { invitedById: admin.userId, acceptedAt: null, revokedAt: null };
    expect(await db().invite.count({ where: open })).toBe(0);
    for (const { secret } of [...adminKeys, ...made]) expect(await works(secret)).not.toBe("ok");
  }
}, 60_000);

test("a suspended person's own admin key works again when it was kept", async () => {
  const home = await anOrganisation();
  const person = await aPerson(home.id, "org_admin");
  const actor = await actorFor(person.id);
  const key = await createActorKey(db(), actor, { name: "own", kind: "admin", owner: "self", ...settings });
  await setStatus(db(), platform, person.id, "suspended", { revokeAdminKeys: false });
  expect(await works(key.secret)).toBe("account_status");
  await setStatus(db(), platform, person.id, "active");
  expect(await works(key.secret)).toBe("ok");
});
