// npm run audit: looks at the whole ledger of the configured database, also while the server runs, and says what is wrong
// with it. Exit code 0: sound; 1: defects; 2: it could not look.
import process from "node:process";
import { withModules } from "./load-module.mjs";

try {
  await withModules(async (load) => {
    const { loadConfig } = await load("app/config.server.ts");
    const { attachDatabase, closeDatabase } = await load("app/database/start.server.ts");
    const { auditLedger, describeAudit } = await load("app/domain/accounting/index.server.ts");
    await attachDatabase(loadConfig());
    try {
      const report = await auditLedger();
      process.stdout.write(describeAudit(report));
      process.exitCode = report.defects.length === 0 ? 0 : 1;
    } finally {
      await closeDatabase();
    }
  });
} catch (problem) {
  process.stderr.write(`${problem.message}\n`);
  process.exitCode = 2;
}
