import type { Db } from "~/connection/db.server";
import { recordAuditEvent } from "~/domain/activity/index.server";
import type { NewAuditEvent } from "~/domain/activity/shared";
import { type Actor, authorOf } from "./shared";

type Person = { id: number; email: string; organisationId: number; departmentId: number | null };
type Event = Pick<NewAuditEvent, "action" | "before" | "after">;

/** Records one audit event about a person. */
export function recordAbout(tx: Db, actor: Actor, person: Person, event: Event): Promise<void> {
  const { id, email, organisationId, departmentId } = person;
  const target = { kind: "user", id, label: email };
  const about = { target, organisationId, departmentId, subjectUserId: id };
  return recordAuditEvent(tx, { by: authorOf(actor), ...about, ...event });
}

/** Records one audit event of an actor about themselves. */
export const recordAboutSelf = (tx: Db, actor: Actor, event: Event): Promise<void> =>
  recordAbout(tx, actor, { ...actor, id: actor.userId }, event);
