import { expect, test } from "vitest";
import { db } from "~/connection/db.server";
import { migrate } from "~/database/schema/migrate.server";
import { openFreshDatabase } from "../../../tests/support/database";
import { bringToBefore } from "../../../tests/support/earlier-schema";
import { verifyAuditLog } from "./index.server";

test("events of an installation from before the chain are chained in the order of their ids", async () => {
  const database = await openFreshDatabase();
  try {
    await bringToBefore(database, "20261122000500_audit_chain");
    await db().$executeRaw`
      INSERT INTO act (id, actor_label, action, target_kind, target_id, before)
      SELECT 400 - n, 'ann', 'thing.change', 'thing', n::text, '{"a": 1}' FROM generate_series(1, 300) n`;
    expect(await migrate(database)).toContain("20261122000500_audit_chain");
    await db()
      .$executeRaw`INSERT INTO act (id, actor_label, action, target_kind, target_id) VALUES (1, 'bea', 'x', 'x', '1')`;
    expect(await verifyAuditLog(db())).toMatchObject({ entries: 301n, redactions: 0n, defects: [] });
    const chained = await db().$queryRaw<{ act_id: bigint }[]>`
      SELECT act_id FROM audit_chain WHERE position IN (1, 2, 300, 301) ORDER BY position`;
    expect(chained.map(({ act_id }) => act_id)).toEqual([100n, 101n, 399n, 1n]);
  } finally {
    await database.close();
  }
});
