// npm run migrate                applies missing migrations to the configured database
// npm run migrate -- new <name>  writes a migration for changes of prisma/schema without one
// npm run migrate -- picture     writes the schema after all migrations to app/**/schema.sql
import process from "node:process";
import { withModules } from "./load-module.mjs";

const [verb = "apply", name] = process.argv.slice(2);

try {
  await withModules(async (load) => {
    const { applyNow, writeNew, writePicture } = await load("app/database/schema/migrate-command.ts");
    if (verb === "apply") return applyNow();
    if (verb === "new" && /^[a-z0-9_]+$/.test(name ?? "")) return writeNew(name);
    if (verb === "picture") return writePicture();
    throw new Error("Usage: npm run migrate [-- new name_in_lower_case | picture]");
  });
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
