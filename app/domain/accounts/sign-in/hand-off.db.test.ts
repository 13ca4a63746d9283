import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "~/connection/db.server";
import type { KeyOwner } from "~/domain/keys/shared";
import type { TestDatabase } from "../../../../tests/support/database";
import { openWithOwners } from "../../../../tests/support/key-owners";
import { browserHash, issueHandOff, redeemHandOff } from "../index.server";

const HERE = { host: "portal.reseller.example", browser: "the-browsers-secret" };
let database: TestDatabase;
let owner: KeyOwner;
let token: string;

beforeAll(async () => {
  ({ database, owner } = await openWithOwners());
  token = await issueHandOff(db(), {
    ...{ userId: owner.userId as number, host: HERE.host, browserHash: browserHash(HERE.browser) },
    ...{ next: "/dashboard", provedAtMs: 1_000 },
  });
});
afterAll(() => database.close());

test.each([
  ["on another host", { ...HERE, host: "portal.other.example" }],
  ["on a host below", { ...HERE, host: `evil.${HERE.host}` }],
  ["in another browser", { ...HERE, browser: "another-secret" }],
  ["in a browser without a secret", { ...HERE, browser: null }],
])("a sign-in is not carried over %s, and the token is not used up by the attempt", async (_where, there) => {
  expect(await redeemHandOff(db(), token, there)).toBeNull();
});

test("a sign-in is carried over once, on its host and in its browser", async () => {
  expect(await redeemHandOff(db(), token, HERE)).toMatchObject({
    ...{ account: { id: owner.userId }, next: "/dashboard", provedAt: new Date(1_000) },
  });
  expect(await redeemHandOff(db(), token, HERE)).toBeNull();
});
