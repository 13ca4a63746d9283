import type { Db } from "~/connection/db.server";
import { recordAuditEvent } from "~/domain/activity/index.server";
import type { NewAuditEvent } from "~/domain/activity/shared";

/** The answer of a supplier to a request for its models. `status`: null without an answer; `models`: their number. */
export type SupplierTested = { id: number; name: string; result: string; status: number | null; models: number };

/** Writes an audit event for a test call to a supplier and its result. Each call writes a new event. */
export const recordSupplierTest = (db: Db, by: NewAuditEvent["by"], { id, name, ...after }: SupplierTested) =>
  recordAuditEvent(db, {
    by,
    action: "supplier.test",
    target: { kind: "supplier", id, label: name },
    organisationId: null,
    after,
  });
