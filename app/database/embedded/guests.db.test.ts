import { execFileSync, spawnSync } from "node:child_process";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { closeDatabase, db, newSqlClient, openDatabase, sqlPool } from "~/connection/db.server";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database";

// The embedded database has one session for all connections to its socket.
const embedded = process.env.TEST_DATABASE_URL === undefined;
const has = (program: string) => spawnSync(program, ["--version"]).status === 0;

let database: TestDatabase;
let own: pg.Client;
let before: unknown;
const guests: pg.Client[] = [];

beforeAll(async () => {
  if (!embedded) return;
  database = await freshDatabase();
  await openDatabase(database);
  own = await newSqlClient();
  await sqlPool().query(
    "CREATE TABLE public.looked_at (v int); INSERT INTO looked_at VALUES (1); CREATE ROLE onlooker",
  );
  before = await seen();
});
afterEach(async () => {
  for (const guest of guests.splice(0)) await guest.end().catch(() => undefined);
});
afterAll(async () => {
  if (!embedded) return;
  await own.end();
  await closeDatabase();
  await database.close();
});

async function guest(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url, application_name: "psql" });
  client.on("error", () => undefined);
  await client.connect();
  guests.push(client);
  return client;
}

/**
 * The session as gw's own statements see it through Prisma, a pooled connection, and a connection with a named
 * statement.
 */
async function seen() {
  const text = `SELECT (SELECT json_object_agg(name, setting) FROM pg_settings WHERE source = 'session') AS settings,
    current_user::text AS role, session_user::text AS signed_in, (SELECT v FROM looked_at) AS row, 'finished_call[]'::regtype::text AS type`;
  return {
    pooled: (await sqlPool().query(text)).rows,
    prisma: await db().$queryRawUnsafe(text),
    named: (await own.query({ name: "look", text })).rows,
    count: await db().organisation.count(),
  };
}

const CHANGES: [string, string][] = [
  ["the search path, as pg_dump does", "SELECT pg_catalog.set_config('search_path', '', false)"],
  ["the style of dates", "SET datestyle = 'German'"],
  ["the zone", "SET timezone = 'Asia/Kolkata'"],
  ["reading only", "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY"],
  ["triggers", "SET session_replication_role = replica"],
  ["the role", "SET ROLE onlooker"],
  ["who is signed in", "SET SESSION AUTHORIZATION onlooker"],
  ["every setting", "RESET ALL"],
  ["everything at once", "DISCARD ALL"],
  ["prepared statements", "DEALLOCATE ALL"],
  ["a temporary table of another's name", "CREATE TEMP TABLE looked_at (v int)"],
  ["a transaction that has failed", "BEGIN; SET datestyle = 'German'; SELECT 1 / 0"],
  [
    "a setting of a transaction that is open",
    "BEGIN; SET LOCAL timezone = 'Asia/Kolkata'; SET search_path = ''; COMMIT",
  ],
];

test.runIf(embedded).each(CHANGES)("a guest that changes %s changes nothing for the server", async (_, sql) => {
  const one = await guest();
  await one.query(sql).catch(() => undefined);
  if (!sql.startsWith("BEGIN")) expect(await seen()).toEqual(before);
  await one.end();
  expect(await seen()).toEqual(before);
});

test.runIf(embedded)("a guest keeps what it has set for itself, and another one sees nothing of it", async () => {
  const [one, two] = [await guest(), await guest()];
  await one.query("SET datestyle = 'German'; SET ROLE onlooker; SET application_name = 'it''s \\ mine'");
  await two.query("SET timezone = 'Asia/Kolkata'; CREATE TEMP TABLE mine (v int)");
  const question = `SELECT current_setting('datestyle') AS style, current_setting('timezone') AS zone, current_user::text AS role,
    current_setting('application_name') AS note`;
  const ask = async (client: pg.Client) => (await client.query(question)).rows[0];
  expect(await ask(one)).toEqual({ style: "German, DMY", zone: "UTC", role: "onlooker", note: "it's \\ mine" });
  expect(await seen()).toEqual(before);
  expect(await ask(two)).toMatchObject({ style: "ISO, MDY", zone: "Asia/Kolkata", role: "postgres" });
  expect(await ask(one)).toMatchObject({ style: "German, DMY", role: "onlooker" });
});

test.runIf(embedded)("what a guest leaves goes with it: temporary tables, statements, listening, locks", async () => {
  const one = await guest();
  await one.query(
    "CREATE TEMP TABLE mine (v int); PREPARE by_hand AS SELECT 1; LISTEN news; SELECT pg_advisory_lock(7); BEGIN; DECLARE held CURSOR WITH HOLD FOR SELECT 1; COMMIT",
  );
  await one.query({ name: "by-protocol", text: "SELECT 1" });
  await one.end();
  const left = await sqlPool().query(
    `SELECT to_regclass('pg_temp.mine') AS tables, (SELECT count(*)::int FROM pg_prepared_statements WHERE name ~ 'by.(hand|protocol)') AS statements,
            (SELECT count(*)::int FROM pg_listening_channels()) AS channels, (SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory') AS locks,
            (SELECT count(*)::int FROM pg_cursors WHERE is_holdable) AS cursors`,
  );
  expect(left.rows).toEqual([{ tables: null, statements: 0, channels: 0, locks: 0, cursors: 0 }]);
});

test.runIf(embedded && has("psql") && has("pg_dump"))(
  "psql and pg_dump of another version look in while the server runs",
  async () => {
    const address = `host=${new URL(database.url).searchParams.get("host")} user=postgres dbname=postgres`;
    const told = execFileSync("psql", [address, "-XAtc", "SET datestyle = 'German'", "-c", "SELECT v FROM looked_at"]);
    expect(told.toString().trim()).toBe("SET\n1");
    expect(await seen()).toEqual(before);
    spawnSync("pg_dump", [address], { stdio: "ignore" });
    expect(await seen()).toEqual(before);
  },
);
