import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "~/connection/db.server";
import type { KeyOwner } from "~/domain/keys/shared";
import type { TestDatabase } from "../../../tests/support/database";
import { anOwner, openWithOwners } from "../../../tests/support/key-owners";
import { deleteResponse, findItems, findResponse, purgeStoredResponses, saveResponse } from "./index.server";

let database: TestDatabase;
let owner: KeyOwner;
let stranger: KeyOwner;

beforeAll(async () => {
  ({ database, owner, stranger } = await openWithOwners());
});
afterAll(() => database.close());

const item = (id: string) => ({ type: "message", id, role: "assistant", content: [] });
const stored = (id: string, more: object = {}) => ({
  input: [{ role: "user", content: "a secret question" }],
  response: { id, object: "response", output: [item(`${id}_0`), item(`${id}_1`)] },
  ...{ at: new Date(), days: 30 },
  ...more,
});

test("a response comes back to its owner as it was, and is unreadable in the database", async () => {
  expect(await saveResponse(db(), owner, stored("resp_a"))).toBe(true);
  const { input, response } = stored("resp_a");
  expect(await findResponse(db(), owner, "resp_a")).toEqual({ input, response });
  const rows = await db().$queryRaw`SELECT content FROM stored_response WHERE id = 'resp_a'`;
  expect(JSON.stringify(rows)).not.toContain("secret question");
});

test("for everybody else it is not there: another organisation, a colleague, a key without an owner", async () => {
  await saveResponse(db(), owner, stored("resp_b"));
  const colleague = { ...owner, userId: stranger.userId };
  for (const other of [stranger, colleague, { ...owner, userId: null }]) {
    expect(await findResponse(db(), other, "resp_b")).toBeNull();
    expect((await findItems(db(), other, ["resp_b_0"])).size).toBe(0);
    expect(await deleteResponse(db(), other, "resp_b")).toBe(false);
  }
  expect(await findResponse(db(), owner, "resp_b")).not.toBeNull();
});

test("two organisations may have the same id, and each gets its own", async () => {
  const mine = stored("resp_same", { input: ["mine"] });
  await saveResponse(db(), owner, mine);
  await saveResponse(db(), stranger, stored("resp_same", { input: ["theirs"] }));
  expect(await findResponse(db(), owner, "resp_same")).toMatchObject({ input: ["mine"] });
  expect(await findResponse(db(), stranger, "resp_same")).toMatchObject({ input: ["theirs"] });
});

test("items are found by their ids, over several responses", async () => {
  await saveResponse(db(), owner, stored("resp_c"));
  await saveResponse(db(), owner, stored("resp_d"));
  const found = await findItems(db(), owner, ["resp_c_1", "resp_d_0", "resp_nobodys"]);
  expect([...found]).toEqual(
    expect.arrayContaining([
      ["resp_c_1", item("resp_c_1")],
      ["resp_d_0", item("resp_d_0")],
    ]),
  );
  expect(found.size).toBe(2);
});

test("what is deleted, expired or too long is not there", async () => {
  await saveResponse(db(), owner, stored("resp_e"));
  expect(await deleteResponse(db(), owner, "resp_e")).toBe(true);
  expect(await deleteResponse(db(), owner, "resp_e")).toBe(false);
  await saveResponse(db(), owner, stored("resp_f", { at: new Date(Date.now() - 2 * 86_400_000), days: 1 }));
  expect(await findResponse(db(), owner, "resp_f")).toBeNull();
  expect(await purgeStoredResponses(db(), 100)).toBe(1);
  expect(await purgeStoredResponses(db(), 100)).toBe(0);
  expect(await saveResponse(db(), owner, stored("resp_g", { input: ["x".repeat(8_000_001)] }))).toBe(false);
  expect(await findResponse(db(), owner, "resp_g")).toBeNull();
});

test("responses go with their person and with their organisation, and nothing is stored for either behind that", async () => {
  const leaver = await anOwner("leavers");
  await saveResponse(db(), leaver, stored("resp_h"));
  await db().$executeRaw`UPDATE app_user SET status = 'deleted' WHERE id = ${leaver.userId}`;
  expect(await findResponse(db(), leaver, "resp_h")).toBeNull();
  await saveResponse(db(), leaver, stored("resp_h"));
  expect(await findResponse(db(), leaver, "resp_h")).toBeNull();

  const closing = await anOwner("closers");
  await saveResponse(db(), closing, stored("resp_i"));
  await db().$executeRaw`UPDATE organisation SET closed_at = now() WHERE id = ${closing.organisationId}`;
  expect(await findResponse(db(), closing, "resp_i")).toBeNull();
  await saveResponse(db(), closing, stored("resp_i"));
  expect(await findResponse(db(), closing, "resp_i")).toBeNull();
});

test("one that is too long is not kept, and the oldest go where an owner has too many", async () => {
  const many = await anOwner("many");
  const long = "x".repeat(3_900_000);
  expect(await saveResponse(db(), many, stored("resp_long", { input: ["x".repeat(4_000_000)] }))).toBe(false);
  for (let index = 0; index < 30; index += 1) {
    const at = new Date(Date.now() - (30 - index) * 1_000);
    expect(await saveResponse(db(), many, stored(`resp_${index}`, { input: [long], at }))).toBe(true);
  }
  expect(await findResponse(db(), many, "resp_0")).toBeNull();
  expect(await findResponse(db(), many, "resp_29")).not.toBeNull();
  const rows = await db().$queryRaw<{ bytes: number }[]>`
    SELECT sum(octet_length(content))::integer AS bytes FROM stored_response WHERE organisation_id = ${many.organisationId}`;
  expect(rows[0]?.bytes).toBeGreaterThan(100 * 1024 * 1024);
  expect(rows[0]?.bytes).toBeLessThanOrEqual(128 * 1024 * 1024);
  expect((await findItems(db(), many, ["resp_29_0"])).size).toBe(1);
  const all = Array.from({ length: 30 }, (_, index) => `resp_${index}_0`);
  expect((await findItems(db(), many, all)).size).toBeLessThan(10);
}, 120_000);

test("items of a response whose time is over are not found, before it is purged too", async () => {
  await saveResponse(db(), owner, stored("resp_over"));
  expect((await findItems(db(), owner, ["resp_over_0"])).size).toBe(1);
  await db().$executeRaw`UPDATE stored_response SET expires_at = now() - interval '1 second' WHERE id = 'resp_over'`;
  expect((await findItems(db(), owner, ["resp_over_0"])).size).toBe(0);
});
