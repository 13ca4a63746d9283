import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { db, sqlPool } from "~/connection/db.server";
import { log } from "~/observe/log.server";
import { canMakeClusters, makeCluster, type OwnCluster } from "../../tests/support/own-cluster";
import { closeDatabase, startDatabase } from "./start.server";

/** Roles with the rights and settings that operators and provisioning programs give them. */
describe.runIf(process.env.TEST_DATABASE_URL && canMakeClusters)("a server signs in as a role", () => {
  let cluster: OwnCluster;
  const dataDir = mkdtempSync(join(tmpdir(), "gw-roles-"));
  const asAdmin = async (sql: string) => {
    const admin = new pg.Client({ host: cluster.folder, port: cluster.port, user: "postgres", database: "postgres" });
    await admin.connect();
    for (const statement of sql.split(";\n")) await admin.query(statement);
    await admin.end();
  };

  beforeAll(async () => {
    cluster = await makeCluster();
    cluster.admit([
      "local all all trust",
      "host all old_hash 127.0.0.1/32 md5",
      "host all turned_away 127.0.0.1/32 reject",
      "host all all 127.0.0.1/32 scram-sha-256",
    ]);
    cluster.reload();
    await asAdmin(`
      SET password_encryption = 'md5';
      CREATE ROLE old_hash LOGIN PASSWORD 'p';
      SET password_encryption = 'scram-sha-256';
      CREATE ROLE owner_of_all;
      CREATE ROLE rotated LOGIN PASSWORD 'pÄss ①' IN ROLE owner_of_all;
      ALTER ROLE rotated SET role = 'owner_of_all';
      CREATE ROLE expired LOGIN PASSWORD 'p' VALID UNTIL '2020-01-01';
      CREATE ROLE no_login PASSWORD 'p';
      CREATE ROLE turned_away LOGIN PASSWORD 'p';
      CREATE ROLE few LOGIN PASSWORD 'p' CONNECTION LIMIT 5;
      CREATE ROLE planned LOGIN PASSWORD 'p';
      ALTER ROLE planned SET plan_cache_mode = 'force_generic_plan';
      ALTER ROLE planned SET work_mem = '64kB';
      ALTER ROLE planned SET enable_indexscan = off;
      ALTER ROLE planned SET client_min_messages = 'debug5';
      ALTER ROLE planned SET default_transaction_deferrable = on;
      ALTER ROLE planned SET log_statement_stats = off`);
    for (const [name, owner] of [
      ["old_hash", "old_hash"],
      ["rotated", "owner_of_all"],
      ["few", "few"],
      ["planned", "planned"],
    ])
      await asAdmin(`CREATE DATABASE ${name} OWNER ${owner}`);
    await asAdmin("CREATE DATABASE turkish OWNER few TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR'");
  }, 60_000);
  afterAll(() => {
    cluster?.remove();
    rmSync(dataDir, { recursive: true, force: true });
  });
  afterEach(() => closeDatabase());

  const start = (role: string, database = role, password = "p", query = "") =>
    startDatabase({
      databaseUrl: `postgresql://${role}:${encodeURIComponent(password)}@127.0.0.1:${cluster.port}/${database}?${query}`,
      databaseMigrationUrl: null,
      databasePoolSize: 4,
      dataDir,
    });

  test("whose password is an old hash", async () => {
    await start("old_hash");
    expect(await db().organisation.count()).toBe(0);
  }, 60_000);

  test("that becomes another one, which owns everything, and whose password has letters of all kinds", async () => {
    await start("rotated", "rotated", "pÄss ①");
    const { rows } = await sqlPool().query("SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'");
    expect(rows).toEqual([{ tableowner: "owner_of_all" }]);
  }, 60_000);

  test("whose plans and messages are set to something odd", async () => {
    await start("planned");
    expect(await db().organisation.count()).toBe(0);
  }, 60_000);

  test("that may open few connections, and is told", async () => {
    const told = vi.spyOn(log, "warn").mockReturnValue(undefined);
    await start("few", "turkish");
    expect(told.mock.calls).toEqual([[{ most: 5, wanted: 7 }, expect.stringContaining("raise CONNECTION LIMIT")]]);
    told.mockRestore();
  }, 60_000);

  test.each([
    ["expired", "postgres", 'password authentication failed for user "expired"'],
    ["no_login", "postgres", 'role "no_login" is not permitted to log in'],
    ["nobody", "postgres", 'password authentication failed for user "nobody"'],
    ["few", "absent", 'database "absent" does not exist'],
  ])("and %s at %s ends the start in one line", async (role, database, reason) => {
    await expect(start(role, database)).rejects.toThrow(`the database does not answer: ${reason}`);
  });

  test("and one that is turned away, or a database that only reads, ends the start in one line", async () => {
    await expect(start("turned_away", "postgres")).rejects.toThrow(
      /^the database does not answer: pg_hba.conf rejects connection for host "127.0.0.1", [^\n]*$/,
    );
    const readOnly = encodeURIComponent("-c default_transaction_read_only=on");
    await asAdmin("CREATE DATABASE reading OWNER few");
    await expect(start("few", "reading", "p", `options=${readOnly}`)).rejects.toThrow(
      /^the database[^\n]* read-only transaction[^\n]*$/,
    );
  });

  test("and a role that may not create tables is refused before anything is written", async () => {
    await expect(start("few", "postgres")).rejects.toThrow(
      /^the database could not be migrated: [^\n]* the role few may not create tables;/,
    );
  });
});
