import { fork } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { MigrationDirectory } from "@prisma/schema-engine-wasm";
import pg from "pg";
import { ConfigError } from "~/config/error";
import { connection, newTablesClient, tablesSession } from "~/db.server";
import { TABLES_SCHEMA } from "../session-settings.mjs";
import { readBookkeeping } from "./bookkeeping";
import { dropUnusedFunctions, hasFunctions, makingFunctions, onTables } from "./function-schema";
import {
  LOCK_PATIENCE_MS,
  LOCK_TIMEOUT,
  LockedOut,
  lockedOut,
  SCRIPT_LOCK,
  sentFor,
  takeTurn,
  untilFree,
} from "./migration-locks";
import { requireOldEnough } from "./newer-schema";
import { projectFile } from "./project-files";
import {
  applying,
  checksumsOf,
  dueScripts,
  partsOf,
  type RepeatableScript,
  readScripts,
  type ScriptParts,
} from "./repeatable-scripts";
import { requireSuitable } from "./suitable-server";

/** What a database is brought to: folders with the migrations, and with the rooms whose functions are repeatable scripts. */
export type SchemaFolders = { migrations: string; rooms: string };

const OF_THE_PROJECT = (): SchemaFolders => ({
  migrations: projectFile("prisma/migrations"),
  rooms: projectFile("app/domain"),
});

/**
 * Applies the migrations of prisma/migrations that the database has not seen, then what the repeatable scripts (functions and
 * views beside their rooms) make: what all releases share, where its text is new, and the schema with the functions of this build.
 * Returns the names of all of these. Writes Prisma's ordinary `_prisma_migrations` table. Processes that start together take turns; when
 * nothing is to do it costs four queries.
 * A migration is one transaction together with its row, so one that failed, or was cut off, has done nothing and is tried
 * again; so are the scripts. One that builds an index beside running calls is no transaction, and is repeated. A server that still works at
 * one for a process that is gone is waited for. What waits for the locks of calls in flight gives way to them and tries again, for as long as `patienceMs`.
 * @throws ConfigError when a migration fails, or was edited after it was applied, or when a newer version has migrated the database and
 *   this one cannot work with it.
 */
export async function migrate(
  database: { url: string; embedded: boolean },
  folders: SchemaFolders = OF_THE_PROJECT(),
  patienceMs = LOCK_PATIENCE_MS,
): Promise<readonly string[]> {
  const client = await newTablesClient(database.url);
  try {
    if (!database.embedded) await requireSuitable(client, database.url);
    const [first] = namesOf(await workFor(client, folders));
    if (first === undefined) return [];
    await requireCreate(client, first);
    // The embedded database has one process and one session: nobody to wait for.
    if (!database.embedded) await takeTurn(client);
    const due = await workFor(client, folders);
    await untilFree(patienceMs, async () => {
      const work = await workFor(client, folders);
      if (work.missing.length > 0) await applyMigrations({ url: database.url, folder: folders.migrations, ...work });
      await applyScripts(client, work);
    }).catch((problem) => {
      throw problem instanceof LockedOut ? notMigrated(problem.message) : problem;
    });
    if (due.functions !== null) await dropUnusedFunctions(client, due.functions.schema);
    return namesOf(due);
  } finally {
    await client.end();
  }
}

type Work = {
  names: readonly string[];
  missing: string[];
  failed: string[];
  /** What releases share, where its text is new. */
  scripts: readonly RepeatableScript[];
  /** This build's own functions and views, where they are still to be made. */
  functions: ScriptParts | null;
};

const namesOf = ({ missing, scripts, functions }: Work): string[] => [
  ...missing,
  ...scripts.map(({ name }) => name),
  ...(functions === null ? [] : [functions.schema]),
];

async function workFor(client: pg.Client, { migrations, rooms }: SchemaFolders): Promise<Work> {
  const names = migrationNames(migrations);
  const rows = await readRows(client);
  const applied = new Map(rows.flatMap((row) => (row.finished ? [[row.name, row.checksum]] : [])));
  await requireOldEnough(client, { known: names, applied: [...applied.keys()] });
  for (const name of names) {
    const checksum = applied.get(name);
    if (checksum !== undefined && !checksumsOf(scriptOf(migrations, name)).includes(checksum)) throw edited(name);
  }
  const failed = new Set(rows.flatMap((row) => (row.finished ? [] : [row.name])));
  const parts = partsOf(readScripts(rooms));
  const scripts = await dueScripts(client, parts.shared);
  const functions = parts.schemaSql === "" || (await hasFunctions(client, parts)) ? null : parts;
  return { names, missing: names.filter((name) => !applied.has(name)), failed: [...failed], scripts, functions };
}

const edited = (migration: string) =>
  new ConfigError(
    `the migration ${migration} is not the one that this database has had: take prisma/migrations/${migration} back to what it was, and write what is new as a migration of its own`,
  );

/** A role that owns nothing is told so before anything is tried; what the server would say names no way out. */
async function requireCreate(client: pg.Client, migration: string): Promise<void> {
  const { rows } = await client.query<{ role: string; tables: boolean | null; schemas: boolean; database: string }>(
    `SELECT current_user AS role, current_database() AS database, has_schema_privilege(${TABLES_SCHEMA}, 'CREATE') AS tables,
            has_database_privilege(current_database(), 'CREATE') AS schemas`,
  );
  const { role, tables, schemas, database } = rows[0]!;
  if (!tables) {
    throw new ConfigError(
      `the database could not be migrated: ${migration} is missing, and the role ${role} may not create tables; set DATABASE_MIGRATION_URL for npm run migrate, or for this start`,
    );
  }
  if (schemas) return;
  throw new ConfigError(
    `the database could not be migrated: each version keeps its SQL functions in a schema of its own, and the role ${role} may not create one; GRANT CREATE ON DATABASE ${pg.escapeIdentifier(database)} TO ${pg.escapeIdentifier(role)} lets it`,
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

type Report = { applied: string[] } | { failure: string; code: string | null };

async function applyMigrations(work: Work & { url: string; folder: string }): Promise<void> {
  const { types: _, ...way } = connection(work.url);
  const migrationsList = readMigrations(work.folder, work.names);
  const input = { migrationsList, filters: { externalTables: [], externalEnums: [] } };
  const scripts = migrationsList.migrationDirectories.map(({ path, migrationFile: { content } }) => [
    content.value,
    sentFor(path, content.value),
  ]);
  const report = await inChild({
    connection: way,
    begin: tablesSession(work.url),
    failed: work.failed,
    input,
    scripts,
  });
  if (!("failure" in report)) return;
  throw lockedOut(report.code, report.failure) ?? notMigrated(report.failure);
}

/** What is shared, and the schema of this build's functions, each in one transaction: a failure leaves all functions as they were. */
async function applyScripts(client: pg.Client, { scripts, functions }: Work): Promise<void> {
  const parts = [
    { name: scripts.map(({ name }) => name).join(", "), sql: applying(scripts) },
    { name: functions?.schema ?? "", sql: functions === null ? "" : makingFunctions(functions) },
  ];
  for (const { name, sql } of parts) {
    if (sql === "") continue;
    const whole = `SELECT pg_advisory_xact_lock(${SCRIPT_LOCK});\n${LOCK_TIMEOUT};\n${onTables(sql)}`;
    await client.query(whole).catch((problem: Error & { code?: string }) => {
      throw lockedOut(problem.code, problem.message) ?? notMigrated(`${name}: ${problem.message}`);
    });
  }
}

const notMigrated = (reason: string) =>
  new ConfigError(`the database could not be migrated: ${reason.replace(/\s+/g, " ").trim()}`);

/** The schema engine in a process of its own. If this process dies, that one does, behind the migration that it is at. */
function inChild(work: object): Promise<Report> {
  const child = fork(projectFile("app/database/migrate-child.mjs"), [], { execArgv: [] });
  return new Promise((resolve) => {
    const ended = (failure: string) => resolve({ failure, code: null });
    child.once("error", (problem) => ended(problem.message));
    child.once("exit", (code, signal) => ended(`its process ended with ${signal ?? code}`));
    child.once("message", (report: Report) => {
      child.disconnect();
      resolve(report);
    });
    child.send(work, (problem) => problem && ended(problem.message));
  });
}
