// npm run grants             prints the SQL that gives the role of DATABASE_URL exactly the privileges of the server
// npm run grants -- <role>   the same for another role
// With DATABASE_MIGRATION_URL, the server and npm run migrate grant them. Prints nothing if none is missing.
import process from "node:process";
import { withModules } from "./load-module.mjs";

const [role, ...more] = process.argv.slice(2);

try {
  if (more.length > 0) throw new Error("Usage: npm run grants [-- <role>]");
  await withModules(async (load) => {
    const { loadConfig } = await load("app/config.server.ts");
    const { printableRights } = await load("app/database/server-role.ts");
    const { databaseUrl, databaseMigrationUrl } = loadConfig();
    if (databaseUrl === null) throw new Error("The embedded database has one role only: nothing is to be granted.");
    process.stdout.write(await printableRights(databaseMigrationUrl ?? databaseUrl, role));
  });
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
