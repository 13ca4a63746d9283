import { fork } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { MigrationDirectory } from "@prisma/schema-engine-wasm";
import pg from "pg";
import { ConfigError } from "~/config/error";
import { connection, newTablesClient, tablesSession } from "~/connection/db.server";
import { TABLES_SCHEMA } from "../../session-settings.mjs";
import { projectFile } from "../project-files";
import { requireSuitable } from "../suitable-server";
import { readBookkeeping } from "./bookkeeping";
import { firstSchema } from "./first-schema";
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
import {
  applying,
  checksumsOf,
  dueScripts,
  partsOf,
  type RepeatableScript,
  readScripts,
  type ScriptParts,
} from "./repeatable-scripts";
import { type Known, readPicture, shownIn } from "./schema-picture";

/**
 * Source folders of a database's schema: the migrations, and the rooms whose functions are repeatable scripts.
 * `picture`: the folder with the picture from which an empty database is created; it may include migrations whose files
 * no longer exist. By default there is none.
 */
export type SchemaFolders = { migrations: string; rooms: string; picture?: string };

const OF_THE_PROJECT = (): SchemaFolders => ({
  migrations: projectFile("prisma/migrations"),
  rooms: projectFile("app/domain"),
  picture: projectFile("app"),
});

/**
 * Brings a database up to date. Creates an empty one from the picture, applies the missing migrations of
 * prisma/migrations, then the repeatable scripts (functions and views in their rooms): changed ones that all releases
 * share, and the schema with the functions of this build. Returns the names of everything applied. Writes Prisma's
 * ordinary `_prisma_migrations` table. Processes that start together take turns. An up-to-date database costs four
 * queries. A migration and its row are one transaction, so a failed or interrupted one has no effect and is applied
 * again; the same is true for the scripts. A migration that builds an index concurrently is no transaction, and is safe
 * to repeat. Waits while the server still runs a migration of a dead process. A migration gives up waiting for locks of
 * calls in flight, so that it does not block calls, and retries for up to `patienceMs`.
 * @throws ConfigError when a migration fails or was edited after it was applied, or when a newer version has migrated
 *   the database and this version cannot work with it.
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
    // The embedded database has one process and one session, so there is no other process to wait for.
    if (!database.embedded) await takeTurn(client);
    const due = await workFor(client, folders);
    await untilFree(patienceMs, async () => {
      await beginWithPicture(client, folders);
      const work = await workFor(client, folders);
      if (work.missing.length > 0) {
        const schema = await schemaOfTables(client);
        await applyMigrations({ url: database.url, folder: folders.migrations, schema, ...work });
      }
      await applyScripts(client, work);
    }).catch((error) => {
      throw error instanceof LockedOut ? notMigrated(error.message) : error;
    });
    if (due.functions !== null) await dropUnusedFunctions(client, due.functions.schema);
    return namesOf(due);
  } finally {
    await client.end();
  }
}

type Work = {
  /** Names of the migrations that have a file. */
  names: readonly string[];
  missing: string[];
  failed: string[];
  /** New or changed functions that releases share. */
  scripts: readonly RepeatableScript[];
  /** This build's own functions and views; null when they exist. */
  functions: ScriptParts | null;
};

const namesOf = ({ missing, scripts, functions }: Work): string[] => [
  ...missing,
  ...scripts.map(({ name }) => name),
  ...(functions === null ? [] : [functions.schema]),
];

async function workFor(client: pg.Client, { migrations, rooms, picture }: SchemaFolders): Promise<Work> {
  const names = migrationNames(migrations);
  const shown = picture === undefined ? [] : shownIn(readPicture(picture)).map(({ name }) => name);
  const known = [...new Set([...shown, ...names])].toSorted();
  const rows = await readRows(client);
  const applied = new Map(rows.flatMap((row) => (row.finished ? [[row.name, row.checksum]] : [])));
  await requireOldEnough(client, { known, applied: [...applied.keys()] });
  for (const name of names) {
    const checksum = applied.get(name);
    if (checksum !== undefined && !checksumsOf(scriptOf(migrations, name)).includes(checksum)) throw edited(name);
  }
  const failed = new Set(rows.flatMap((row) => (row.finished ? [] : [row.name])));
  const parts = partsOf(readScripts(rooms));
  const scripts = await dueScripts(client, parts.shared);
  const functions = parts.schemaSql === "" || (await hasFunctions(client, parts)) ? null : parts;
  return { names, missing: known.filter((name) => !applied.has(name)), failed: [...failed], scripts, functions };
}

/** Whether the schema of the tables is empty; relations of extensions do not count. */
const IS_EMPTY = `SELECT n.oid IS NOT NULL AND NOT EXISTS (SELECT FROM pg_class c WHERE c.relnamespace = n.oid AND NOT EXISTS (
    SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')) AS empty
  FROM to_regnamespace(quote_ident(${TABLES_SCHEMA})) n (oid)`;

/** Creates the schema of an empty database from the picture, instead of applying its migrations one after the other. */
async function beginWithPicture(client: pg.Client, { migrations, rooms, picture }: SchemaFolders): Promise<void> {
  if (picture === undefined) return;
  const shown = readPicture(picture);
  const files = migrationNames(migrations);
  const { rows } = await client.query<{ empty: boolean }>(IS_EMPTY);
  if (!rows[0]?.empty) return requireBeginning(client, { shown: shownIn(shown), oldest: files[0] ?? "" });
  const other = shownIn(shown).find(
    ({ name, checksum }) => files.includes(name) && !checksumsOf(scriptOf(migrations, name)).includes(checksum),
  );
  if (other !== undefined)
    throw new ConfigError(
      `app/database/schema.sql shows another text of the migration ${other.name}: restore the files app/**/schema.sql as they were without it, then npm run migrate -- picture`,
    );
  await inOneTurn(client, { name: "the first schema", sql: firstSchema(shown, partsOf(readScripts(rooms)).shared) });
}

/** @throws ConfigError when a database with tables lacks migrations that are older than the oldest one with a file. */
async function requireBeginning(
  client: pg.Client,
  { shown, oldest }: { shown: readonly Known[]; oldest: string },
): Promise<void> {
  const rows = await readRows(client);
  const applied = new Set(rows.flatMap(({ name, finished }) => (finished ? [name] : [])));
  const lacking = shown.find(({ name }) => name < oldest && !applied.has(name));
  if (lacking === undefined) return;
  throw notMigrated(
    rows.length === 0
      ? "it is not empty, and what it holds is not of this program; name an empty one"
      : `its first start was cut off, or it is older than the first release (${lacking.name} is missing); start with an empty one`,
  );
}

const edited = (migration: string) =>
  new ConfigError(
    `the migration ${migration} is not the one that this database has had: take prisma/migrations/${migration} back to what it was, and write what is new as a migration of its own`,
  );

/** Rejects a role without the right to create tables, because the server's own error does not name a remedy. */
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

/** Returns the names of the project's migrations and repeatable scripts that are not applied to the database. */
export const missingMigrations = async (client: pg.Client): Promise<readonly string[]> =>
  namesOf(await workFor(client, OF_THE_PROJECT()));

/** Returns the names of the migration folders, oldest first. */
export function migrationNames(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).toSorted();
}

/** Reads the migrations in the input format of the schema engine. */
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

async function schemaOfTables(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ schema: string }>(`SELECT ${TABLES_SCHEMA} AS schema`);
  return rows[0]!.schema;
}

async function applyMigrations(work: Work & { url: string; folder: string; schema: string }): Promise<void> {
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
    schema: work.schema,
    failed: work.failed,
    input,
    scripts,
  });
  if (!("failure" in report)) return;
  throw lockedOut(report.code, report.failure) ?? notMigrated(report.failure);
}

/**
 * Applies the shared functions and the schema of this build's functions, each in one transaction: a failure changes no
 * functions.
 */
async function applyScripts(client: pg.Client, { scripts, functions }: Work): Promise<void> {
  const parts = [
    { name: scripts.map(({ name }) => name).join(", "), sql: applying(scripts) },
    { name: functions?.schema ?? "", sql: functions === null ? "" : makingFunctions(functions) },
  ];
  for (const { name, sql } of parts) {
    if (sql !== "") await inOneTurn(client, { name, sql: onTables(sql) });
  }
}

/** Runs SQL in one transaction, which gives up when other transactions hold the locks it needs. */
async function inOneTurn(client: pg.Client, { name, sql }: { name: string; sql: string }): Promise<void> {
  const script = `SELECT pg_advisory_xact_lock(${SCRIPT_LOCK});\n${LOCK_TIMEOUT};\n${sql}`;
  await client.query(script).catch((error: Error & { code?: string }) => {
    throw lockedOut(error.code, error.message) ?? notMigrated(`${name}: ${error.message}`);
  });
}

const notMigrated = (reason: string) =>
  new ConfigError(`the database could not be migrated: ${reason.replace(/\s+/g, " ").trim()}`);

/** Runs the schema engine in a child process. If this process dies, the child ends after its current migration. */
function inChild(work: object): Promise<Report> {
  const child = fork(projectFile("app/database/schema/migrate-child.mjs"), [], { execArgv: [] });
  return new Promise((resolve) => {
    const finish = (failure: string) => resolve({ failure, code: null });
    child.once("error", (error) => finish(error.message));
    child.once("exit", (code, signal) => finish(`its process ended with ${signal ?? code}`));
    child.once("message", (report: Report) => {
      child.disconnect();
      resolve(report);
    });
    child.send(work, (error) => error && finish(error.message));
  });
}
