import { existsSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "~/config/error";
import type { Config } from "~/config.server";
import { addressOf } from "~/connection/database-connection";
import { closeDatabase as closeConnections, newTablesClient, openDatabase } from "~/connection/db.server";
import { log } from "~/observe/log.server";
import { oneLine, whenReachable } from "./await-database";
import { type EmbeddedDatabase, runningEmbeddedDatabase, startEmbeddedDatabase } from "./embedded/embedded.server";
import { unprovenMoments } from "./schema/former-zone";
import { functionSchema } from "./schema/function-schema";
import { migrate } from "./schema/migrate.server";
import { grantPrivileges, requireRights, roleOf } from "./server-role";
import { connectionLimit, requireSessions } from "./suitable-server";

/**
 * Maximum migrations whose names are logged: a first start applies all, and their names would scroll the printed keys
 * away.
 */
const NAMES_TOLD = 20;
/** Statement time-out of a command, in milliseconds; longer than that of a server's request. */
const COMMAND_MS = 3_600_000;

/** Connections of a process besides its pool: for accounting, maintenance and events. */
const OWN_CONNECTIONS = 3;

type DatabaseSettings = Pick<Config, "databaseUrl" | "databaseMigrationUrl" | "databasePoolSize" | "dataDir">;
/**
 * `waitMs`: how long to wait for an unreachable database; `patienceMs`: how long a connection may be used, by default
 * as long as a request may take; `isStarting`: allow longer.
 */
type Patience = { waitMs?: number; patienceMs?: number; isStarting?: boolean };

let embedded: EmbeddedDatabase | null = null;

/**
 * Prepares the database: starts the embedded one when no address is configured, applies migrations, and opens the
 * connections.
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
  const { ignored } = addressOf(database.url);
  if (ignored.length > 0)
    log.warn(
      { ignored },
      "parameters in the address of the database that change nothing; docs/operating/databases.md has those that do",
    );
  try {
    const applied = await migrateAndVerify({ ...database, migrationUrl: settings.databaseMigrationUrl, waitMs });
    if (applied.length > 0) {
      const names = applied.length > NAMES_TOLD ? {} : { migrations: applied };
      log.info({ applied: applied.length, ...names }, "the database was brought up to date");
    }
    await openDatabase({
      ...database,
      functions: functionSchema(),
      schema: database.embedded ? undefined : await schemaOf(database.url, settings.databasePoolSize),
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
 * Applies the missing migrations and scripts, as `migrate` does. Uses the role of `migrationUrl` if configured; that
 * role then grants the server's role its privileges.
 * @throws ConfigError, with a one-line message, also when the database does not answer or the server's role lacks
 *   privileges.
 */
export async function migrateAndVerify(database: {
  url: string;
  embedded: boolean;
  migrationUrl: string | null;
  /** How long each step waits for an unreachable database; by default not at all. */
  waitMs?: number;
}): Promise<readonly string[]> {
  const { url, embedded, migrationUrl, waitMs = 0 } = database;
  const onServer = <T>(work: () => Promise<T>) =>
    orExplain({ name: migrationUrl === null ? "the database" : "the database of DATABASE_URL", waitMs }, work);
  if (!embedded) await onServer(() => requireSessions(url));
  if (migrationUrl === null) {
    const applied = await onServer(() => migrate({ url, embedded }));
    // The embedded database has one role, which has all privileges.
    if (!embedded) await onServer(() => requireRights(url));
    return applied;
  }
  const asOwner = <T>(work: () => Promise<T>) =>
    orExplain({ name: "the database of DATABASE_MIGRATION_URL", waitMs }, work);
  await asOwner(() => requireSessions(migrationUrl));
  const applied = await asOwner(() => migrate({ url: migrationUrl, embedded }));
  const role = await onServer(() => roleOf(url));
  await asOwner(() => grantPrivileges(migrationUrl, role));
  await onServer(() => requireRights(url));
  return applied;
}

/**
 * Returns the schema of the tables, for statements that qualify every table. Logs times that earlier releases may have
 * written wrong by hours, and too few connections.
 */
async function schemaOf(url: string, poolSize: number): Promise<string> {
  const client = await newTablesClient(url);
  try {
    const limit = await connectionLimit(client);
    if (limit !== null && limit < poolSize + OWN_CONNECTIONS)
      log.warn(
        { most: limit, wanted: poolSize + OWN_CONNECTIONS },
        "the database lets this role open fewer connections than a process may want: raise CONNECTION LIMIT, or lower DATABASE_POOL_SIZE",
      );
    const unproven = await unprovenMoments(client);
    if (unproven !== null)
      log.warn(
        unproven,
        "earlier releases stored times in the time zone of the database, which is not UTC: the expiry of these keys and the next runs of these report schedules may be wrong; docs/operating/databases.md says how to check them (ALTER DATABASE … SET timezone = 'UTC' ends this warning)",
      );
    return (await client.query<{ schema: string }>("SELECT current_schema() AS schema")).rows[0]!.schema;
  } finally {
    await client.end();
  }
}

/**
 * Runs `work` when the database is reachable. Other errors, such as a wrong password, end the start at once with one
 * line.
 */
async function orExplain<T>(database: { name: string; waitMs: number }, work: () => Promise<T>): Promise<T> {
  return whenReachable(database, work).catch((error: unknown) => {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`${database.name} does not answer: ${oneLine(error)}`);
  });
}

/**
 * Opens the database for a command that runs beside the server: the embedded database of a running server, else as
 * `startDatabase` does.
 * @throws ConfigError also when there is no embedded database in DATA_DIR; creating an empty one would hide the
 *   mistake.
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
