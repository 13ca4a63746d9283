import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { db } from "~/connection/db.server";
import {
  accountOfIdentity,
  checkPassword,
  confirmByReset,
  linkIdentity,
  resetPassword,
} from "~/domain/accounts/index.server";
import type { Actor } from "~/domain/accounts/shared";
import { actorFor, aDepartment, anActor, anOrganisation, codeOf } from "../../../../tests/support/administered";
import { openFreshDatabase, type TestDatabase } from "../../../../tests/support/database";
import { acceptInvite, createInvite, listInvites, passOnInvite, readInvite, revokeInvite } from "../index.server";

/** An invitation link proves an address if it was emailed, and nothing if it was passed on by hand. */
let database: TestDatabase;
let platform: Actor;
const GW_SECRET = "a-secret-for-tests-0123456789abcdefgh";
const withoutMail = () => setConfig(readConfig({ GW_SECRET }));
const withMail = () => setConfig(readConfig({ GW_SECRET, SMTP_URL: "smtp://127.0.0.1:1" }));
beforeAll(async () => {
  withoutMail();
  database = await openFreshDatabase();
  platform = await anActor((await anOrganisation()).id, "platform_admin");
});
beforeEach(withoutMail);
afterAll(() => database.close());

const PASSWORD = "several words and a half";
const aNewcomer = (name = "New") => ({ kind: "new", name, password: PASSWORD, language: null, address: "" }) as const;
const personOf = (email: string) => db().user.findUniqueOrThrow({ where: { email } });
const signIn = async (email: string) =>
  (await checkPassword(db(), { email, password: PASSWORD, address: "", mayUse: async () => true })).kind;

test("a link that went out by mail proves its address; one that was passed on does not", async () => {
  const boss = await anActor((await anOrganisation()).id, "org_admin");
  withMail();
  const mailed = await createInvite(db(), boss, { email: "mailed@new.example", role: "member" });
  expect(mailed.delivery).toBe("mail");
  await acceptInvite(db(), mailed.token, aNewcomer());
  expect(await personOf("mailed@new.example")).toMatchObject({ emailVerifiedAt: expect.any(Date), vouchedAt: null });
  withoutMail();
  const filed = await createInvite(db(), boss, { email: "ceo@bigcorp.example", role: "member" });
  expect(filed.delivery).toBe("operator");
  await acceptInvite(db(), filed.token, aNewcomer());
  expect(await personOf("ceo@bigcorp.example")).toMatchObject({ emailVerifiedAt: null, vouchedAt: expect.any(Date) });
});

test("an invitation that was mailed and is passed on after all proves nothing, and the mailed link has ended", async () => {
  const boss = await anActor((await anOrganisation()).id, "org_admin");
  withMail();
  const mailed = await createInvite(db(), boss, { email: "both@new.example", role: "member" });
  expect(await codeOf(passOnInvite(db(), boss, mailed.id))).toBe("forbidden");
  const passed = await passOnInvite(db(), platform, mailed.id);
  expect(await codeOf(acceptInvite(db(), mailed.token, aNewcomer()))).toBe("invalid_token");
  await acceptInvite(db(), passed.token, aNewcomer());
  expect((await personOf("both@new.example")).emailVerifiedAt).toBeNull();
  expect(await codeOf(passOnInvite(db(), platform, mailed.id))).toBe("conflict");
  expect(await codeOf(passOnInvite(db(), platform, 999_999))).toBe("not_found");
});

test("an unconfirmed account is used without mail; with mail it is confirmed first, by a new password from the mailbox", async () => {
  const boss = await anActor((await anOrganisation()).id, "org_admin");
  const email = "unconfirmed@new.example";
  const { token } = await createInvite(db(), boss, { email, role: "member" });
  await acceptInvite(db(), token, aNewcomer());
  expect(await signIn(email)).toBe("ready");
  expect(await confirmByReset(db(), email)).toBeNull();
  withMail();
  expect(await signIn(email)).toBe("unverified");
  const letter = await confirmByReset(db(), email);
  await resetPassword(db(), { token: letter?.token ?? "", password: PASSWORD, address: "" });
  expect(await signIn(email)).toBe("ready");
  expect((await personOf(email)).emailVerifiedAt).toBeInstanceOf(Date);
  expect(await confirmByReset(db(), email)).toBeNull();
  expect(await confirmByReset(db(), "nobody@new.example")).toBeNull();
});

test("a new password from an email that was only a file confirms no address", async () => {
  const boss = await anActor((await anOrganisation()).id, "org_admin");
  const email = "still-unconfirmed@new.example";
  const { token } = await createInvite(db(), boss, { email, role: "member" });
  await acceptInvite(db(), token, aNewcomer());
  withMail();
  const letter = await confirmByReset(db(), email);
  withoutMail();
  await resetPassword(db(), { token: letter?.token ?? "", password: PASSWORD, address: "" });
  expect((await personOf(email)).emailVerifiedAt).toBeNull();
});

test("an identity of the same address opens no unconfirmed account; linked on purpose, it confirms the address", async () => {
  const boss = await anActor((await anOrganisation()).id, "org_admin");
  const email = "linked@new.example";
  const { token } = await createInvite(db(), boss, { email, role: "member" });
  const { userId } = await acceptInvite(db(), token, aNewcomer());
  const claims = {
    provider: "idp-a",
    issuer: "https://idp.example",
    subject: "s",
    email,
    emailVerified: true,
    name: "",
  } as const;
  expect((await accountOfIdentity(db(), claims, async () => true)).kind).toBe("taken");
  await linkIdentity(db(), { userId, address: "" }, { ...claims, subject: "t", emailVerified: false });
  expect((await personOf(email)).emailVerifiedAt).toBeNull();
  await linkIdentity(db(), { userId, address: "" }, claims);
  expect((await personOf(email)).emailVerifiedAt).toBeInstanceOf(Date);
});

test("a link tells nothing about accounts: not when it is read, nor when an unproven one is tried", async () => {
  const boss = await anActor((await anOrganisation()).id, "org_admin");
  const known = await anActor((await anOrganisation()).id, "member");
  const invite = (email: string) => createInvite(db(), boss, { email, role: "member" });
  const [taken, free] = [await invite(known.email), await invite("free@new.example")];
  const landing = async ({ token }: { token: string }) => {
    const { email: _, expiresAt: __, ...rest } = (await readInvite(db(), token))!;
    return rest;
  };
  expect(await landing(taken)).toEqual(await landing(free));
  expect(await codeOf(acceptInvite(db(), taken.token, aNewcomer()))).toBe("conflict");
  withMail();
  const mailed = await invite(known.email);
  expect(await codeOf(acceptInvite(db(), mailed.token, aNewcomer()))).toBe("email_taken");
  const stranger = await anActor(boss.organisationId, "member");
  expect(await codeOf(acceptInvite(db(), mailed.token, { kind: "signedIn", actor: stranger }))).toBe("forbidden");
  expect(await codeOf(acceptInvite(db(), mailed.token, { kind: "signedIn", actor: known }))).toBe("ok");
});

test("of fifty redemptions at once one becomes the person", async () => {
  const boss = await anActor((await anOrganisation()).id, "org_admin");
  const email = "fifty@new.example";
  const { token } = await createInvite(db(), boss, { email, role: "member" });
  const racers = Array.from({ length: 50 }, (_, at) => codeOf(acceptInvite(db(), token, aNewcomer(`Racer ${at}`))));
  const outcomes = await Promise.all(racers);
  expect(outcomes.filter((outcome) => outcome === "ok")).toHaveLength(1);
  // The number of concurrent hashes is limited; the rejected requests may be repeated.
  const told = new Set(["ok", "invalid_token", "rate_limit_exceeded"]);
  expect(outcomes.filter((outcome) => !told.has(outcome))).toEqual([]);
  expect(await db().user.count({ where: { email } })).toBe(1);
}, 60_000);

test("of a new link and an acceptance at the same moment, one happens", async () => {
  const boss = await anActor((await anOrganisation()).id, "org_admin");
  for (let round = 0; round < 6; round += 1) {
    const { id, token } = await createInvite(db(), boss, { email: `link-${round}@new.example`, role: "member" });
    const outcomes = await Promise.all([
      codeOf(acceptInvite(db(), token, aNewcomer())),
      codeOf(passOnInvite(db(), platform, id)),
    ]);
    expect(["ok,conflict", "invalid_token,ok"]).toContain(outcomes.join());
  }
});

test("inviting again ends one's own invitation, and none that was above the actor", async () => {
  const home = await anOrganisation();
  const department = await aDepartment(home.id);
  const boss = await anActor(home.id, "org_admin");
  const head = await anActor(home.id, "department_admin", { departmentId: department.id });
  const email = "wanted@new.example";
  const above = await createInvite(db(), boss, { email, role: "department_admin", departmentId: department.id });
  expect(await codeOf(createInvite(db(), head, { email, role: "viewer" }))).toBe("conflict");
  expect((await readInvite(db(), above.token))?.status).toBe("pending");
  const beside = await createInvite(db(), boss, { email, role: "viewer" });
  expect(await codeOf(createInvite(db(), head, { email, role: "viewer" }))).toBe("conflict");
  await revokeInvite(db(), boss, beside.id);
  const again = await createInvite(db(), head, { email, role: "viewer" });
  expect((await readInvite(db(), above.token))?.status).toBe("revoked");
  expect((await readInvite(db(), again.token))?.status).toBe("pending");
  const { invites } = await listInvites(db(), head, { pendingOnly: true, beforeId: null, limit: 5 });
  expect(invites).toMatchObject([{ email, delivery: "operator", status: "pending" }]);
});

test("who has been suspended, demoted or moved in the meantime sends no invitation any more", async () => {
  const home = await anOrganisation();
  const boss = await anActor(home.id, "org_admin");
  const changes = [{ status: "suspended" }, { role: "member" }, { organisationId: (await anOrganisation()).id }];
  for (const change of changes) {
    await db().user.update({ where: { id: boss.userId }, data: change });
    expect(await codeOf(createInvite(db(), boss, { email: "late@new.example", role: "viewer" }))).toBe("forbidden");
    await db().user.update({
      where: { id: boss.userId },
      data: { status: "active", role: "org_admin", organisationId: home.id },
    });
  }
  expect(
    await codeOf(createInvite(db(), await actorFor(boss.userId), { email: "late@new.example", role: "viewer" })),
  ).toBe("ok");
});
