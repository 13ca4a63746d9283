import type { Db } from "~/connection/db.server";
import type { AuditEventFilter, AuditEventView, NewAuditEvent } from "./shared";
import { findAuditEvents, insertAuditEvent } from "./store";

/**
 * Records an audit event. `db` is the transaction of the change itself, so that both or neither are committed. Amounts
 * in `before` and `after` become decimal text; a repeated call records a second event.
 */
export async function recordAuditEvent(db: Db, event: NewAuditEvent): Promise<void> {
  await insertAuditEvent(db, { ...event, before: plain(event.before), after: plain(event.after) });
}

/** Returns the newest events first, at most `limit`. The caller has put the reader's scope into the filter. */
export function readAuditEvents(db: Db, filter: AuditEventFilter): Promise<AuditEventView[]> {
  return findAuditEvents(db, filter);
}

function plain(fields: NewAuditEvent["before"]): Record<string, unknown> | null {
  if (fields === null || fields === undefined) return null;
  return JSON.parse(JSON.stringify(fields, (_, value) => (typeof value === "bigint" ? String(value) : value)));
}
