import { ConfigProblem } from "~/config/problem";
import type { Config } from "~/config.server";
import { closeDatabase as closeConnections, openDatabase } from "~/db.server";
import { log } from "~/log.server";
import { type EmbeddedDatabase, runningEmbeddedDatabase, startEmbeddedDatabase } from "./embedded.server";
import { migrate } from "./migrate.server";

let embedded: EmbeddedDatabase | null = null;

/**
 * Makes the database ready: starts the embedded one where no address is set, applies migrations, opens the connections.
 * @throws ConfigProblem when the database cannot be reached, opened or migrated.
 */
export async function startDatabase(
  settings: Pick<Config, "databaseUrl" | "databasePoolSize" | "dataDir">,
): Promise<void> {
  if (settings.databaseUrl === null) embedded = await startEmbeddedDatabase({ dataDir: settings.dataDir });
  const database = {
    url: settings.databaseUrl ?? (embedded as EmbeddedDatabase).url,
    embedded: settings.databaseUrl === null,
  };
  try {
    const applied = await migrate(database).catch((problem: unknown) => {
      throw problem instanceof ConfigProblem
        ? problem
        : new ConfigProblem(`the database does not answer: ${reason(problem)}`);
    });
    if (applied.length > 0) log.info({ migrations: applied }, "the database was brought up to date");
    await openDatabase({ ...database, poolSize: settings.databasePoolSize });
  } catch (problem) {
    await embedded?.stop();
    throw problem;
  }
}

/**
 * Opens the database for a command that runs beside the server: the embedded database of a server that is running, else
 * as `startDatabase` does.
 */
export async function attachDatabase(
  settings: Pick<Config, "databaseUrl" | "databasePoolSize" | "dataDir">,
): Promise<void> {
  const running = settings.databaseUrl === null ? runningEmbeddedDatabase(settings.dataDir) : null;
  if (running === null) await startDatabase(settings);
  else await openDatabase({ url: running, embedded: true });
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
