import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "~/config.server";
import { newTablesClient } from "~/connection/db.server";
import { startEmbeddedDatabase } from "../embedded/embedded.server";
import { projectFile } from "../project-files";
import { migrateAndVerify } from "../start.server";
import { migrate } from "./migrate.server";
import { schemaDifference } from "./schema-difference";
import { pictureOf, readPicture } from "./schema-picture";

/**
 * Applies the missing migrations to the configured database, and prints their names. The server does the same at
 * start-up.
 */
export async function applyNow(): Promise<void> {
  const settings = loadConfig();
  const embedded = settings.databaseUrl === null ? await startEmbeddedDatabase({ dataDir: settings.dataDir }) : null;
  try {
    const url = embedded?.url ?? settings.databaseUrl ?? "";
    const { databaseMigrationUrl: migrationUrl, databaseWaitMs: waitMs } = settings;
    const applied = await migrateAndVerify({ url, embedded: embedded !== null, migrationUrl, waitMs });
    say(applied.length > 0 ? `Applied ${applied.join(", ")}.` : "The database is up to date.");
  } finally {
    await embedded?.stop();
  }
}

/** Writes a migration that changes a database with all present migrations to match prisma/schema. */
export async function writeNew(name: string): Promise<void> {
  const sql = await onMigrated(schemaDifference);
  if (sql === "") return say("The schema and the migrations agree: there is nothing to write.");
  const stamp = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  const folder = projectFile(`prisma/migrations/${stamp}_${name}`);
  mkdirSync(folder);
  writeFileSync(join(folder, "migration.sql"), `${sql}\n`);
  say(
    `Wrote prisma/migrations/${stamp}_${name}/migration.sql. Read it before you commit it; npm run migrate -- picture shows what it makes.`,
  );
}

/** Writes the schema of a database with all present migrations to the `schema.sql` files of its rooms. */
export async function writePicture(): Promise<void> {
  const app = projectFile("app");
  const earlier = readPicture(app);
  const picture = await onMigrated(async (url) => {
    const client = await newTablesClient(url);
    try {
      return await pictureOf(client, earlier);
    } finally {
      await client.end();
    }
  });
  const changed = [...picture].filter(([file, text]) => text !== earlier.get(file));
  for (const [file, text] of changed) writeFileSync(join(app, file), text);
  say(
    changed.length === 0 ? "The picture is up to date." : `Wrote ${changed.map(([file]) => `app/${file}`).join(", ")}.`,
  );
}

/** Calls `work` with a temporary database that has all present migrations. */
async function onMigrated<Result>(work: (url: string) => Promise<Result>): Promise<Result> {
  const dataDir = mkdtempSync(join(tmpdir(), "gw-migrate-"));
  const database = await startEmbeddedDatabase({ dataDir });
  try {
    await migrate({ url: database.url, embedded: true });
    return await work(database.url);
  } finally {
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const say = (line: string) => void process.stdout.write(`${line}\n`);
