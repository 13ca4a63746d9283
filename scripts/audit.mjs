// npm run audit: checks the whole ledger and the whole audit log of the configured database, also while the server
// runs, and prints their defects. `-- --expect <hash>`: the audit log must contain this head, noted earlier.
// Exit code 0: no defects; 1: defects; 2: the check could not run.
import process from "node:process";
import { withModules } from "./load-module.mjs";

try {
  await withModules(async (load) => {
    const { loadConfig } = await load("app/config.server.ts");
    const { db } = await load("app/connection/db.server.ts");
    const { attachDatabase, closeDatabase } = await load("app/database/start.server.ts");
    const { auditLedger, describeAudit } = await load("app/domain/accounting/index.server.ts");
    const activity = await load("app/domain/activity/index.server.ts");
    const expected = activity.expectedHead(process.argv.slice(2));
    await attachDatabase(loadConfig());
    try {
      const ledger = await auditLedger();
      process.stdout.write(describeAudit(ledger));
      const auditLog = await activity.verifyAuditLog(db(), { expected });
      process.stdout.write(activity.describeAuditLog(auditLog));
      process.exitCode = ledger.defects.length === 0 && activity.isSound(auditLog) ? 0 : 1;
    } finally {
      await closeDatabase();
    }
  });
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
