import { fork } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { MigrationDirectory } from "@prisma/schema-engine-wasm";
import pg from "pg";
import { ConfigProblem } from "~/config/problem";
import { connection } from "~/db.server";
import { projectFile } from "./project-files";

// Any number that nothing else locks; the same one for every process of this program.
const MIGRATION_LOCK = 7_203_114_417n;
/** Held while a migration is applied, also by a server whose client is gone. */
const SCRIPT_LOCK = 7_203_114_418n;
const NO_SUCH_TABLE = "42P01";
const NOT_ALLOWED = "42501";

/**
 * Applies the migrations of prisma/migrations that the database has not seen, and returns their names. Writes Prisma's
 * ordinary `_prisma_migrations` table. Processes that start together take turns; when nothing is to do it costs one query.
 * A migration is one transaction together with its row, so one that failed, or was cut off, has done nothing and is tried
 * again. A server that still works at one for a process that is gone is waited for.
 * @throws ConfigProblem when a migration fails.
 */
export async function migrate(
  database: { url: string; embedded: boolean },
  folder: string = projectFile("prisma/migrations"),
): Promise<readonly string[]> {
  const names = migrationNames(folder);
  const client = new pg.Client(connection(database.url));
  client.on("error", () => undefined);
  await client.connect();
  try {
    const [first] = (await stateOf(client, names)).missing;
    if (first === undefined) return [];
    await requireCreate(client, first);
    // The embedded database has one process and one session: nobody to wait for.
    if (!database.embedded) {
      await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
      await client.query("SELECT pg_advisory_xact_lock($1)", [SCRIPT_LOCK]);
    }
    const { missing, failed } = await stateOf(client, names);
    return missing.length === 0 ? [] : await apply({ url: database.url, folder, names, failed });
  } finally {
    await client.end();
  }
}

/** A role that owns nothing is told so before anything is tried; what the server would say names no way out. */
async function requireCreate(client: pg.Client, migration: string): Promise<void> {
  const { rows } = await client.query<{ role: string; may: boolean | null }>(
    "SELECT current_user AS role, has_schema_privilege(current_schema(), 'CREATE') AS may",
  );
  if (rows[0]!.may) return;
  throw new ConfigProblem(
    `the database could not be migrated: ${migration} is missing, and the role ${rows[0]!.role} may not create tables; set DATABASE_MIGRATION_URL for npm run migrate, or for this start`,
  );
}

/** Those of `names` that the database has not seen. */
export const missingMigrations = async (client: pg.Client, names: readonly string[]): Promise<readonly string[]> =>
  (await stateOf(client, names)).missing;

/** Names of the migration folders, oldest first. */
export function migrationNames(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).toSorted();
}

/** The migrations as the schema engine takes them. */
export function readMigrations(folder: string, names: readonly string[]) {
  const migrationDirectories = names.map(
    (name): MigrationDirectory => ({
      path: name,
      migrationFile: {
        path: "migration.sql",
        content: { tag: "ok", value: readFileSync(join(folder, name, "migration.sql"), "utf8") },
      },
    }),
  );
  const lockfile = { path: "migration_lock.toml", content: readFileSync(join(folder, "migration_lock.toml"), "utf8") };
  return { baseDir: folder, lockfile, shadowDbInitScript: "", migrationDirectories };
}

type Row = { name: string; finished: boolean };

async function stateOf(client: pg.Client, names: readonly string[]): Promise<{ missing: string[]; failed: string[] }> {
  const rows = await readRows(client);
  const applied = new Set(rows.flatMap((row) => (row.finished ? [row.name] : [])));
  const failed = new Set(rows.flatMap((row) => (row.finished ? [] : [row.name])));
  return { missing: names.filter((name) => !applied.has(name)), failed: [...failed] };
}

async function readRows(client: pg.Client): Promise<Row[]> {
  try {
    const found = await client.query<Row>(
      "SELECT migration_name AS name, finished_at IS NOT NULL AS finished FROM _prisma_migrations WHERE rolled_back_at IS NULL",
    );
    return found.rows;
  } catch (problem) {
    const { code } = problem as { code?: string };
    if (code === NO_SUCH_TABLE) return [];
    if (code !== NOT_ALLOWED) throw problem;
    throw new ConfigProblem(
      "the role of DATABASE_URL may not read the table _prisma_migrations; npm run migrate with DATABASE_MIGRATION_URL gives it what it needs",
    );
  }
}

type Work = { url: string; folder: string; names: readonly string[]; failed: readonly string[] };
type Report = { applied: string[] } | { failure: string };

async function apply({ url, folder, names, failed }: Work): Promise<readonly string[]> {
  const { types: _, ...way } = connection(url);
  const input = { migrationsList: readMigrations(folder, names), filters: { externalTables: [], externalEnums: [] } };
  const report = await inChild({ connection: way, failed, input, scripts: recordedScripts(input.migrationsList) });
  if ("applied" in report) return report.applied;
  throw new ConfigProblem(`the database could not be migrated: ${report.failure.replace(/\s+/g, " ").trim()}`);
}

/**
 * By each script, the one that is sent: it also says, in its own transaction, that it is done. The engine says so with a
 * statement of its own behind it; a process that ends between the two would leave a migration that can neither be
 * repeated nor is known to be applied.
 */
function recordedScripts({ migrationDirectories }: ReturnType<typeof readMigrations>): [string, string][] {
  return migrationDirectories.map(({ path, migrationFile }) => {
    const script = migrationFile.content.value;
    const whole = `SELECT pg_advisory_xact_lock(${SCRIPT_LOCK});
${script}
;UPDATE _prisma_migrations SET finished_at = now()
  WHERE migration_name = '${path.replaceAll("'", "''")}' AND finished_at IS NULL AND rolled_back_at IS NULL`;
    return [script, whole];
  });
}

/** The schema engine in a process of its own. If this process dies, that one does, behind the migration that it is at. */
function inChild(work: object): Promise<Report> {
  const child = fork(projectFile("app/database/migrate-child.mjs"), [], { execArgv: [] });
  return new Promise((resolve) => {
    child.once("error", (problem) => resolve({ failure: problem.message }));
    child.once("exit", (code, signal) => resolve({ failure: `its process ended with ${signal ?? code}` }));
    child.once("message", (report: Report) => {
      child.disconnect();
      resolve(report);
    });
    child.send(work, (problem) => problem && resolve({ failure: problem.message }));
  });
}
