// npm run reviews: lists calls with an unknown outcome and their holds; can also resolve one by a known outcome. Works
// while the server runs. Exit code 0: done; 1: not done; 2: the check could not run.
import { userInfo } from "node:os";
import process from "node:process";
import { withModules } from "./load-module.mjs";

try {
  await withModules(async (load) => {
    const { loadConfig } = await load("app/config.server.ts");
    const { attachDatabase, closeDatabase } = await load("app/database/start.server.ts");
    const { runReviewCommand } = await load("app/domain/accounting/index.server.ts");
    await attachDatabase(loadConfig());
    try {
      const { text, ok } = await runReviewCommand(process.argv.slice(2), `operator ${userInfo().username}`);
      process.stdout.write(text);
      process.exitCode = ok ? 0 : 1;
    } finally {
      await closeDatabase();
    }
  });
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
