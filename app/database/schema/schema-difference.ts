import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { connection } from "~/connection/db.server";
import { sessionSql } from "../../session-settings.mjs";
import { projectFile } from "../project-files";
import { withSchemaEngine } from "./schema-engine.mjs";

/**
 * Returns the SQL that would change the database at `url` to match prisma/schema; empty when it does. Ignores tables
 * that are not in prisma/schema: only SQL uses them.
 */
export async function schemaDifference(url: string): Promise<string> {
  const files = schemaFiles();
  const externalTables = await tablesOutside(url, files.map(({ content }) => content).join("\n"));
  const difference = await withSchemaEngine(
    connection(url),
    (engine) =>
      engine.diff({
        from: { tag: "schemaDatasource", files, configDir: projectFile("prisma/schema") },
        to: { tag: "schemaDatamodel", files },
        script: true,
        exitCode: null,
        filters: { externalTables, externalEnums: [] },
      }),
    { datamodels: files.map(({ path, content }) => [path, content]), begin: sessionSql({ schema: "public" }) },
  );
  const sql = (difference.stdout ?? "").trim();
  return /^--[^\n]*empty/i.test(sql) ? "" : sql;
}

function schemaFiles() {
  const folder = projectFile("prisma/schema");
  const names = readdirSync(folder).filter((name) => name.endsWith(".prisma"));
  return names
    .toSorted()
    .map((name) => ({ path: join(folder, name), content: readFileSync(join(folder, name), "utf8") }));
}

async function tablesOutside(url: string, schema: string): Promise<string[]> {
  const mapped = new Set([...schema.matchAll(/@@map\("([^"]+)"\)/g)].map(([, table]) => table));
  const client = new pg.Client(connection(url));
  await client.connect();
  try {
    const tables = await client.query<{ tablename: string }>(
      "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'",
    );
    return tables.rows.flatMap(({ tablename }) => (mapped.has(tablename) ? [] : [`public.${tablename}`]));
  } finally {
    await client.end();
  }
}
