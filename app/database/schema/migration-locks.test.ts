import { expect, test } from "vitest";
import { lockedOut, sentFor, untilFree } from "./migration-locks";

test.each(["40001", "40P01", "55P03"])("what the server ends with %s is done again", async (code) => {
  let attempts = 0;
  await untilFree(10_000, async () => {
    attempts += 1;
    if (attempts === 1) throw lockedOut(code, "in the way");
  });
  expect(attempts).toBe(2);
});

test.each(["42601", "23505", "", null, undefined])("what it ends with %s is not", (code) => {
  expect(lockedOut(code, "wrong")).toBeNull();
});

test("a migration waits for locks for a second at most, and says in its own transaction that it is done", () => {
  const [sent, ...more] = sentFor("20260101000000_one", "ALTER TABLE a ADD COLUMN b int");
  expect(more).toEqual([]);
  expect(sent).toMatch(/set_config\('lock_timeout', '1s', true\)[\s\S]*ALTER TABLE a[\s\S]*UPDATE _prisma_migrations/);
});

test("an index that is built concurrently is sent alone", () => {
  const script = "-- Why.\nCREATE INDEX CONCURRENTLY IF NOT EXISTS a_b ON a (b);\n";
  expect(sentFor("20260101000000_index", script)).toContain(script);
});
