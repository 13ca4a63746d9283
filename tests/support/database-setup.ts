import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { startEmbeddedDatabase } from "~/database/embedded/embedded.server";
import { projectFile } from "~/database/project-files";
import { migrate, migrationNames } from "~/database/schema/migrate.server";
import { readScripts } from "~/database/schema/repeatable-scripts";
import { readPicture } from "~/database/schema/schema-picture";
import { grantPrivileges } from "~/database/server-role";
import { setLogLevel } from "~/observe/log.server";

/** The source of the test files' databases: a migrated template on a PostgreSQL server, or a folder to copy. */
export type TestDatabases =
  | { kind: "postgres"; serverUrl: string; template: string; role: string | null }
  | { kind: "embedded"; templateFolder: string };

declare module "vitest" {
  interface ProvidedContext {
    testDatabases: TestDatabases;
  }
}

const TEMPLATE_LOCK = 7_203_114_418n;
/** The role of servers under test. As operators are advised, it owns nothing. Its password is its name. */
const SERVER_ROLE = "gw_test_server";

/** Turkish, because its lower case differs most from English: I is the capital of ı. */
const TURKISH = process.env.TEST_DATABASE_HOSTILE ? "TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR'" : "";

/** Migrates a template once for each state of the migrations; later runs reuse it. */
export default async function setup(project: TestProject): Promise<void> {
  setLogLevel("warn");
  const serverUrl = process.env.TEST_DATABASE_URL;
  project.provide(
    "testDatabases",
    serverUrl
      ? await onServer(serverUrl, templateName())
      : { kind: "embedded", templateFolder: await migratedFolder() },
  );
}

const templateName = () => `gw_test_${TURKISH === "" ? "" : "tr_"}${stateOfMigrations()}`;

async function onServer(serverUrl: string, template: string): Promise<TestDatabases> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [TEMPLATE_LOCK]);
    const role = await serverRole(client);
    const found = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [template]);
    if (found.rowCount === 0) {
      // The template gets its final name when it is complete, so that an interrupted run leaves no partial template.
      const draft = `${template}_draft`;
      await client.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`);
      await client.query(`CREATE DATABASE ${draft} ${TURKISH}`);
      await migrate({ url: onDatabase(serverUrl, draft), embedded: false });
      if (role !== null) await grantPrivileges(onDatabase(serverUrl, draft), role);
      await client.query(`ALTER DATABASE ${draft} RENAME TO ${template}`);
    }
    return { kind: "postgres", serverUrl, template, role };
  } finally {
    await client.end();
  }
}

/** Creates the servers' role. Returns null if the tests may not create roles; servers then use the tests' role. */
async function serverRole(client: pg.Client): Promise<string | null> {
  const found = await client.query("SELECT 1 FROM pg_roles WHERE rolname = $1", [SERVER_ROLE]);
  if (found.rowCount === 1) return SERVER_ROLE;
  const made = client.query(`CREATE ROLE ${SERVER_ROLE} LOGIN PASSWORD '${SERVER_ROLE}'`);
  return made.then(
    () => SERVER_ROLE,
    () => null,
  );
}

/** Returns a folder with a migrated, empty embedded database to copy; made once for each state of the migrations. */
export async function migratedFolder(): Promise<string> {
  const name = templateName();
  const templateFolder = join(tmpdir(), name);
  if (existsSync(join(templateFolder, "database", "PG_VERSION"))) return templateFolder;
  const draft = mkdtempSync(join(tmpdir(), `${name}-`));
  const database = await startEmbeddedDatabase({ dataDir: draft });
  await migrate({ url: database.url, embedded: true });
  await database.stop();
  mkdirSync(tmpdir(), { recursive: true });
  try {
    renameSync(draft, templateFolder);
  } catch {
    // Another project of the same run has made the folder meanwhile.
    rmSync(draft, { recursive: true, force: true });
  }
  return templateFolder;
}

/** Returns the URL of another database on the same server, optionally under another role. */
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
  for (const [file, sql] of readPicture(projectFile("app"))) hash.update(file).update(sql);
  for (const { name, sql } of readScripts(projectFile("app/domain"))) hash.update(name).update(sql);
  const made = [
    "schema/first-schema.ts",
    "rights.ts",
    "server-role.ts",
    "schema/function-schema.ts",
    "schema/repeatable-scripts.ts",
    "schema/script-statements.ts",
  ];
  for (const file of made) hash.update(readFileSync(projectFile(`app/database/${file}`)));
  return hash.digest("hex").slice(0, 16);
}
