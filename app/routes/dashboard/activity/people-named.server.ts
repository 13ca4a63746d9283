import type { Db } from "~/db.server";
import type { AuditEventView } from "~/domain/activity/shared";
import { namesOfPeople } from "~/domain/identity/index.server";
import { type Actor, scopeOf } from "~/domain/identity/shared";

/**
 * What the people are called now who did these acts or whom they are about, by their numbers; an act has recorded their addresses. Of
 * those who are in another organisation than the reader's by now, that is all that the reader learns.
 */
export async function peopleNamed(
  db: Db,
  reader: Actor,
  events: readonly AuditEventView[],
): Promise<Record<number, string>> {
  const ids = events.flatMap(({ actorId, targetKind, targetId }) => [
    actorId,
    targetKind === "user" && /^\d{1,9}$/.test(targetId) ? Number(targetId) : null,
  ]);
  const scope = scopeOf(reader);
  const people = [...new Set(ids.filter((id) => id !== null))];
  return Object.fromEntries(await namesOfPeople(db, people, scope.kind === "everything" ? null : scope.organisationId));
}
