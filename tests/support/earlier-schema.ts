import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { newTablesClient } from "~/connection/db.server";
import { projectFile } from "~/database/project-files";
import { migrate, migrationNames } from "~/database/schema/migrate.server";
import { readPicture, shownIn } from "~/database/schema/schema-picture";
import type { TestDatabase } from "./database";

type Database = Pick<TestDatabase, "url" | "embedded">;

/** Migrations whose files no longer exist; every installation has them. The script `first` is their result. */
const FIRST = shownIn(readPicture(projectFile("app"))).filter(
  ({ name }) => !migrationNames(projectFile("prisma/migrations")).includes(name),
);

/** Reads an SQL script of tests/support/installations. */
const script = (name: string) =>
  gunzipSync(readFileSync(projectFile(`tests/support/installations/${name}.sql.gz`))).toString("utf8");

/**
 * Gives a database the schema of a release before `migration`: only earlier migrations, and no repeatable scripts.
 * Deletes all data.
 */
export async function bringToBefore(database: Database, migration: string): Promise<void> {
  await restore(database, script("first"));
  const rows = FIRST.map(({ name, checksum }) => `(gen_random_uuid(), '${checksum}', '${name}', now(), 1)`);
  await run(
    database,
    `CREATE TABLE _prisma_migrations (id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz, migration_name varchar(255) NOT NULL,
       logs text, rolled_back_at timestamptz, started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count integer NOT NULL DEFAULT 0);
     INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count) VALUES ${rows.join(", ")}`,
  );
  const folder = mkdtempSync(join(tmpdir(), "gw-migrations-"));
  const [migrations, rooms] = [join(folder, "migrations"), join(folder, "rooms")];
  mkdirSync(rooms);
  const all = projectFile("prisma/migrations");
  const earlier = migrationNames(all).filter((name) => name < migration);
  for (const name of [...earlier, "migration_lock.toml"])
    cpSync(join(all, name), join(migrations, name), { recursive: true });
  try {
    if (earlier.length > 0) await migrate(database, { migrations, rooms, picture: projectFile("app") });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Replaces the content of a database with a dumped installation, including rows. */
export const restoreInstallation = (database: Database, name: string): Promise<void> => restore(database, script(name));

/** Deletes all content of a database, and the rights of roles on it. */
export const emptyDatabase = (database: Database): Promise<void> =>
  run(database, "DROP SCHEMA public CASCADE; CREATE SCHEMA public");

async function restore(database: Database, sql: string): Promise<void> {
  await emptyDatabase(database);
  await run(database, sql);
}

async function run({ url }: Database, sql: string): Promise<void> {
  const client = await newTablesClient(url);
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
