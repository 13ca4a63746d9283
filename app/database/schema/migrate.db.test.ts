import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connection } from "~/connection/db.server";
import { eventually } from "../../../tests/support/chat-gateway";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database";
import { bringToBefore } from "../../../tests/support/earlier-schema";
import { bookLines, schemaLines } from "../../../tests/support/schema-lines";
import { projectFile } from "../project-files";
import { migrate, migrationNames } from "./migrate.server";
import { partsOf, readScripts } from "./repeatable-scripts";
import { schemaDifference } from "./schema-difference";
import { readPicture, shownIn } from "./schema-picture";

const OWN = partsOf(readScripts(projectFile("app/domain")));

const KNOWN = [
  ...new Set([
    ...shownIn(readPicture(projectFile("app"))).map(({ name }) => name),
    ...migrationNames(projectFile("prisma/migrations")),
  ]),
].toSorted();

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
  expect(rows.map((row) => row.migration_name)).toEqual(KNOWN);
  expect(await migrate(database)).toEqual([]);
});

const BOOKKEEPING = ["20261122000700_repeatable_scripts", "20261128030000_function_schemas"]
  .map((name) => readFileSync(projectFile(`prisma/migrations/${name}/migration.sql`), "utf8"))
  .join("");

describe("from an empty database", () => {
  const emptied = () => ask("DROP SCHEMA public CASCADE; CREATE SCHEMA public");

  test("processes that start together apply each migration once", async () => {
    await emptied();
    const turns = database.embedded
      ? [await migrate(database)]
      : await Promise.all([1, 2, 3].map(() => migrate(database)));
    expect(turns.flat()).toEqual([...KNOWN, ...OWN.shared.map(({ name }) => name), OWN.schema]);
    const [row] = await ask(
      "SELECT count(*)::int AS rows, count(DISTINCT migration_name)::int AS names FROM _prisma_migrations",
    );
    expect(row.rows).toBe(row.names);
  });

  test("a migration that is newer than the picture follows it", async () => {
    await emptied();
    const newer = newerMigration("CREATE TABLE newer (v int)");
    expect(await migrate(database, newer.folders)).toEqual(expect.arrayContaining([...KNOWN, newer.name]));
    expect(await ask("SELECT v FROM newer")).toEqual([]);
    expect(await migrate(database, newer.folders)).toEqual([]);
    newer.remove();
  });

  test("a picture of another text of a migration is refused before anything is done", async () => {
    await emptied();
    const newer = newerMigration("CREATE TABLE newer (v int)");
    const [edited] = migrationNames(newer.folders.migrations);
    writeFileSync(join(newer.folders.migrations, edited!, "migration.sql"), "SELECT 1");
    await expect(migrate(database, newer.folders)).rejects.toThrow(
      `app/database/schema.sql shows another text of the migration ${edited}: `,
    );
    expect(await ask("SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace")).toEqual([]);
    newer.remove();
  });

  test.each([
    [
      "strangers' tables",
      "CREATE TABLE public.strangers (v int)",
      /it is not empty, and what it holds is not of this program/,
    ],
    [
      "the beginning of a first start",
      `CREATE TABLE public._prisma_migrations AS SELECT '20261121000000_rooms' AS migration_name, NULL::timestamptz AS finished_at, NULL::timestamptz AS rolled_back_at, '' AS checksum`,
      /its first start was cut off, [^\n]*20261121000000_rooms is missing/,
    ],
  ])("a database with %s is not taken for an empty one", async (_, sql, message) => {
    await emptied();
    await ask(sql);
    const was = await ask("SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace");
    await expect(migrate(database)).rejects.toThrow(message);
    expect(await ask("SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace")).toEqual(was);
  });

  const root = mkdtempSync(join(tmpdir(), "gw-migrations-"));
  afterAll(() => rmSync(root, { recursive: true }));
  const folder = { migrations: join(root, "migrations"), rooms: join(root, "rooms") };
  const writeAs = (name: string, sql: string) => {
    mkdirSync(join(folder.migrations, name), { recursive: true });
    writeFileSync(join(folder.migrations, name, "migration.sql"), sql);
    writeFileSync(join(folder.migrations, "migration_lock.toml"), 'provider = "postgresql"\n');
  };
  const write = (sql: string) => writeAs("20260101000000_first", sql);
  const writeScript = (sql: string) => {
    mkdirSync(join(folder.rooms, "room", "sql"), { recursive: true });
    writeFileSync(join(folder.rooms, "room", "sql", "numbers.sql"), sql);
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

  test("an edited migration is refused in one line, before anything is done; other line ends are not an edit", async () => {
    await emptied();
    write("CREATE TABLE half (v int);\nCREATE TABLE other (v int);\n");
    await migrate(database, folder);
    write("CREATE TABLE half (v int);\r\nCREATE TABLE other (v int);\r\n");
    expect(await migrate(database, folder)).toEqual([]);
    write("CREATE TABLE half (v bigint);\nCREATE TABLE other (v int);\n");
    writeAs("20260102000000_second", "CREATE TABLE third (v int)");
    await expect(migrate(database, folder)).rejects.toThrow(
      /^the migration 20260101000000_first is not the one that this database has had: [^\n]+$/,
    );
    expect(await ask("SELECT 1 FROM pg_tables WHERE tablename = 'third'")).toEqual([]);
    rmSync(join(folder.migrations, "20260102000000_second"), { recursive: true });
  });

  test("what releases share is applied when its text is new, and never the text that it has replaced", async () => {
    await emptied();
    const one = (value: number) =>
      `CREATE OR REPLACE FUNCTION one() RETURNS int LANGUAGE sql IMMUTABLE AS $$ SELECT ${value} $$;`;
    write(BOOKKEEPING);
    writeScript(one(1));
    expect(await migrate(database, folder)).toEqual(["20260101000000_first", "room/numbers.sql"]);
    expect(await migrate(database, folder)).toEqual([]);
    writeScript(one(2));
    expect(await migrate(database, folder)).toEqual(["room/numbers.sql"]);
    expect(await ask("SELECT one() AS one")).toEqual([{ one: 2 }]);
    // An older process restarts while newer ones run.
    writeScript(one(1));
    expect(await migrate(database, folder)).toEqual([]);
    expect(await ask("SELECT one() AS one")).toEqual([{ one: 2 }]);
  });

  test("a script that fails leaves the functions as they were, and is tried again behind the migration that it came with", async () => {
    writeAs("20260102000000_second", "CREATE TABLE second (v int)");
    const three = "CREATE OR REPLACE FUNCTION one() RETURNS int LANGUAGE sql IMMUTABLE AS $$ SELECT 3 $$;";
    writeScript(`${three} CREATE OR REPLACE FUNCTION two() RETURNS nonsense LANGUAGE sql IMMUTABLE AS $$ SELECT 2 $$;`);
    await expect(migrate(database, folder)).rejects.toThrow(
      'the database could not be migrated: room/numbers.sql: type "nonsense" does not exist',
    );
    expect(await ask("SELECT one() AS one")).toEqual([{ one: 2 }]);
    writeScript(three);
    expect(await migrate(database, folder)).toEqual(["room/numbers.sql"]);
    expect(await ask("SELECT one() AS one, to_regclass('second') IS NOT NULL AS second")).toEqual([
      { one: 3, second: true },
    ]);
    rmSync(folder.rooms, { recursive: true });
    rmSync(join(folder.migrations, "20260102000000_second"), { recursive: true });
  });

  // The embedded database would finish the statement of the dead process before it answers another connection.
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
  await bringToBefore(database, "20261122000100");
  await ask(`INSERT INTO organisation (name, slug, billing_exempt) VALUES ('Before', 'before', true);
    INSERT INTO app_user (email, organisation_id, role) SELECT 'payer@example.com', id, 'member' FROM organisation;
    UPDATE organisation SET billing_user_id = (SELECT id FROM app_user);
    INSERT INTO ledger_account (kind, payer_kind, payer_id, organisation_id, credit_limit, credit_floor)
      SELECT 'wallet', 'user', id, organisation_id, 77, 77 FROM app_user`);
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

describe("a new installation and an upgraded one have the same schema", () => {
  const schema = async () => [...(await schemaLines(database)), ...(await bookLines(database))];
  let fresh: string[];
  beforeAll(async () => {
    await ask("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
    await migrate(database);
    fresh = await schema();
  });

  test("the description names functions, views, columns, constraints, indexes, triggers and first rows", () => {
    for (const kind of [
      `function ${OWN.schema}.accounting_settle(`,
      `view ${OWN.schema}.ledger_audit`,
      "column hold",
      "constraint hold",
      "index ",
      "trigger ",
      "row ",
    ])
      expect(fresh.some((line) => line.startsWith(kind))).toBe(true);
  });

  // "3" sorts after every migration: here all tables come from migrations, one after the other, not from the picture.
  test.each(["20261122000100", "20261122000500", "20261122000700", "20261127200001", "3"])(
    "upgraded from before %s",
    async (migration) => {
      await bringToBefore(database, migration);
      expect((await schemaLines(database)).length).toBeLessThan(fresh.length);
      await migrate(database);
      expect(await schema()).toEqual(fresh);
    },
  );

  test("every function has its repeatable script", async () => {
    const scripts = readScripts(projectFile("app/domain"))
      .map(({ sql }) => sql)
      .join("\n");
    const made = await ask(
      `SELECT proname AS name FROM pg_proc p WHERE p.pronamespace IN ('public'::regnamespace, '${OWN.schema}'::regnamespace) AND prokind = 'f'`,
    );
    const lacking = made.filter(({ name }) => !new RegExp(`CREATE OR REPLACE FUNCTION ${name}\\(`).test(scripts));
    expect(lacking).toEqual([]);
  });
});

/** The project's migrations, and one more. */
function newerMigration(sql: string) {
  const folder = mkdtempSync(join(tmpdir(), "gw-migrations-"));
  cpSync(projectFile("prisma/migrations"), folder, { recursive: true });
  const name = "29990101000000_newer";
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, "migration.sql"), sql);
  const folders = { migrations: folder, rooms: projectFile("app/domain"), picture: projectFile("app") };
  return { name, folders, remove: () => rmSync(folder, { recursive: true }) };
}

/** Returns the process id of the child of this process that runs `script`. */
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
