import type { Db } from "~/db.server";
import { recordAuditEvent } from "~/domain/activity/index.server";
import type { NewAuditEvent } from "~/domain/activity/shared";

/** How a supplier has answered the question which models it has: `status` of its answer, null without one; `models`: how many. */
export type SupplierTested = { id: number; name: string; result: string; status: number | null; models: number };

/** Writes into the audit log that somebody has had a supplier called, and what came of it. Each call is a record of its own. */
export const recordSupplierTest = (db: Db, by: NewAuditEvent["by"], { id, name, ...after }: SupplierTested) =>
  recordAuditEvent(db, {
    ...{ by, action: "supplier.test", target: { kind: "supplier", id, label: name }, organisationId: null },
    after,
  });
