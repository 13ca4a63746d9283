// npm run migrate                applies what is missing to the database of the configuration
// npm run migrate -- new <name>  writes a migration for what prisma/schema has and prisma/migrations has not
import process from "node:process";
import { withModules } from "./load-module.mjs";

const [verb = "apply", name] = process.argv.slice(2);

try {
  await withModules(async (load) => {
    const { applyNow, writeNew } = await load("app/database/migrate-command.ts");
    if (verb === "apply") return applyNow();
    if (verb === "new" && /^[a-z0-9_]+$/.test(name ?? "")) return writeNew(name);
    throw new Error("Usage: npm run migrate [-- new name_in_lower_case]");
  });
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
