import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { closeDatabase, connection, db, newSqlClient, onSnapshot, openDatabase, sqlPool } from "~/connection/db.server";
import { eventually } from "../../../tests/support/chat-gateway";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database";
import { bringToBefore } from "../../../tests/support/earlier-schema";
import { sessionSql } from "../../session-settings.mjs";
import { projectFile } from "../project-files";
import { functionSchema } from "./function-schema";
import { migrate } from "./migrate.server";
import { partsOf, readScripts } from "./repeatable-scripts";

const onServer = process.env.TEST_DATABASE_URL !== undefined;
let database: TestDatabase;
let client: pg.Client;
const ask = async (sql: string) => (await client.query(sql)).rows;

async function connected(): Promise<pg.Client> {
  const made = new pg.Client(connection(database.url));
  made.on("error", () => undefined);
  await made.connect();
  await made.query(sessionSql({ functions: functionSchema(), schema: "public" }));
  return made;
}

beforeAll(async () => {
  database = await freshDatabase();
  client = await connected();
});
afterAll(async () => {
  await client.end();
  await database.close();
});

describe("with the project's own functions", () => {
  test("every connection of the program finds those of its own build, and not what an older one has left beside the tables", async () => {
    if (!database.embedded) await ask(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} RESET search_path`);
    await openDatabase(database);
    try {
      const question =
        "SELECT pronamespace::regnamespace::text AS home FROM pg_proc WHERE oid = 'accounting_sweep'::regproc";
      const own = [{ home: functionSchema() }];
      const one = await newSqlClient();
      expect((await one.query(question)).rows).toEqual(own);
      await one.end();
      expect((await sqlPool().query(question)).rows).toEqual(own);
      expect(await db().$queryRawUnsafe(question)).toEqual(own);
      expect(await db().$transaction((tx) => tx.$queryRawUnsafe(question))).toEqual(own);
      const seen = await onSnapshot(async (snapshot) => snapshot.$queryRaw`SELECT current_schema()::text AS home`);
      expect(seen).toEqual(own);
    } finally {
      await closeDatabase();
    }
  });

  test("none of them is bound to what an older one has left, and none can be mistaken for it", async () => {
    await bringToBefore(database, "20261122");
    await migrate(database);
    const namesakes = `FROM pg_proc mine JOIN pg_proc other ON other.proname = mine.proname AND other.pronamespace = 'public'::regnamespace
      WHERE mine.pronamespace = '${functionSchema()}'::regnamespace`;
    expect((await ask(`SELECT count(*)::int AS n ${namesakes}`))[0].n).toBeGreaterThan(20);
    // Of two functions with different parameters, PostgreSQL chooses the better match in any schema, so changed
    // parameters need a new name.
    const mistakable = `SELECT mine.proname ${namesakes} AND oidvectortypes(mine.proargtypes) <> oidvectortypes(other.proargtypes)`;
    expect(await ask(mistakable)).toEqual([]);
    const bound = `SELECT v.relname FROM pg_class v JOIN pg_rewrite r ON r.ev_class = v.oid JOIN pg_depend d ON d.objid = r.oid
      LEFT JOIN pg_proc f ON d.refclassid = 'pg_proc'::regclass AND f.oid = d.refobjid
      LEFT JOIN pg_class c ON d.refclassid = 'pg_class'::regclass AND c.oid = d.refobjid AND c.relkind = 'v'
      WHERE v.relnamespace = '${functionSchema()}'::regnamespace AND 'public'::regnamespace IN (f.pronamespace, c.relnamespace)
        AND (EXISTS (SELECT FROM pg_proc x WHERE x.proname = f.proname AND x.pronamespace = v.relnamespace) OR c.oid IS NOT NULL)`;
    expect(await ask(bound)).toEqual([]);
  });

  test("what triggers call is there for connections that have no functions in their path", async () => {
    const { shared } = partsOf(readScripts(projectFile("app/domain")));
    const names = shared.flatMap(({ sql }) => [...sql.matchAll(/REPLACE FUNCTION (\w+)/g)].map(([, name]) => name));
    expect(names).toEqual(expect.arrayContaining(["ledger_entry_post", "act_fixed_digest", "app_now", "usage_lane"]));
    expect(names).not.toContain("accounting_settle");
    const doubled = `SELECT proname FROM pg_proc WHERE proname = ANY ('{${names}}') AND pronamespace = '${functionSchema()}'::regnamespace`;
    expect(await ask(doubled)).toEqual([]);
  });
});

describe("from an empty database", () => {
  const root = mkdtempSync(join(tmpdir(), "gw-migrations-"));
  afterAll(() => rmSync(root, { recursive: true }));
  const folder = { migrations: join(root, "migrations"), rooms: join(root, "rooms") };
  const write = (name: string, sql: string) => {
    mkdirSync(join(folder.migrations, name), { recursive: true });
    writeFileSync(join(folder.migrations, name, "migration.sql"), sql);
    writeFileSync(join(folder.migrations, "migration_lock.toml"), 'provider = "postgresql"\n');
  };
  const writeScript = (sql: string) => {
    mkdirSync(join(folder.rooms, "room", "sql"), { recursive: true });
    writeFileSync(join(folder.rooms, "room", "sql", "numbers.sql"), sql);
  };
  const BOOKKEEPING = ["20261122000700_repeatable_scripts", "20261128030000_function_schemas"]
    .map((name) => readFileSync(projectFile(`prisma/migrations/${name}/migration.sql`), "utf8"))
    .join("");
  beforeEach(async () => {
    rmSync(root, { recursive: true, force: true });
    mkdirSync(folder.rooms, { recursive: true });
    await ask("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
    write("20260101000000_first", `${BOOKKEEPING} CREATE TABLE half (v int);`);
  });

  const release = (answer: number) => {
    writeScript(`CREATE OR REPLACE FUNCTION answer() RETURNS int LANGUAGE sql AS $$ SELECT part() $$;
      CREATE OR REPLACE VIEW answers AS SELECT part() AS answer;
      CREATE OR REPLACE FUNCTION part() RETURNS int LANGUAGE sql AS $$ SELECT ${answer} -- ; a comment's end
      $$;`);
    return partsOf(readScripts(folder.rooms)).schema;
  };
  const answerOf = async (schema: string) => {
    const one = await connected();
    await one.query(sessionSql({ functions: schema }));
    const { rows } = await one.query(
      "SELECT answer(), (SELECT answer FROM answers) AS view, current_schemas(false)::text[] AS path",
    );
    await one.end();
    return rows[0];
  };

  test("two releases work on one database at the same time, each with its own functions and views", async () => {
    const older = release(1);
    expect(await migrate(database, folder)).toEqual(["20260101000000_first", older]);
    const newer = release(2);
    expect(await migrate(database, folder)).toEqual([newer]);
    expect(await answerOf(older)).toEqual({ answer: 1, view: 1, path: [older, "public"] });
    expect(await answerOf(newer)).toEqual({ answer: 2, view: 2, path: [newer, "public"] });
    // The older release restarts, and is then ended.
    release(1);
    expect(await migrate(database, folder)).toEqual([]);
    expect(await answerOf(older)).toMatchObject({ answer: 1 });
  });

  test("functions that no process has used for a week go with the next upgrade, but for the last ones before it", async () => {
    const schemas: string[] = [];
    for (const answer of [1, 2, 3]) {
      schemas.push(release(answer));
      await migrate(database, folder);
      await ask(
        `UPDATE function_schema SET seen_at = now() - interval '${30 - answer} days' WHERE name = '${schemas.at(-1)}'`,
      );
    }
    schemas.push(release(4));
    await migrate(database, folder);
    const there = async () =>
      (await ask("SELECT nspname FROM pg_namespace JOIN function_schema ON name = nspname"))
        .map(({ nspname }) => nspname)
        .toSorted();
    expect(await there()).toEqual([schemas[2], schemas[3]].toSorted());
    // It still restarts, and creates its functions again.
    release(1);
    expect(await migrate(database, folder)).toEqual([schemas[0]]);
    expect(await answerOf(schemas[0]!)).toMatchObject({ answer: 1 });
  });

  test("functions whose tables were dropped and made anew are made anew, too", async () => {
    const schema = release(1);
    await migrate(database, folder);
    await ask("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
    expect(await migrate(database, folder)).toEqual(["20260101000000_first", schema]);
    expect(await answerOf(schema)).toMatchObject({ view: 1 });
  });

  test("a process of an older version starts beside a newer one, unless a migration says that it knows too little", async () => {
    await migrate(database, folder);
    write("20260202000000_second", "CREATE TABLE second (v int)");
    expect(await migrate(database, folder)).toEqual(["20260202000000_second"]);
    rmSync(join(folder.migrations, "20260202000000_second"), { recursive: true });
    await ask("UPDATE schema_floor SET migration = '20260101000000_first'");
    expect(await migrate(database, folder)).toEqual([]);
    await ask("UPDATE schema_floor SET migration = '20260202000000_second'");
    await expect(migrate(database, folder)).rejects.toThrow(
      /^a newer version has migrated the database \(20260202000000_second\), and this one is too old for it: it has to know 20260202000000_second; [^\n]+$/,
    );
    await ask("DROP TABLE schema_floor");
    await expect(migrate(database, folder)).rejects.toThrow(/^a newer version has migrated the database[^\n]+$/);
  });

  test("an index is built beside running calls, and what an interrupted attempt has left is built again", async () => {
    await migrate(database, folder);
    await ask("INSERT INTO half VALUES (1), (1)");
    write(
      "20260202000000_index",
      "-- Looked up by its number.\nCREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS half_v ON half (v);\n",
    );
    await expect(migrate(database, folder)).rejects.toThrow(
      /^the database could not be migrated: [^\n]*Unique constraint failed[^\n]*$/,
    );
    const index = "SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('half_v')";
    expect(await ask(index)).toEqual([{ valid: false }]);
    await ask("DELETE FROM half");
    expect(await migrate(database, folder)).toEqual(["20260202000000_index"]);
    expect(await ask(index)).toEqual([{ valid: true }]);
    expect(await migrate(database, folder)).toEqual([]);
  });

  test.skipIf(!onServer)("processes that start together wait for an index that one of them builds", async () => {
    write("20260202000000_index", "CREATE INDEX CONCURRENTLY IF NOT EXISTS half_v ON half (v)");
    const turns = await Promise.all([1, 2, 3].map(() => migrate(database, folder)));
    expect(turns.flat()).toEqual(["20260101000000_first", "20260202000000_index"]);
  });

  describe.skipIf(!onServer)("while a transaction uses the table that a migration changes", () => {
    async function busy(sql = "ALTER TABLE half ADD COLUMN more int"): Promise<pg.Client> {
      await migrate(database, folder);
      write("20260202000000_column", sql);
      const other = await connected();
      await other.query("BEGIN; SELECT FROM half");
      return other;
    }
    const attempts = () => ask("SELECT 1 FROM _prisma_migrations WHERE migration_name = '20260202000000_column'");

    test("the migration gives way to those behind it, and is tried again until the transaction is over", async () => {
      const other = await busy();
      const migrating = migrate(database, folder);
      await eventually(attempts, (rows) => rows.length >= 2);
      await ask("SELECT FROM half");
      await other.query("COMMIT");
      await other.end();
      expect(await migrating).toEqual(["20260202000000_column"]);
    });

    test("the migration says so in one line when its patience is at an end, and has done nothing", async () => {
      const other = await busy();
      await expect(migrate(database, folder, 0)).rejects.toThrow(
        /^the database could not be migrated: [^\n]*lock timeout[^\n]*$/,
      );
      await other.end();
      expect(await ask("SELECT 1 FROM pg_attribute WHERE attrelid = 'half'::regclass AND attname = 'more'")).toEqual(
        [],
      );
      expect(await migrate(database, folder)).toEqual(["20260202000000_column"]);
    });
  });
});
