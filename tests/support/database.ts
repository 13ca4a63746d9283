import { randomBytes } from "node:crypto";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { inject } from "vitest";
import { runningEmbeddedDatabase, startEmbeddedDatabase } from "~/database/embedded.server";
import { functionSchema } from "~/database/function-schema";
import { closeDatabase, connection, openDatabase } from "~/db.server";
import { NEWEST_FUNCTIONS } from "../../scripts/newest-functions.mjs";
import { onDatabase, type TestDatabases } from "./database-setup";
import { HOSTILE_SETTINGS } from "./hostile-settings";

export type TestDatabase = {
  /** For the tests themselves, who own it. */
  url: string;
  /** For a server under test: on PostgreSQL under a role that owns nothing. */
  serverUrl: string;
  embedded: boolean;
  /** The schema with the SQL functions. */
  functions: string;
  /** Drops the database. Connections to it are cut. */
  close(): Promise<void>;
};

/** A migrated, empty database of one's own: on the server of TEST_DATABASE_URL, else embedded. */
export async function freshDatabase(): Promise<TestDatabase> {
  const source = inject("testDatabases");
  return source.kind === "postgres" ? onServer(source) : embedded(source.templateFolder);
}

/** A fresh database that `db()` and `sqlPool()` of this test file use; `close` closes both. */
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

/** A copy of the migrated embedded template, for a server that is started on it as DATA_DIR; null when tests run on PostgreSQL. */
export function freshDataDir(): string | null {
  const source = inject("testDatabases");
  return source.kind === "embedded" ? copyOf(source.templateFolder) : null;
}

type Server = Extract<TestDatabases, { kind: "postgres" }>;

async function onServer({ serverUrl, template, role }: Server): Promise<TestDatabase> {
  const name = `gw_test_${randomBytes(8).toString("hex")}`;
  await onServerDo(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  // Clients of the tests themselves find the functions too; those of the program look for them on their own.
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
  cpSync(join(templateFolder, "database"), join(dataDir, "database"), { recursive: true });
  return dataDir;
}

/**
 * A connection to the database of a server that runs as a process: to `database`, or to the embedded one that the server
 * itself has started in `dataDir`. The caller ends it.
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
