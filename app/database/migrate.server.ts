import { fork } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { MigrationDirectory } from "@prisma/schema-engine-wasm";
import pg from "pg";
import { ConfigError } from "~/config/error";
import { connection } from "~/db.server";
import { readBookkeeping } from "./bookkeeping";
import { projectFile } from "./project-files";
import { applying, checksumsOf, dueScripts, type RepeatableScript, readScripts } from "./repeatable-scripts";

// Any number that nothing else locks; the same one for every process of this program.
const MIGRATION_LOCK = 7_203_114_417n;
/** Held while a migration is applied, also by a server whose client is gone. */
const SCRIPT_LOCK = 7_203_114_418n;

/** What a database is brought to: folders with the migrations, and with the rooms whose functions are repeatable scripts. */
export type SchemaFolders = { migrations: string; rooms: string };

const OF_THE_PROJECT = (): SchemaFolders => ({
  migrations: projectFile("prisma/migrations"),
  rooms: projectFile("app/domain"),
});

/**
 * Applies the migrations of prisma/migrations that the database has not seen, then the repeatable scripts (functions and
 * views beside their rooms) whose text it has never had, and returns the names of both. Writes Prisma's ordinary
 * `_prisma_migrations` table. Processes that start together take turns; when nothing is to do it costs two queries.
 * A migration is one transaction together with its row, so one that failed, or was cut off, has done nothing and is tried
 * again; the scripts belong to the transaction of the last migration, or have one of their own. A server that still works at
 * one for a process that is gone is waited for.
 * @throws ConfigError when a migration fails, or was edited after it was applied.
 */
export async function migrate(
  database: { url: string; embedded: boolean },
  folders: SchemaFolders = OF_THE_PROJECT(),
): Promise<readonly string[]> {
  const client = new pg.Client(connection(database.url));
  client.on("error", () => undefined);
  await client.connect();
  try {
    const [first] = namesOf(await workFor(client, folders));
    if (first === undefined) return [];
    await requireCreate(client, first);
    // The embedded database has one process and one session: nobody to wait for.
    if (!database.embedded) {
      await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
      await client.query("SELECT pg_advisory_xact_lock($1)", [SCRIPT_LOCK]);
    }
    const work = await workFor(client, folders);
    if (work.missing.length > 0) await applyMigrations({ url: database.url, folder: folders.migrations, ...work });
    else if (work.scripts.length > 0) await applyScripts(client, work.scripts);
    return namesOf(work);
  } finally {
    await client.end();
  }
}

type Work = { names: readonly string[]; missing: string[]; failed: string[]; scripts: readonly RepeatableScript[] };

const namesOf = ({ missing, scripts }: Work): string[] => [...missing, ...scripts.map(({ name }) => name)];

async function workFor(client: pg.Client, { migrations, rooms }: SchemaFolders): Promise<Work> {
  const names = migrationNames(migrations);
  const rows = await readRows(client);
  const applied = new Map(rows.flatMap((row) => (row.finished ? [[row.name, row.checksum]] : [])));
  for (const name of names) {
    const checksum = applied.get(name);
    if (checksum !== undefined && !checksumsOf(scriptOf(migrations, name)).includes(checksum)) throw edited(name);
  }
  const failed = new Set(rows.flatMap((row) => (row.finished ? [] : [row.name])));
  const scripts = await dueScripts(client, readScripts(rooms));
  return { names, missing: names.filter((name) => !applied.has(name)), failed: [...failed], scripts };
}

const edited = (migration: string) =>
  new ConfigError(
    `the migration ${migration} is not the one that this database has had: take prisma/migrations/${migration} back to what it was, and write what is new as a migration of its own`,
  );

/** A role that owns nothing is told so before anything is tried; what the server would say names no way out. */
async function requireCreate(client: pg.Client, migration: string): Promise<void> {
  const { rows } = await client.query<{ role: string; may: boolean | null }>(
    "SELECT current_user AS role, has_schema_privilege(current_schema(), 'CREATE') AS may",
  );
  if (rows[0]!.may) return;
  throw new ConfigError(
    `the database could not be migrated: ${migration} is missing, and the role ${rows[0]!.role} may not create tables; set DATABASE_MIGRATION_URL for npm run migrate, or for this start`,
  );
}

/** Migrations and repeatable scripts of the project that the database has not seen. */
export const missingMigrations = async (client: pg.Client): Promise<readonly string[]> =>
  namesOf(await workFor(client, OF_THE_PROJECT()));

/** Names of the migration folders, oldest first. */
export function migrationNames(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).toSorted();
}

/** The migrations as the schema engine takes them. */
function readMigrations(folder: string, names: readonly string[]) {
  const migrationDirectories = names.map(
    (name): MigrationDirectory => ({
      path: name,
      migrationFile: {
        path: "migration.sql",
        content: { tag: "ok", value: scriptOf(folder, name) },
      },
    }),
  );
  const lockfile = { path: "migration_lock.toml", content: readFileSync(join(folder, "migration_lock.toml"), "utf8") };
  return { baseDir: folder, lockfile, shadowDbInitScript: "", migrationDirectories };
}

const scriptOf = (folder: string, name: string) => readFileSync(join(folder, name, "migration.sql"), "utf8");

type Row = { name: string; finished: boolean; checksum: string };

const readRows = (client: pg.Client) =>
  readBookkeeping<Row>(
    client,
    "_prisma_migrations",
    "SELECT migration_name AS name, finished_at IS NOT NULL AS finished, checksum FROM _prisma_migrations WHERE rolled_back_at IS NULL",
  );

type Report = { applied: string[] } | { failure: string };

async function applyMigrations(work: Work & { url: string; folder: string }): Promise<void> {
  const { types: _, ...way } = connection(work.url);
  const migrationsList = readMigrations(work.folder, work.names);
  const input = { migrationsList, filters: { externalTables: [], externalEnums: [] } };
  const scripts = recordedScripts(migrationsList, { name: work.missing.at(-1), scripts: applying(work.scripts) });
  const report = await inChild({ connection: way, failed: work.failed, input, scripts });
  if ("failure" in report) throw notMigrated(report.failure);
}

/** In one transaction; a failure leaves all functions as they were. */
async function applyScripts(client: pg.Client, scripts: readonly RepeatableScript[]): Promise<void> {
  const whole = `SELECT pg_advisory_xact_lock(${SCRIPT_LOCK});\n${applying(scripts)}`;
  await client.query(whole).catch((problem: Error) => {
    throw notMigrated(`${scripts.map(({ name }) => name).join(", ")}: ${problem.message}`);
  });
}

const notMigrated = (reason: string) =>
  new ConfigError(`the database could not be migrated: ${reason.replace(/\s+/g, " ").trim()}`);

/**
 * By each script, the one that is sent: it also says, in its own transaction, that it is done. The engine says so with a
 * statement of its own behind it; a process that ends between the two would leave a migration that can neither be
 * repeated nor is known to be applied. What follows the last one is part of its transaction.
 */
function recordedScripts(
  { migrationDirectories }: ReturnType<typeof readMigrations>,
  last: { name: string | undefined; scripts: string },
): [string, string][] {
  return migrationDirectories.map(({ path, migrationFile }) => {
    const script = migrationFile.content.value;
    const whole = `SELECT pg_advisory_xact_lock(${SCRIPT_LOCK});
${script}
;${path === last.name ? last.scripts : ""}
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
