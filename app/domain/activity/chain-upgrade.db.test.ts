import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { migrate, migrationNames } from "~/database/migrate.server";
import { projectFile } from "~/database/project-files";
import { db } from "~/db.server";
import { openFreshDatabase } from "../../../tests/support/database";
import { verifyAuditLog } from "./index.server";

test("events of an installation from before the chain are chained in the order of their ids", async () => {
  const database = await openFreshDatabase();
  const before = mkdtempSync(join(tmpdir(), "gw-migrations-"));
  try {
    const all = projectFile("prisma/migrations");
    const names = migrationNames(all);
    for (const name of [...names.filter((name) => !name.endsWith("_audit_chain")), "migration_lock.toml"])
      cpSync(join(all, name), join(before, name), { recursive: true });
    await db().$executeRawUnsafe("DROP SCHEMA public CASCADE");
    await db().$executeRawUnsafe("CREATE SCHEMA public");
    await migrate(database, before);
    await db().$executeRaw`
      INSERT INTO act (id, actor_label, action, target_kind, target_id, before)
      SELECT 400 - n, 'ann', 'thing.change', 'thing', n::text, '{"a": 1}' FROM generate_series(1, 300) n`;
    expect(await migrate(database)).toEqual([expect.stringMatching(/_audit_chain$/)]);
    await db()
      .$executeRaw`INSERT INTO act (id, actor_label, action, target_kind, target_id) VALUES (1, 'bea', 'x', 'x', '1')`;
    expect(await verifyAuditLog(db())).toMatchObject({ entries: 301n, redactions: 0n, defects: [] });
    const chained = await db().$queryRaw<{ act_id: bigint }[]>`
      SELECT act_id FROM audit_chain WHERE position IN (1, 2, 300, 301) ORDER BY position`;
    expect(chained.map(({ act_id }) => act_id)).toEqual([100n, 101n, 399n, 1n]);
  } finally {
    await database.close();
    rmSync(before, { recursive: true });
  }
});
