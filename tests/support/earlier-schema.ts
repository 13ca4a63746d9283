import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrationNames, type SchemaFolders } from "~/database/migrate.server";
import { projectFile } from "~/database/project-files";

/** What a version of the program from before `migration` brings a database to: no migration from it on, no scripts. */
export function schemaBefore(migration: string): SchemaFolders & { remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "gw-migrations-"));
  const [migrations, rooms] = [join(folder, "migrations"), join(folder, "rooms")];
  mkdirSync(rooms);
  const all = projectFile("prisma/migrations");
  const earlier = migrationNames(all).filter((name) => name < migration);
  for (const name of [...earlier, "migration_lock.toml"])
    cpSync(join(all, name), join(migrations, name), { recursive: true });
  return { migrations, rooms, remove: () => rmSync(folder, { recursive: true }) };
}
