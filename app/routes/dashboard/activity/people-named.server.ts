import type { Db } from "~/connection/db.server";
import { namesOfPeople } from "~/domain/accounts/index.server";
import { type Actor, scopeOf } from "~/domain/accounts/shared";
import type { AuditEventView } from "~/domain/activity/shared";

/**
 * Returns the current names of the actors and targets of these events, by id. Events contain only the addresses. People
 * who now belong to another organisation than the reader's are omitted, so that the reader learns no more than the
 * recorded address.
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
