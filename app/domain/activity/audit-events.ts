import type { Db } from "~/db.server";
import type { AuditEventFilter, AuditEventView, NewAuditEvent } from "./shared";
import { findAuditEvents, insertAuditEvent } from "./store";

/**
 * Writes down what somebody did. `db` is the transaction of the act itself, so that neither exists without the other.
 * Amounts in `before` and `after` become decimal texts; a repeated call is a second act.
 */
export async function recordAuditEvent(db: Db, event: NewAuditEvent): Promise<void> {
  await insertAuditEvent(db, { ...event, before: plain(event.before), after: plain(event.after) });
}

/** The newest acts first, at most `limit`. The caller has put the reader's scope into the filter. */
export function readAuditEvents(db: Db, filter: AuditEventFilter): Promise<AuditEventView[]> {
  return findAuditEvents(db, filter);
}

function plain(fields: NewAuditEvent["before"]): Record<string, unknown> | null {
  if (fields === null || fields === undefined) return null;
  return JSON.parse(JSON.stringify(fields, (_, value) => (typeof value === "bigint" ? String(value) : value)));
}
