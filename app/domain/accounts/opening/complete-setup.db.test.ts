import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "~/connection/db.server";
import { openFreshDatabase, type TestDatabase } from "../../../../tests/support/database";
import { verifyPassword } from "../passwords/password";
import { completeSetup, isSetupLinkUsable, issueSetupToken } from "./complete-setup";
import { createOwner, ownerToSetUp } from "./store";

const FORM = { email: "ada@example.com", name: "Ada", password: "several words and a half" };

let database: TestDatabase;
beforeAll(async () => {
  database = await openFreshDatabase();
});
afterAll(() => database.close());

let made = 0;
async function aUser(email?: string) {
  made += 1;
  const address = email ?? `user-${made}@localhost`;
  const organisation = await db().organisation.create({ data: { name: "Home", slug: `org-${made}` } });
  return db().user.create({ data: { email: address, organisationId: organisation.id, role: "owner" } });
}

test("the link gives its user an address, a name and a password, and then no longer works", async () => {
  const user = await aUser();
  const token = await issueSetupToken(db(), user.id);
  expect(await isSetupLinkUsable(db(), token)).toBe(true);
  expect(await completeSetup(db(), token, FORM)).toEqual({ kind: "ready", userId: user.id });
  const stored = await db().user.findUniqueOrThrow({ where: { id: user.id } });
  expect(stored).toMatchObject({ email: FORM.email, name: "Ada", role: "owner" });
  expect(stored.emailVerifiedAt).toBeInstanceOf(Date);
  expect(await verifyPassword(stored.passwordHash, FORM.password)).toBe(true);
  expect(await isSetupLinkUsable(db(), token)).toBe(false);
  expect(await completeSetup(db(), token, FORM)).toEqual({ kind: "linkNotUsable" });
});

test("of many who use a link at the same moment exactly one wins", async () => {
  const user = await aUser();
  const token = await issueSetupToken(db(), user.id);
  const tries = Array.from({ length: 12 }, (_, index) =>
    completeSetup(db(), token, { ...FORM, email: `racer-${index}@example.com` }),
  );
  const outcomes = await Promise.all(tries);
  expect(outcomes.filter(({ kind }) => kind === "ready")).toHaveLength(1);
  const winner = outcomes.findIndex(({ kind }) => kind === "ready");
  expect((await db().user.findUniqueOrThrow({ where: { id: user.id } })).email).toBe(`racer-${winner}@example.com`);
});

test("an address that somebody else has leaves the link usable", async () => {
  await aUser("taken@example.com");
  const token = await issueSetupToken(db(), (await aUser()).id);
  expect(await completeSetup(db(), token, { ...FORM, email: "taken@example.com" })).toEqual({ kind: "emailTaken" });
  expect((await completeSetup(db(), token, { ...FORM, email: "free@example.com" })).kind).toBe("ready");
});

test("a new link ends the earlier ones", async () => {
  const user = await aUser();
  const earlier = await issueSetupToken(db(), user.id);
  const later = await issueSetupToken(db(), user.id);
  expect([await isSetupLinkUsable(db(), earlier), await isSetupLinkUsable(db(), later)]).toEqual([false, true]);
});

test("an expired link, a token of another purpose and made-up ones do nothing", async () => {
  const user = await aUser();
  const expired = await issueSetupToken(db(), user.id);
  await db().oneTimeToken.updateMany({ where: { userId: user.id }, data: { expiresAt: new Date(Date.now() - 1_000) } });
  const other = await issueSetupToken(db(), user.id);
  await db().oneTimeToken.updateMany({ where: { userId: user.id, usedAt: null }, data: { purpose: "reset" } });
  for (const token of [expired, other, "", "undefined", "null", "[object Object]", "' OR 1=1 --", "x".repeat(10_000)]) {
    expect(await completeSetup(db(), token, FORM)).toEqual({ kind: "linkNotUsable" });
  }
});

test("an owner is to be set up until there is a password", async () => {
  await db().user.updateMany({ data: { role: "member" } });
  expect(await ownerToSetUp(db())).toBeNull();
  const organisation = await db().organisation.create({ data: { name: "Home", slug: "first" } });
  const create = (email: string, passwordHash: string | null) =>
    createOwner(db(), { organisationId: organisation.id, email, passwordHash });
  await create("complete@example.com", "$argon2id$some");
  expect(await ownerToSetUp(db())).toBeNull();
  const owner = await create("owner@localhost", null);
  expect(await ownerToSetUp(db())).toEqual({ ...owner, linkAgeSeconds: null });
  await completeSetup(db(), await issueSetupToken(db(), owner.id), { ...FORM, email: "owner@example.com" });
  expect(await ownerToSetUp(db())).toBeNull();
  const complete = await db().user.findUniqueOrThrow({ where: { email: "complete@example.com" } });
  expect(complete.emailVerifiedAt).toBeInstanceOf(Date);
});

test("the token itself is stored nowhere", async () => {
  const token = await issueSetupToken(db(), (await aUser()).id);
  const rows = await db().oneTimeToken.findMany();
  const stored = rows.map((row) => Buffer.from(row.tokenHash).toString("latin1")).join(" ");
  expect(stored).not.toContain(token);
  expect(rows.every((row) => row.tokenHash.length === 32)).toBe(true);
});
