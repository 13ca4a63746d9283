import { randomUUID } from "node:crypto";
import { type Algorithm, hash } from "@node-rs/argon2";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { db } from "~/connection/db.server";
import { anOrganisation, aPerson } from "../../../../tests/support/administered";
import { openFreshDatabase, type TestDatabase } from "../../../../tests/support/database";
import { isCurrentHash, verifyPassword } from "../passwords/password";
import { checkPassword } from "./sign-in";

const PASSWORD = "several words and a half";
/** Argon2id, as an earlier release may have made it. */
const OLDER = { algorithm: 2 as Algorithm.Argon2id, memoryCost: 4_096, timeCost: 1, parallelism: 1 };

let database: TestDatabase;
beforeAll(async () => {
  setConfig(readConfig({ GW_SECRET: "a-secret-for-tests-only-0123456789abcdef" }));
  database = await openFreshDatabase();
});
afterAll(() => database.close());

const signIn = (email: string, password: string) =>
  checkPassword(db(), { email, password, address: randomUUID(), mayUse: async () => true });

test("a hash of an older cost is replaced at the next sign-in, and only by the right password", async () => {
  const { id, email } = await aPerson((await anOrganisation()).id, "member");
  const stored = async () => (await db().user.findUniqueOrThrow({ where: { id } })).passwordHash as string;
  const older = await hash(PASSWORD, OLDER);
  await db().user.update({ where: { id }, data: { passwordHash: older } });

  expect(await signIn(email, `${PASSWORD}!`)).toEqual({ kind: "invalid" });
  expect(await stored()).toBe(older);

  const outcome = await signIn(email, PASSWORD);
  const replaced = await stored();
  expect(isCurrentHash(replaced)).toBe(true);
  expect(await verifyPassword(replaced, PASSWORD)).toBe(true);
  expect(outcome).toMatchObject({ kind: "ready", account: { id, passwordHash: replaced } });

  expect(await signIn(email, PASSWORD)).toMatchObject({ kind: "ready" });
  expect(await stored()).toBe(replaced);
});
