import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "~/config.server";
import { startEmbeddedDatabase } from "./embedded.server";
import { migrate } from "./migrate.server";
import { projectFile } from "./project-files";
import { schemaDifference } from "./schema-difference";
import { bringUpToDate } from "./start.server";

/** Applies the missing migrations to the database of the configuration, and says which. The server does so at its start too. */
export async function applyNow(): Promise<void> {
  const settings = loadConfig();
  const embedded = settings.databaseUrl === null ? await startEmbeddedDatabase({ dataDir: settings.dataDir }) : null;
  try {
    const url = embedded?.url ?? settings.databaseUrl ?? "";
    const { databaseMigrationUrl: migrationUrl, databaseWaitMs: waitMs } = settings;
    const applied = await bringUpToDate({ url, embedded: embedded !== null, migrationUrl, waitMs });
    say(applied.length > 0 ? `Applied ${applied.join(", ")}.` : "The database is up to date.");
  } finally {
    await embedded?.stop();
  }
}

/** Writes a migration that takes a database with all present migrations to what prisma/schema says. */
export async function writeNew(name: string): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "gw-migrate-"));
  const database = await startEmbeddedDatabase({ dataDir });
  try {
    await migrate({ url: database.url, embedded: true });
    const sql = await schemaDifference(database.url);
    if (sql === "") return say("The schema and the migrations agree: there is nothing to write.");
    const stamp = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
    const folder = projectFile(`prisma/migrations/${stamp}_${name}`);
    mkdirSync(folder);
    writeFileSync(join(folder, "migration.sql"), `${sql}\n`);
    say(`Wrote prisma/migrations/${stamp}_${name}/migration.sql. Read it before you commit it.`);
  } finally {
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const say = (line: string) => void process.stdout.write(`${line}\n`);
