import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connection } from "~/db.server";
import { eventually } from "../../tests/support/chat-gateway";
import { freshDatabase, type TestDatabase } from "../../tests/support/database";
import { migrate, migrationNames } from "./migrate.server";
import { projectFile } from "./project-files";
import { schemaDifference } from "./schema-difference";

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

async function ask(sql: string) {
  const client = new pg.Client(connection(database.url));
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

test("the schema and the migrations say the same", async () => {
  expect(await schemaDifference(database.url)).toBe("");
});

test("Prisma's own table names every migration, and nothing is left to apply", async () => {
  const rows = await ask(
    "SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL ORDER BY migration_name",
  );
  expect(rows.map((row) => row.migration_name)).toEqual(migrationNames(projectFile("prisma/migrations")));
  expect(await migrate(database)).toEqual([]);
});

describe("from an empty database", () => {
  const emptied = () => ask("DROP SCHEMA public CASCADE; CREATE SCHEMA public");

  test("processes that start together apply each migration once", async () => {
    await emptied();
    const turns = database.embedded
      ? [await migrate(database)]
      : await Promise.all([1, 2, 3].map(() => migrate(database)));
    expect(turns.flat()).toEqual(migrationNames(projectFile("prisma/migrations")));
    const [row] = await ask(
      "SELECT count(*)::int AS rows, count(DISTINCT migration_name)::int AS names FROM _prisma_migrations",
    );
    expect(row.rows).toBe(row.names);
  });

  const folder = mkdtempSync(join(tmpdir(), "gw-migrations-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const write = (sql: string) => {
    mkdirSync(join(folder, "20260101000000_first"), { recursive: true });
    writeFileSync(join(folder, "20260101000000_first", "migration.sql"), sql);
    writeFileSync(join(folder, "migration_lock.toml"), 'provider = "postgresql"\n');
  };

  test("a migration that fails does nothing, says why in one line, and is tried again", async () => {
    await emptied();
    write("CREATE TABLE half (v int); SELECT 1 / 0;");
    await expect(migrate(database, folder)).rejects.toThrow(
      /^the database could not be migrated: [^\n]*division by zero[^\n]*$/,
    );
    expect(await ask("SELECT 1 FROM pg_tables WHERE tablename = 'half'")).toEqual([]);
    write(
      "CREATE FUNCTION one() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$; CREATE TABLE half (v int);",
    );
    expect(await migrate(database, folder)).toEqual(["20260101000000_first"]);
    expect(await ask("SELECT one() AS one")).toEqual([{ one: 1 }]);
  });

  // The embedded database would go on with the statement of a process that is gone, and hear nobody else meanwhile.
  test.skipIf(process.env.TEST_DATABASE_URL === undefined)(
    "a migration whose process dies has done nothing, and is tried again",
    async () => {
      await emptied();
      write("CREATE TABLE half (v int); SELECT pg_sleep(60);");
      const failing = expect(migrate(database, folder)).rejects.toThrow(
        "the database could not be migrated: its process ended with SIGKILL",
      );
      const asleep = "FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'";
      await eventually(
        () => ask(`SELECT 1 ${asleep}`),
        (rows) => rows.length === 1,
      );
      process.kill(childRunning("migrate-child.mjs"), "SIGKILL");
      await failing;
      await ask(`SELECT pg_terminate_backend(pid) ${asleep}`);
      write("CREATE TABLE half (v int);");
      expect(await migrate(database, folder)).toEqual(["20260101000000_first"]);
    },
  );

  test.skipIf(process.env.TEST_DATABASE_URL === undefined)(
    "a migration that the server finishes for a process that is gone is waited for and not applied again",
    async () => {
      await emptied();
      write("CREATE TABLE half (v int); SELECT pg_sleep(2); -- a comment at the end");
      const failing = expect(migrate(database, folder)).rejects.toThrow("its process ended with SIGKILL");
      await eventually(
        () => ask("SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'"),
        (rows) => rows.length === 1,
      );
      process.kill(childRunning("migrate-child.mjs"), "SIGKILL");
      await failing;
      expect(await migrate(database, folder)).toEqual([]);
      expect(await ask("SELECT v FROM half")).toEqual([]);
    },
  );
});

test("an organisation from before keeps its billing user and its credit, and its admins have none to give", async () => {
  await ask("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
  const all = projectFile("prisma/migrations");
  const before = mkdtempSync(join(tmpdir(), "gw-migrations-"));
  const earlier = migrationNames(all).filter((name) => name < "20261122000100");
  for (const name of earlier) cpSync(join(all, name), join(before, name), { recursive: true });
  cpSync(join(all, "migration_lock.toml"), join(before, "migration_lock.toml"));
  await migrate(database, before);
  rmSync(before, { recursive: true });
  await ask(`INSERT INTO organisation (name, slug, billing_exempt) VALUES ('Before', 'before', true);
    INSERT INTO app_user (email, organisation_id, role) SELECT 'payer@example.com', id, 'member' FROM organisation;
    UPDATE organisation SET billing_user_id = (SELECT id FROM app_user);
    SELECT wallet_set_credit_limit(wallet_open('user', u.id, u.organisation_id, false), 77) FROM app_user u`);
  const kept = `SELECT o.billing_exempt, o.billing_user_id = u.id AS pays, a.credit_limit::int AS credit
    FROM organisation o JOIN app_user u ON u.organisation_id = o.id JOIN ledger_account a ON a.payer_kind = 'user' AND a.payer_id = u.id`;
  const was = await ask(kept);
  expect((await migrate(database)).length).toBeGreaterThan(0);
  expect(await ask(kept)).toEqual(was);
  expect(was).toEqual([{ billing_exempt: true, pays: true, credit: 77 }]);
  expect(await ask("SELECT credit_ceiling_nano_usd::int AS ceiling FROM organisation")).toEqual([{ ceiling: 0 }]);
  expect(await ask("SELECT FROM payer_nomination")).toEqual([]);
  await expect(ask("UPDATE organisation SET credit_ceiling_nano_usd = -1")).rejects.toThrow(
    "organisation_credit_ceiling",
  );
});

/** The process of this one that runs `script`. */
function childRunning(script: string): number {
  const numbers = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const found = numbers.find((pid) => {
    try {
      const parent = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ")[1];
      return Number(parent) === process.pid && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(script);
    } catch {
      return false;
    }
  });
  return Number(found);
}
