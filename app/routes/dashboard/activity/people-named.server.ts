import type { Db } from "~/db.server";
import type { AuditEventView } from "~/domain/activity/shared";
import { nameGroups } from "~/domain/metering/index.server";

/** What the people are called now who did these acts or whom they are about, by their numbers; an act has recorded their addresses. */
export async function peopleNamed(db: Db, events: readonly AuditEventView[]): Promise<Record<number, string>> {
  const ids = events.flatMap(({ actorId, targetKind, targetId }) => [
    actorId,
    targetKind === "user" && /^\d{1,9}$/.test(targetId) ? Number(targetId) : null,
  ]);
  const names = await nameGroups(db, "user", [...new Set(ids.filter((id) => id !== null))]);
  return Object.fromEntries(names);
}
