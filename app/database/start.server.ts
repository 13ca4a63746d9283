import { existsSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "~/config/error";
import type { Config } from "~/config.server";
import { closeDatabase as closeConnections, openDatabase } from "~/db.server";
import { log } from "~/log.server";
import { type EmbeddedDatabase, runningEmbeddedDatabase, startEmbeddedDatabase } from "./embedded.server";
import { functionSchema } from "./function-schema";
import { migrate } from "./migrate.server";
import { giveRights, requireRights, roleOf } from "./server-role";

/** A first start applies all there are: their names would push the keys that it shows off the screen. */
const NAMES_TOLD = 20;
/** How long a command may look at the data; a server's request may not. */
const COMMAND_MS = 3_600_000;

type DatabaseSettings = Pick<Config, "databaseUrl" | "databaseMigrationUrl" | "databasePoolSize" | "dataDir">;

let embedded: EmbeddedDatabase | null = null;

/**
 * Makes the database ready: starts the embedded one where no address is set, applies migrations, opens the connections.
 * @throws ConfigError when the database cannot be reached, opened or migrated.
 */
export async function startDatabase(settings: DatabaseSettings, patienceMs?: number): Promise<void> {
  if (settings.databaseUrl === null) embedded = await startEmbeddedDatabase({ dataDir: settings.dataDir });
  const database = {
    url: settings.databaseUrl ?? (embedded as EmbeddedDatabase).url,
    embedded: settings.databaseUrl === null,
  };
  try {
    const applied = await bringUpToDate({ ...database, migrationUrl: settings.databaseMigrationUrl });
    if (applied.length > 0) {
      const names = applied.length > NAMES_TOLD ? {} : { migrations: applied };
      log.info({ applied: applied.length, ...names }, "the database was brought up to date");
    }
    await openDatabase({ ...database, functions: functionSchema(), poolSize: settings.databasePoolSize, patienceMs });
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
}): Promise<readonly string[]> {
  const { url, embedded, migrationUrl } = database;
  if (migrationUrl === null) {
    const applied = await orTell("the database", () => migrate({ url, embedded }));
    // The embedded database has one role, which may do everything.
    if (!embedded) await orTell("the database", () => requireRights(url));
    return applied;
  }
  const applied = await orTell("the database of DATABASE_MIGRATION_URL", () =>
    migrate({ url: migrationUrl, embedded }),
  );
  const role = await orTell("the database of DATABASE_URL", () => roleOf(url));
  await orTell("the database of DATABASE_MIGRATION_URL", () => giveRights(migrationUrl, role));
  await orTell("the database of DATABASE_URL", () => requireRights(url));
  return applied;
}

async function orTell<T>(database: string, work: () => Promise<T>): Promise<T> {
  return work().catch((problem: unknown) => {
    throw problem instanceof ConfigError ? problem : new ConfigError(`${database} does not answer: ${reason(problem)}`);
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
  if (running === null) await startDatabase(settings, COMMAND_MS);
  else await openDatabase({ url: running, embedded: true, functions: functionSchema(), patienceMs: COMMAND_MS });
}

/** Closes the connections, then the embedded database. Safe to repeat. */
export async function closeDatabase(): Promise<void> {
  await closeConnections();
  await embedded?.stop();
  embedded = null;
}

function reason(problem: unknown): string {
  if (problem instanceof AggregateError) return problem.errors.map(reason).join(", ");
  return problem instanceof Error ? problem.message.split("\n")[0]! : String(problem);
}
