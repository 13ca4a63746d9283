import { existsSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "~/config/error";
import type { Config } from "~/config.server";
import { closeDatabase as closeConnections, newTablesClient, openDatabase } from "~/db.server";
import { log } from "~/log.server";
import { oneLine, whenReachable } from "./await-database";
import { type EmbeddedDatabase, runningEmbeddedDatabase, startEmbeddedDatabase } from "./embedded.server";
import { formerZone } from "./former-zone";
import { functionSchema } from "./function-schema";
import { migrate } from "./migrate.server";
import { giveRights, requireRights, roleOf } from "./server-role";
import { requireSessions } from "./suitable-server";

/** A first start applies all there are: their names would push the keys that it shows off the screen. */
const NAMES_TOLD = 20;
/** How long a command may look at the data; a server's request may not. */
const COMMAND_MS = 3_600_000;

type DatabaseSettings = Pick<Config, "databaseUrl" | "databaseMigrationUrl" | "databasePoolSize" | "dataDir">;
/** How long the database is waited for, and how long a connection may be kept: by default what a request may take, and for a start longer. */
type Patience = { waitMs?: number; patienceMs?: number; isStarting?: boolean };

let embedded: EmbeddedDatabase | null = null;

/**
 * Makes the database ready: starts the embedded one where no address is set, applies migrations, opens the connections.
 * @throws ConfigError when the database cannot be reached, opened or migrated.
 */
export async function startDatabase(
  settings: DatabaseSettings,
  { waitMs = 0, patienceMs, isStarting = false }: Patience = {},
): Promise<void> {
  if (settings.databaseUrl === null) embedded = await startEmbeddedDatabase({ dataDir: settings.dataDir });
  const database = {
    url: settings.databaseUrl ?? (embedded as EmbeddedDatabase).url,
    embedded: settings.databaseUrl === null,
  };
  try {
    const applied = await bringUpToDate({ ...database, migrationUrl: settings.databaseMigrationUrl, waitMs });
    if (applied.length > 0) {
      const names = applied.length > NAMES_TOLD ? {} : { migrations: applied };
      log.info({ applied: applied.length, ...names }, "the database was brought up to date");
    }
    await openDatabase({
      ...database,
      functions: functionSchema(),
      schema: database.embedded ? undefined : await schemaOf(database.url),
      poolSize: settings.databasePoolSize,
      patienceMs,
      isStarting,
    });
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}

/**
 * Applies what is missing, as `migrate` does: with the role of `migrationUrl` where there is one, which then gives the
 * server's role what it needs.
 * @throws ConfigError, in one line, also when the database does not answer, or the server's role may do too little.
 */
export async function bringUpToDate(database: {
  url: string;
  embedded: boolean;
  migrationUrl: string | null;
  /** How long each step waits for a database that cannot be reached; by default not at all. */
  waitMs?: number;
}): Promise<readonly string[]> {
  const { url, embedded, migrationUrl, waitMs = 0 } = database;
  const onServer = <T>(work: () => Promise<T>) =>
    orTell({ name: migrationUrl === null ? "the database" : "the database of DATABASE_URL", waitMs }, work);
  if (!embedded) await onServer(() => requireSessions(url));
  if (migrationUrl === null) {
    const applied = await onServer(() => migrate({ url, embedded }));
    // The embedded database has one role, which may do everything.
    if (!embedded) await onServer(() => requireRights(url));
    return applied;
  }
  const asOwner = <T>(work: () => Promise<T>) =>
    orTell({ name: "the database of DATABASE_MIGRATION_URL", waitMs }, work);
  await asOwner(() => requireSessions(migrationUrl));
  const applied = await asOwner(() => migrate({ url: migrationUrl, embedded }));
  const role = await onServer(() => roleOf(url));
  await asOwner(() => giveRights(migrationUrl, role));
  await onServer(() => requireRights(url));
  return applied;
}

/** The schema with the tables, for those who name it with every table. Tells of moments that earlier releases have written off by hours. */
async function schemaOf(url: string): Promise<string> {
  const client = await newTablesClient(url);
  try {
    const zone = await formerZone(client);
    if (zone !== null)
      log.warn(
        { zone },
        "earlier releases took the time zone of the database, which is not UTC: times that people chose then are off by its offset; docs/operating.md says which, and how to put them right (ALTER DATABASE … SET timezone = 'UTC' ends this message)",
      );
    return (await client.query<{ schema: string }>("SELECT current_schema() AS schema")).rows[0]!.schema;
  } finally {
    await client.end();
  }
}

/** A wrong password, another database's name or what a migration meets is told at once, like everything else in one line. */
async function orTell<T>(database: { name: string; waitMs: number }, work: () => Promise<T>): Promise<T> {
  return whenReachable(database, work).catch((problem: unknown) => {
    if (problem instanceof ConfigError) throw problem;
    throw new ConfigError(`${database.name} does not answer: ${oneLine(problem)}`);
  });
}

/**
 * Opens the database for a command that runs beside the server: the embedded database of a server that is running, else
 * as `startDatabase` does.
 * @throws ConfigError also where no embedded database is: a new one would tell nothing about the one that was meant.
 */
export async function attachDatabase(settings: DatabaseSettings): Promise<void> {
  if (settings.databaseUrl === null && !existsSync(join(settings.dataDir, "database")))
    throw new ConfigError(`there is no database in DATA_DIR ${settings.dataDir}`);
  const running = settings.databaseUrl === null ? runningEmbeddedDatabase(settings.dataDir) : null;
  if (running === null) await startDatabase(settings, { patienceMs: COMMAND_MS });
  else await openDatabase({ url: running, embedded: true, functions: functionSchema(), patienceMs: COMMAND_MS });
}

/** Closes the connections, then the embedded database. Safe to repeat. */
export async function closeDatabase(): Promise<void> {
  await closeConnections();
  await embedded?.stop();
  embedded = null;
}
