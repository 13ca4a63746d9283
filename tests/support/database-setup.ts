import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { startEmbeddedDatabase } from "~/database/embedded.server";
import { migrate, migrationNames } from "~/database/migrate.server";
import { projectFile } from "~/database/project-files";
import { readScripts } from "~/database/repeatable-scripts";
import { giveRights } from "~/database/server-role";
import { setLogLevel } from "~/log.server";

/** Where test files get their databases from: a migrated template, on a PostgreSQL server or as a folder to copy. */
export type TestDatabases =
  | { kind: "postgres"; serverUrl: string; template: string; role: string | null }
  | { kind: "embedded"; templateFolder: string };

declare module "vitest" {
  interface ProvidedContext {
    testDatabases: TestDatabases;
  }
}

const TEMPLATE_LOCK = 7_203_114_418n;
/** The role that servers under test sign in as, as operators are advised to: it owns nothing. Its password is its name. */
const SERVER_ROLE = "gw_test_server";

/** Migrates a template once for every state of the migrations; later runs find it. */
export default async function setup(project: TestProject): Promise<void> {
  setLogLevel("warn");
  const serverUrl = process.env.TEST_DATABASE_URL;
  const name = `gw_test_${stateOfMigrations()}`;
  project.provide("testDatabases", serverUrl ? await onServer(serverUrl, name) : await onFolder(name));
}

async function onServer(serverUrl: string, template: string): Promise<TestDatabases> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [TEMPLATE_LOCK]);
    const role = await serverRole(client);
    const found = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [template]);
    if (found.rowCount === 0) {
      // It gets its name when it is whole: a run that was stopped in between leaves no half template.
      const draft = `${template}_draft`;
      await client.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`);
      await client.query(`CREATE DATABASE ${draft}`);
      await migrate({ url: onDatabase(serverUrl, draft), embedded: false });
      if (role !== null) await giveRights(onDatabase(serverUrl, draft), role);
      await client.query(`ALTER DATABASE ${draft} RENAME TO ${template}`);
    }
    return { kind: "postgres", serverUrl, template, role };
  } finally {
    await client.end();
  }
}

/** Null where the tests may make databases, but no roles: then servers sign in as the tests do. */
async function serverRole(client: pg.Client): Promise<string | null> {
  const found = await client.query("SELECT 1 FROM pg_roles WHERE rolname = $1", [SERVER_ROLE]);
  if (found.rowCount === 1) return SERVER_ROLE;
  const made = client.query(`CREATE ROLE ${SERVER_ROLE} LOGIN PASSWORD '${SERVER_ROLE}'`);
  return made.then(
    () => SERVER_ROLE,
    () => null,
  );
}

async function onFolder(name: string): Promise<TestDatabases> {
  const templateFolder = join(tmpdir(), name);
  if (existsSync(join(templateFolder, "database", "PG_VERSION"))) return { kind: "embedded", templateFolder };
  const draft = mkdtempSync(join(tmpdir(), `${name}-`));
  const database = await startEmbeddedDatabase({ dataDir: draft });
  await migrate({ url: database.url, embedded: true });
  await database.stop();
  mkdirSync(tmpdir(), { recursive: true });
  try {
    renameSync(draft, templateFolder);
  } catch {
    // Another project of the same run was faster.
    rmSync(draft, { recursive: true, force: true });
  }
  return { kind: "embedded", templateFolder };
}

/** The same server, another database, and another role where one is named. */
export function onDatabase(serverUrl: string, name: string, role: string | null = null): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  if (role !== null) [url.username, url.password] = [role, role];
  return url.href;
}

function stateOfMigrations(): string {
  const folder = projectFile("prisma/migrations");
  const hash = createHash("sha256");
  for (const name of migrationNames(folder))
    hash.update(name).update(readFileSync(join(folder, name, "migration.sql")));
  for (const { name, sql } of readScripts(projectFile("app/domain"))) hash.update(name).update(sql);
  const made = ["rights.ts", "server-role.ts", "function-schema.ts", "repeatable-scripts.ts", "script-statements.ts"];
  for (const file of made) hash.update(readFileSync(projectFile(`app/database/${file}`)));
  return hash.digest("hex").slice(0, 16);
}
