import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { ConfigError } from "~/config/error";
import { type Config, loadConfig } from "~/config.server";
import { newTablesClient } from "~/connection/db.server";
import { copyTables } from "./copy-tables";
import { deleteBusyNote } from "./embedded/busy-note";
import { startEmbeddedDatabase } from "./embedded/embedded.server";
import { migrateAndVerify } from "./start.server";

type Settings = Pick<Config, "databaseUrl" | "databaseMigrationUrl" | "dataDir" | "secrets">;

/**
 * Moves an installation from the embedded database in DATA_DIR to the database of DATABASE_URL, or `back`; reports its
 * steps on the standard output. All servers must be stopped. The source keeps its rows; an embedded source is renamed,
 * so that no server uses it by mistake. Completes, or fails without any effect. Safe to repeat after a failure.
 * @throws ConfigError, with a one-line message.
 */
export async function moveDatabase(direction: "to-postgresql" | "back"): Promise<void> {
  const settings = loadConfig();
  if (settings.databaseUrl === null)
    throw new ConfigError("set DATABASE_URL: it names the PostgreSQL database of the move");
  requireSecret(settings);
  if (direction === "back") await moveBack(settings, settings.databaseUrl);
  else await moveToServer(settings, settings.databaseUrl);
}

async function moveToServer(settings: Settings, url: string): Promise<void> {
  const { dataDir, databaseMigrationUrl: migrationUrl } = settings;
  const folder = join(dataDir, "database");
  if (!existsSync(folder)) throw new ConfigError(`there is no database in DATA_DIR ${dataDir}`);
  const backup = `${folder}-moved-${new Date().toISOString().slice(0, 19).replaceAll(":", "")}`;
  const embedded = await startEmbeddedDatabase({ dataDir });
  try {
    await migrateAndVerify({ url: embedded.url, embedded: true, migrationUrl: null });
    await migrateAndVerify({ url, embedded: false, migrationUrl });
    await copy(embedded.url, migrationUrl ?? url);
  } finally {
    await embedded.stop();
  }
  renameSync(folder, backup);
  deleteBusyNote(dataDir);
  say(
    `The embedded database is kept as ${backup}. Start the server with this DATABASE_URL and the same GW_SECRET and DATA_DIR.`,
  );
}

async function moveBack(settings: Settings, url: string): Promise<void> {
  const { dataDir, databaseMigrationUrl: migrationUrl } = settings;
  if (existsSync(join(dataDir, "database")))
    throw new ConfigError(`there is a database in DATA_DIR ${dataDir} already`);
  await migrateAndVerify({ url, embedded: false, migrationUrl });
  const embedded = await startEmbeddedDatabase({ dataDir });
  let moved = false;
  try {
    await migrateAndVerify({ url: embedded.url, embedded: true, migrationUrl: null });
    await copy(migrationUrl ?? url, embedded.url);
    moved = true;
  } finally {
    await embedded.stop();
    // An empty embedded database would block the next attempt.
    if (!moved) rmSync(join(dataDir, "database"), { recursive: true, force: true });
  }
  say(
    "The PostgreSQL database is as it was. Start the server without DATABASE_URL, with the same GW_SECRET and DATA_DIR.",
  );
}

async function copy(fromUrl: string, toUrl: string): Promise<void> {
  const [from, to] = [await newTablesClient(fromUrl), await newTablesClient(toUrl)];
  try {
    for (const client of [from, to]) await requireAlone(client);
    await requireUnused(to);
    const tables = await copyTables(from, to, ({ table, rows }) => rows > 0 && say(`${table}: ${rows}`));
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    say(`Moved ${rows} rows of ${tables.length} tables; each table was compared with its source.`);
  } finally {
    await Promise.all([from.end(), to.end()]);
  }
}

/**
 * Rejects a database with other connections, because their writes would be lost. The embedded database has its own
 * lock.
 */
async function requireAlone(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ others: number }>(
    `SELECT count(*)::int AS others FROM pg_stat_activity
      WHERE datname = current_database() AND backend_type = 'client backend' AND application_name = 'gw' AND pid <> pg_backend_pid()`,
  );
  if (rows[0]!.others === 0) return;
  throw new ConfigError(`a server uses the database (${rows[0]!.others} connections): stop it first`);
}

async function requireUnused(client: pg.Client): Promise<void> {
  for (const table of ["app_user", "api_key", "ledger_txn", "act"]) {
    const { rows } = await client.query(`SELECT 1 FROM ${table} LIMIT 1`);
    if (rows.length > 0) throw new ConfigError(`the database to move to is in use: its table ${table} has rows`);
  }
}

/** Rejects a configuration without the installation's own secret, which its sealed values need. */
function requireSecret({ dataDir, secrets }: Settings): void {
  const file = join(dataDir, "secret");
  if (!existsSync(file) || secrets.includes(readFileSync(file, "utf8").trim())) return;
  throw new ConfigError(`GW_SECRET does not hold the secret of ${file}, which the keys were made with: add it`);
}

const say = (line: string) => void process.stdout.write(`${line}\n`);
