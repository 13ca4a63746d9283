// npm run move-database            moves the embedded database of DATA_DIR to the PostgreSQL of DATABASE_URL
// npm run move-database -- back    moves it in the opposite direction
import process from "node:process";
import { withModules } from "./load-module.mjs";

const direction = { undefined: "to-postgresql", back: "back" }[process.argv[2]];

try {
  if (direction === undefined) throw new Error("Usage: npm run move-database [-- back]");
  await withModules(async (load) => {
    const { moveDatabase } = await load("app/database/move-command.ts");
    await moveDatabase(direction);
  });
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
