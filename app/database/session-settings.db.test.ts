import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  closeDatabase,
  connection,
  db,
  newSqlClient,
  newTablesClient,
  onSnapshot,
  openDatabase,
  plainReads,
  sqlPool,
} from "~/connection/db.server";
import { freshDatabase, type TestDatabase } from "../../tests/support/database";
import { onDatabase } from "../../tests/support/database-setup";
import { HOSTILE_SETTINGS } from "../../tests/support/hostile-settings";
import { functionSchema } from "./schema/function-schema";
import { startDatabase, closeDatabase as stopDatabase } from "./start.server";

const serverUrl = process.env.TEST_DATABASE_URL;

const OURS = {
  TimeZone: "UTC",
  DateStyle: "ISO, MDY",
  IntervalStyle: "postgres",
  bytea_output: "hex",
  extra_float_digits: "1",
  standard_conforming_strings: "on",
  transform_null_equals: "off",
  array_nulls: "on",
  quote_all_identifiers: "off",
  default_transaction_isolation: "read committed",
  row_security: "off",
  statement_timeout: "0",
  lock_timeout: "0",
  idle_session_timeout: "0",
  idle_in_transaction_session_timeout: "0",
  synchronous_commit: "on",
  jit: "off",
};
const QUESTION = `SELECT name, current_setting(name) AS value FROM unnest('{${Object.keys(OURS).join(",")}}'::text[]) name`;
const asSettings = (rows: unknown) =>
  Object.fromEntries((rows as { name: string; value: string }[]).map(({ name, value }) => [name, value]));

const made: string[] = [];
const onServer = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};
/** Creates an empty database with these settings. */
async function emptyDatabase(having = "", sql: (name: string) => string = () => ""): Promise<string> {
  const name = `gw_test_${randomBytes(8).toString("hex")}`;
  await onServer(serverUrl!, (client) => client.query(`CREATE DATABASE ${name} ${having}`));
  made.push(name);
  const url = onDatabase(serverUrl!, name);
  await onServer(url, (client) => client.query(sql(name)));
  return url;
}
const start = (databaseUrl: string) =>
  startDatabase({ databaseUrl, databaseMigrationUrl: null, databasePoolSize: 4, dataDir: "/nowhere" });
const homes = (url: string) =>
  onServer(url, async (client) => {
    const { rows } = await client.query(
      "SELECT DISTINCT relnamespace::regnamespace::text AS home FROM pg_class WHERE relname IN ('api_key', '_prisma_migrations')",
    );
    return rows.map(({ home }) => home);
  });

afterAll(async () => {
  for (const name of made)
    await onServer(serverUrl!, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
});

describe.runIf(serverUrl)("whatever a database is set to", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await freshDatabase();
    const name = new URL(database.url).pathname.slice(1);
    await onServer(database.url, async (client) => {
      for (const [setting, value] of Object.entries({ ...HOSTILE_SETTINGS, search_path: '"$user"' }))
        await client.query(`ALTER DATABASE ${name} SET ${setting} = ${value}`);
    });
    await openDatabase(database);
  });
  afterAll(async () => {
    await closeDatabase();
    await database.close();
  });

  test("every connection, of every kind, has the settings of this program", async () => {
    const own = await newSqlClient();
    const tables = await newTablesClient(database.url);
    const found = {
      own: (await own.query(QUESTION)).rows,
      tables: (await tables.query(QUESTION)).rows,
      pool: (await sqlPool().query(QUESTION)).rows,
      prisma: await db().$queryRawUnsafe(QUESTION),
      transaction: await db().$transaction((tx) => tx.$queryRawUnsafe(QUESTION)),
      plain: await plainReads()
        .$queryRaw`SELECT name, current_setting(name) AS value FROM unnest(${Object.keys(OURS)}::text[]) name`,
      snapshot: await onSnapshot(
        async (snapshot) =>
          snapshot.$queryRaw`SELECT name, current_setting(name) AS value FROM unnest(${Object.keys(OURS)}::text[]) name`,
      ),
    };
    await Promise.all([own.end(), tables.end()]);
    for (const [way, rows] of Object.entries(found)) expect({ way, ...asSettings(rows) }).toEqual({ way, ...OURS });
  });

  test("a moment that one way writes is the same moment by every other way", async () => {
    const at = new Date("2026-03-29T01:30:00.123Z");
    const { id } = await db().organisation.create({
      data: { name: "Moments", slug: "moments", createdAt: at },
      select: { id: true },
    });
    const pooled = await sqlPool().query("SELECT created_at AS at FROM organisation WHERE id = $1", [id]);
    expect(pooled.rows[0].at).toEqual(at);
    expect(await db().organisation.findUnique({ where: { id }, select: { createdAt: true } })).toEqual({
      createdAt: at,
    });
    expect(
      await db()
        .$queryRaw`SELECT created_at AS at, now() - ${new Date()}::timestamptz < interval '1 minute' AS near FROM organisation WHERE id = ${id}`,
    ).toEqual([{ at, near: true }]);
  });
});

describe.runIf(serverUrl)("the schema of the tables", () => {
  test("is that of the role or the database, for everything that is made and asked", async () => {
    const url = await emptyDatabase(
      "",
      (name) => `CREATE SCHEMA app; ALTER DATABASE ${name} SET search_path = app, public`,
    );
    await start(url);
    try {
      expect(await homes(url)).toEqual(["app"]);
      expect(await db().organisation.count()).toBe(0);
      expect((await sqlPool().query("SELECT current_schemas(false)::text[] AS path")).rows[0].path).toEqual([
        functionSchema(),
        "app",
      ]);
    } finally {
      await stopDatabase();
    }
  });

  test("is the one that the address names, and has to be there", async () => {
    const url = await emptyDatabase("", () => 'CREATE SCHEMA "own Schema"');
    await expect(start(`${url}?schema=other`)).rejects.toThrow(
      /has no schema other: CREATE SCHEMA other, or name another/,
    );
    await start(`${url}?schema=own+Schema`);
    try {
      expect(await homes(url)).toEqual(['"own Schema"']);
      expect(await db().organisation.count()).toBe(0);
    } finally {
      await stopDatabase();
    }
  });

  test.each([
    [
      "of the database",
      "",
      (name: string) => `CREATE SCHEMA app; ALTER DATABASE ${name} SET search_path = app, public`,
    ],
    ["of the address", "?schema=app", () => "CREATE SCHEMA app"],
  ])("gets later migrations where it is that %s", async (_which, query, prepared) => {
    const url = await emptyDatabase("", prepared);
    await start(`${url}${query}`);
    await stopDatabase();
    await onServer(url, async (client) => {
      await client.query("DROP TABLE app.processor_problem");
      await client.query("DELETE FROM app._prisma_migrations WHERE migration_name LIKE '%\\_processor\\_problems'");
    });
    await start(`${url}${query}`);
    await stopDatabase();
    const made = await onServer(url, (client) => client.query("SELECT to_regclass('app.processor_problem') AS made"));
    expect(made.rows[0].made).not.toBeNull();
  });

  test("stays when one is made later that comes first on the path, and is never made a second time elsewhere", async () => {
    const url = await emptyDatabase();
    await start(url);
    await stopDatabase();
    await onServer(url, async (client) => {
      const { rows } = await client.query("SELECT quote_ident(current_user) AS role");
      await client.query(`CREATE SCHEMA ${rows[0].role}; CREATE SCHEMA other`);
    });
    await start(url);
    await stopDatabase();
    expect(await homes(url)).toEqual(["public"]);
    await expect(start(`${url}?schema=other`)).rejects.toThrow(
      /are in the schema public, and the address and its role lead to other: add \?schema=public/,
    );
    expect(await homes(url)).toEqual(["public"]);
  });
});

test.runIf(serverUrl)("a database that cannot hold every text is refused before anything is written", async () => {
  const url = await emptyDatabase("ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0");
  await expect(start(url)).rejects.toThrow(/^the database gw_test_\w+ is encoded in LATIN1, [^\n]*ENCODING 'UTF8'/);
  expect(await homes(url)).toEqual([]);
});

test("the connections of one embedded session, too", async () => {
  if (serverUrl) return;
  const database = await freshDatabase();
  await openDatabase(database);
  try {
    expect(asSettings((await sqlPool().query(QUESTION)).rows)).toEqual(OURS);
    const client = new pg.Client(connection(database.url));
    await client.connect();
    await client.end();
    expect(asSettings(await db().$queryRawUnsafe(QUESTION))).toEqual(OURS);
  } finally {
    await closeDatabase();
    await database.close();
  }
});
