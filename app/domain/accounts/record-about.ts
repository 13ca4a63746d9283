import type { Db } from "~/connection/db.server";
import { recordAuditEvent } from "~/domain/activity/index.server";
import type { AuditAction } from "~/domain/activity/shared";
import { type Actor, authorOf } from "./shared";

/** Records one audit event about a person. */
export function recordAbout(
  tx: Db,
  actor: Actor,
  person: { id: number; email: string; organisationId: number; departmentId: number | null },
  event: { action: AuditAction; before: Record<string, unknown>; after: Record<string, unknown> },
): Promise<void> {
  return recordAuditEvent(tx, {
    by: authorOf(actor),
    action: event.action,
    target: { kind: "user", id: person.id, label: person.email },
    organisationId: person.organisationId,
    departmentId: person.departmentId,
    subjectUserId: person.id,
    before: event.before,
    after: event.after,
  });
}
