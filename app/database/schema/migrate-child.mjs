// Applies migrations in a process of its own, started by migrate.server.ts with fork. What the schema engine needs of memory goes with it.
import process from "node:process";
import { withSchemaEngine } from "./schema-engine.mjs";

// A signal to the whole process group is for the parent. It disconnects when it has the report; if it is gone before that,
// the next migration must not begin.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
process.on("disconnect", () => process.exit());

process.once("message", async ({ connection, begin, schema, failed, input, scripts }) => {
  // A message has no functions: what takes any name in a certificate comes as a mark.
  if (connection.ssl?.anyName) connection.ssl.checkServerIdentity = () => undefined;
  /** @type {string | null} The server's own code for the last thing that went wrong. */
  let code = null;
  const onProblem = (/** @type {string} */ found) => {
    code = found;
  };
  try {
    /** @param {import("@prisma/schema-engine-wasm").SchemaEngine} engine */
    const apply = async (engine) => {
      for (const migrationName of failed) await engine.markMigrationRolledBack({ migrationName });
      return (await engine.applyMigrations(input)).appliedMigrationNames;
    };
    const applied = await withSchemaEngine(connection, apply, { begin, schema, scripts: new Map(scripts), onProblem });
    process.send?.({ applied });
  } catch (error) {
    process.send?.({ failure: error instanceof Error ? error.message : String(error), code });
  }
});
