import { randomBytes } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { inject } from "vitest";
import { closeDatabase, connection, openDatabase } from "~/connection/db.server";
import { runningEmbeddedDatabase, startEmbeddedDatabase } from "~/database/embedded/embedded.server";
import { functionSchema } from "~/database/schema/function-schema";
import { NEWEST_FUNCTIONS } from "../../scripts/newest-functions.mjs";
import { onDatabase, type TestDatabases } from "./database-setup";
import { HOSTILE_SETTINGS } from "./hostile-settings";

export type TestDatabase = {
  /** URL for the tests themselves, under the role that owns the database. */
  url: string;
  /** URL for a server under test; on PostgreSQL under a role that owns nothing. */
  serverUrl: string;
  embedded: boolean;
  /** The schema with the SQL functions. */
  functions: string;
  /** Drops the database and cuts its connections. */
  close(): Promise<void>;
};

/** Creates a migrated, empty database: on the server of TEST_DATABASE_URL if set, else embedded. */
export async function freshDatabase(): Promise<TestDatabase> {
  const source = inject("testDatabases");
  return source.kind === "postgres" ? onServer(source) : embedded(source.templateFolder);
}

/** Creates a database that `db()` and `sqlPool()` of this test file use; `close` closes both. */
export async function openFreshDatabase(): Promise<TestDatabase> {
  const database = await freshDatabase();
  await openDatabase(database);
  return {
    ...database,
    async close() {
      await closeDatabase();
      await database.close();
    },
  };
}

/**
 * Prepares the database for a server with this `dataDir`: on PostgreSQL a fresh database, else a copy of the migrated
 * template in the folder, unless the folder has a database already.
 */
export async function databaseForServer(dataDir: string): Promise<TestDatabase> {
  const source = inject("testDatabases");
  if (source.kind === "postgres") return onServer(source);
  if (!existsSync(join(dataDir, "database"))) copyInto(dataDir, source.templateFolder);
  // The server starts and stops the embedded database itself.
  return { url: "", serverUrl: "", embedded: true, functions: functionSchema(), close: async () => undefined };
}

/** Copies the migrated embedded template into a folder for use as DATA_DIR. Returns null if tests run on PostgreSQL. */
export function freshDataDir(): string | null {
  const source = inject("testDatabases");
  return source.kind === "embedded" ? copyOf(source.templateFolder) : null;
}

type Server = Extract<TestDatabases, { kind: "postgres" }>;

async function onServer({ serverUrl, template, role }: Server): Promise<TestDatabase> {
  const name = `gw_test_${randomBytes(8).toString("hex")}`;
  await onServerDo(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  // For clients of the tests themselves; the program sets its search path on its own.
  await onServerDo(serverUrl, `ALTER DATABASE ${name} SET search_path = ${functionSchema()}, public`);
  if (process.env.TEST_DATABASE_HOSTILE)
    for (const [setting, value] of Object.entries(HOSTILE_SETTINGS))
      await onServerDo(serverUrl, `ALTER DATABASE ${name} SET ${setting} = ${value}`);
  return {
    url: onDatabase(serverUrl, name),
    serverUrl: onDatabase(serverUrl, name, role),
    embedded: false,
    functions: functionSchema(),
    close: () => onServerDo(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

async function onServerDo(serverUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

async function embedded(templateFolder: string): Promise<TestDatabase> {
  const dataDir = copyOf(templateFolder);
  const database = await startEmbeddedDatabase({ dataDir });
  return {
    url: database.url,
    serverUrl: database.url,
    embedded: true,
    functions: functionSchema(),
    async close() {
      await database.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function copyOf(templateFolder: string): string {
  const dataDir = mkdtempSync(join(tmpdir(), "gw-test-data-"));
  copyInto(dataDir, templateFolder);
  return dataDir;
}

const copyInto = (dataDir: string, templateFolder: string) =>
  cpSync(join(templateFolder, "database"), join(dataDir, "database"), { recursive: true });

/**
 * Connects to the database of a server that runs as a process: to `database`, or to the embedded one that the server
 * has started in `dataDir`. The caller closes the connection.
 */
export async function connectForTests(
  database: Pick<TestDatabase, "url" | "embedded">,
  dataDir: string,
): Promise<pg.Client> {
  const url = database.embedded ? (runningEmbeddedDatabase(dataDir) ?? database.url) : database.url;
  const client = new pg.Client(connection(url));
  client.on("error", () => undefined);
  await client.connect();
  await client.query(NEWEST_FUNCTIONS);
  return client;
}
