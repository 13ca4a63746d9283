import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { db } from "~/db.server";
import { actorFor, anOrganisation, aPerson } from "../../../tests/support/administered";
import { openFreshDatabase, type TestDatabase } from "../../../tests/support/database";
import { changePassword } from "./own-account";
import { hashPassword } from "./password";
import { checkPassword } from "./sign-in";
import { ration } from "./throttle";

let database: TestDatabase;
beforeAll(async () => {
  setConfig(readConfig({}));
  database = await openFreshDatabase();
});
afterAll(() => database.close());

/** Lets time go by for everything that is counted. */
const later = (seconds: number) => db().$executeRaw`
  UPDATE sign_in_throttle SET window_start = window_start - make_interval(secs => ${seconds}::int),
    locked_until = locked_until - make_interval(secs => ${seconds}::int)`;

/** Seconds to wait, 0 when the attempt is taken. */
const attempt = (account: string, address: string = randomUUID()): Promise<number> =>
  ration(db(), "sign_in", { account, address }).then(
    () => 0,
    (problem) => problem.retryAfterSeconds,
  );

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
  const [address, password] = ["198.51.100.7", "several words and a half"];
  const { id, email } = await aPerson((await anOrganisation()).id, "member");
  await db().user.update({ where: { id }, data: { passwordHash: await hashPassword(password) } });
  const mayUse = async () => true;
  for (let count = 0; count < 70; count += 1) {
    const outcome = await checkPassword(db(), { email, password, address, mayUse });
    expect(outcome.kind).toBe("ready");
    await later(60);
  }
});

test("whoever finds a browser signed in guesses the password in the settings no more often than at the sign-in", async () => {
  const { id } = await aPerson((await anOrganisation()).id, "member");
  await db().user.update({ where: { id }, data: { passwordHash: await hashPassword("several words and a half") } });
  const actor = await actorFor(id);
  const guess = () => changePassword(db(), actor, { current: "a guess", fresh: "other words and a half" });
  for (let count = 0; count < 10; count += 1)
    await expect(guess()).rejects.toMatchObject({ code: "invalid_credentials" });
  await expect(guess()).rejects.toMatchObject({ code: "rate_limit_exceeded" });
});
