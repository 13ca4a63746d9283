import { z } from "zod";
import type { Db } from "~/connection/db.server";
import { type Actor, scopeOf } from "~/domain/accounts/shared";
import type { AuditEventFilter, AuditEventView } from "~/domain/activity/shared";
import { issue } from "~/errors/message";
import { orNothing } from "~/http/body/fields";
import { type Meant, meantBy } from "../search/candidates.server";
import { ACTIVITY_FILTERS } from "./filters";

export const PAGE_SIZE = 50;

/** The query of the audit log. */
export const ActivityQuery = z.object({
  ...ACTIVITY_FILTERS.query,
  after: orNothing(
    z
      .string()
      .regex(/^\d{1,18}$/, issue("problems:listPlace"))
      .transform(BigInt),
  ),
});

/** Returns the filter of a query, limited to the reader's scope. */
export function filterOf(actor: Actor, query: z.output<typeof ActivityQuery>): Omit<AuditEventFilter, "limit"> {
  const { action, kind, actor: actorId, since, until, after } = query;
  const scope = scopeOf(actor);
  const filter = { action, targetKind: kind, actorId, since, until, beforeId: after };
  if (scope.kind === "everything") return filter;
  if (scope.kind === "own") return { ...filter, userId: scope.userId };
  if (scope.kind === "organisation") return { ...filter, organisationId: scope.organisationId };
  return { ...filter, organisationId: scope.organisationId, departmentId: scope.departmentId };
}

/** Returns the person that a query names, among those in the reader's scope; null if it names none. */
export const personOf = async (
  db: Db,
  reader: Actor,
  { actor, person }: { actor?: number | undefined; person?: string | undefined },
): Promise<Meant | null> =>
  actor === undefined ? meantBy(db, reader, "person", person) : { id: actor, name: null, choices: [] };

/** An unused id: no events are found until the person is unambiguous. */
const NOBODY = 0;

/** Adds the named person to the filter. */
export const withPerson = <Filter extends object>(filter: Filter, meant: Meant | null) =>
  meant === null ? filter : { ...filter, actorId: meant.id ?? NOBODY };

/** Only administrators see the addresses of other people's requests; people see those of their own actions. */
export function forReader(actor: Actor, events: readonly AuditEventView[]): AuditEventView[] {
  const own = scopeOf(actor).kind === "own";
  return events.map((event) => (own && event.actorId !== actor.userId ? { ...event, address: "" } : event));
}
