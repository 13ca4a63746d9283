import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { db } from "~/connection/db.server";
import { actorFor, anOrganisation, aPerson } from "../../../../tests/support/administered";
import { openFreshDatabase, type TestDatabase } from "../../../../tests/support/database";
import { findAccountById } from "../account-store";
import { changePassword } from "../own/own-account";
import { hashPassword } from "../passwords/password";
import { markDevice } from "./known-device";
import { checkPassword } from "./sign-in";
import { rateLimitEmail, rateLimitEmailTo, rateLimitSignIn } from "./throttle";

const PASSWORD = "several words and a half";
let passwordHash: string;
let database: TestDatabase;
beforeAll(async () => {
  setConfig(readConfig({ GW_SECRET: "a-secret-for-tests-only-0123456789abcdef" }));
  database = await openFreshDatabase();
  passwordHash = await hashPassword(PASSWORD);
});
afterAll(() => database.close());

/** Moves all counters back in time. */
const later = (seconds: number) => db().$executeRaw`
  UPDATE sign_in_throttle SET window_start = window_start - make_interval(secs => ${seconds}::int),
    locked_until = locked_until - make_interval(secs => ${seconds}::int)`;

/** Seconds to wait; 0 when the attempt is accepted. */
const waitOf = (counted: Promise<void>): Promise<number> =>
  counted.then(
    () => 0,
    (error) => error.retryAfterSeconds,
  );

const attempt = (account: string, address: string = randomUUID()): Promise<number> =>
  rateLimitSignIn(db(), { account, address, own: null }).then(
    (turn) => (turn.kind === "open" ? 0 : turn.waitSeconds),
    (error) => error.retryAfterSeconds,
  );

const letter = (account: string, address: string = randomUUID(), own: string | null = null): Promise<number> =>
  waitOf(rateLimitEmail(db(), { account, address, own }));

async function someone() {
  const { id } = await aPerson((await anOrganisation()).id, "member");
  await db().user.update({ where: { id }, data: { passwordHash } });
  return (await findAccountById(db(), id))!;
}

const signIn = (account: { email: string }, given: { password?: string; address?: string; marks?: string[] } = {}) =>
  checkPassword(db(), {
    email: account.email,
    password: PASSWORD,
    address: randomUUID(),
    mayUse: async () => true,
    ...given,
  });

async function lockOut(account: { email: string }) {
  for (let count = 0; count < 10; count += 1) await attempt(account.email);
}

test("whoever comes back at the time that they were told is taken, and the next lock is twice as long", async () => {
  const account = randomUUID();
  for (let count = 0; count < 10; count += 1) expect(await attempt(account)).toBe(0);
  for (const seconds of [30, 60, 120, 240, 480, 900, 900]) {
    const wait = await attempt(account);
    expect(wait).toBeGreaterThan(seconds - 5);
    expect(wait).toBeLessThanOrEqual(seconds);
    await later(wait);
    expect(await attempt(account)).toBe(0);
  }
  await later(1_801);
  for (let count = 0; count < 10; count += 1) expect(await attempt(account)).toBe(0);
});

test("an office behind one address that signs in all day is not locked out", async () => {
  const account = await someone();
  for (let count = 0; count < 70; count += 1) {
    expect((await signIn(account, { address: "198.51.100.7" })).kind).toBe("ready");
    await later(60);
  }
});

test("of a thousand guesses at one account, from a thousand networks, none in a hundred is answered", async () => {
  const account = randomUUID();
  let answered = 0;
  for (let count = 0; count < 1_000; count += 1) if ((await attempt(account)) === 0) answered += 1;
  expect(answered).toBeLessThanOrEqual(10);
});

test("strangers' guesses lock no browser that knows the account, and no network full of them does", async () => {
  const account = await someone();
  const marks = [markDevice(account)];
  await lockOut(account);
  for (let count = 0; count < 60; count += 1) await attempt(randomUUID(), "198.51.100.9");
  expect((await signIn(account, { marks, address: "198.51.100.9" })).kind).toBe("ready");
  expect((await signIn(account)).kind).toBe("locked");
  await expect(signIn(await someone(), { address: "198.51.100.9" })).rejects.toMatchObject({
    code: "rate_limit_exceeded",
  });
});

test("a sign-in in a browser that knows the account gives strangers no guesses back", async () => {
  const account = await someone();
  await lockOut(account);
  expect((await signIn(account, { marks: [markDevice(account)] })).kind).toBe("ready");
  expect(await attempt(account.email)).toBeGreaterThan(0);
});

test("a browser that knows the account guesses ten times in a row, and no more", async () => {
  const account = await someone();
  const marks = [markDevice(account)];
  for (let count = 0; count < 10; count += 1)
    expect((await signIn(account, { marks, password: "a guess" })).kind).toBe("invalid");
  await expect(signIn(account, { marks })).rejects.toMatchObject({ code: "rate_limit_exceeded" });
});

test("a mark knows one account, until its password changes, and nobody makes one up", async () => {
  const account = await someone();
  await lockOut(account);
  const mark = markDevice(account);
  const forged = [
    markDevice({ ...account, id: account.id + 1 }),
    markDevice({ ...account, passwordHash: await hashPassword(PASSWORD) }),
    `${mark.slice(0, -1)}${mark.endsWith("A") ? "B" : "A"}`,
    mark.slice(0, 20),
    "",
  ];
  expect((await signIn(account, { marks: forged })).kind).toBe("locked");
  expect((await signIn(account, { marks: [...forged, mark] })).kind).toBe("ready");
});

test("a locked account checks five passwords of one network in a row, and says nothing of what it found", async () => {
  const account = await someone();
  await lockOut(account);
  const address = randomUUID();
  const right = await signIn(account, { address });
  const wrong = await signIn(account, { address, password: "a guess" });
  expect(right).toMatchObject({ kind: "locked", proven: { id: account.id } });
  expect(wrong).toMatchObject({ kind: "locked", proven: null });
  for (let count = 0; count < 3; count += 1) await signIn(account, { address });
  await expect(signIn(account, { address })).rejects.toMatchObject({ code: "rate_limit_exceeded" });
  expect((await signIn(account)).kind).toBe("locked");
});

test("strangers who have used up their emails to somebody have used up nobody else's", async () => {
  const account = randomUUID();
  for (const network of ["192.0.2.1", "192.0.2.2", "192.0.2.3", "2001:db8::1"]) {
    for (let count = 0; count < 5; count += 1) expect(await letter(account, network)).toBe(0);
    expect(await letter(account, network)).toBeGreaterThan(0);
  }
  expect(await letter(account, "2001:db8::2")).toBeGreaterThan(0);
  expect(await letter(account, "203.0.113.7")).toBe(0);
});

test("all of the world sends somebody 60 emails and then four an hour, and their own browser gets one still", async () => {
  const account = randomUUID();
  let sent = 0;
  const ask = async () => {
    if ((await letter(account)) === 0) sent += 1;
  };
  // Each from its own network: first all at once, then two every 15 minutes.
  for (let count = 0; count < 70; count += 1) await ask();
  expect(sent).toBe(60);
  for (let quarter = 0; quarter < 40; quarter += 1) {
    await later(900);
    await ask();
    await ask();
  }
  expect(sent).toBeLessThanOrEqual(60 + 40 + 5);
  expect(await letter(account, randomUUID(), "device:x")).toBe(0);
});

test("somebody who is signed in invites one address five times in a row, whatever others do", async () => {
  const email = randomUUID();
  const invite = (userId: number) => waitOf(rateLimitEmailTo(db(), { userId }, email));
  for (let count = 0; count < 5; count += 1) expect(await invite(1)).toBe(0);
  expect(await invite(1)).toBeGreaterThan(0);
  expect(await invite(2)).toBe(0);
});

test("whoever finds a browser signed in guesses the password in the settings ten times in a row", async () => {
  const account = await someone();
  const actor = await actorFor(account.id);
  const passwords = { current: "a guess", fresh: "other words and a half" };
  const guess = () => changePassword(db(), actor, passwords, () => undefined);
  for (let count = 0; count < 10; count += 1)
    await expect(guess()).rejects.toMatchObject({ code: "invalid_credentials" });
  await expect(guess()).rejects.toMatchObject({ code: "rate_limit_exceeded" });
});

test("strangers' guesses do not keep somebody who is signed in from their settings", async () => {
  const account = await someone();
  const actor = await actorFor(account.id);
  await lockOut(account);
  const passwords = { current: PASSWORD, fresh: "other words and a half" };
  expect(await changePassword(db(), actor, passwords, () => undefined)).toMatchObject({ first: false });
});
