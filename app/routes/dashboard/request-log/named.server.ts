import type { Db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { nameKeys } from "~/domain/keys/index.server";
import { listNamed } from "~/domain/organisations/index.server";
import { nameGroups } from "~/domain/usage/index.server";
import { type Meant, meantBy } from "../search/candidates.server";
import { NAMED_FILTERS, type NamedFilter } from "./named";

type Typed = Partial<Record<NamedFilter["text"], string>>;
type Ids = Partial<Record<NamedFilter["id"], number>>;
/** Matches of each typed name, by the field of the id; missing: nothing was typed. */
export type MeantByName = Partial<Record<NamedFilter["id"], Meant>>;

/** An id that does not exist. */
const NONE = 0;

/** Returns the matches of a query's names in the reader's scope. */
export async function meantByNames(db: Db, reader: Actor, query: Typed): Promise<MeantByName> {
  const names = await Promise.all(
    NAMED_FILTERS.map(async ({ kind, id, text }) => [id, await meantBy(db, reader, kind, query[text])] as const),
  );
  return Object.fromEntries(names.filter(([, meant]) => meant !== null));
}

/** Whether a name has no match or several; the query then returns no requests. */
export const isUnclear = (meant: MeantByName): boolean => Object.values(meant).some(({ id }) => id === null);

/** The query with the ids of matched names. An ambiguous name becomes an id without requests. */
export const idsOf = <Query extends Ids>(query: Query, meant: MeantByName): Query => ({
  ...query,
  ...Object.fromEntries(Object.entries(meant).map(([name, { id }]) => [name, id ?? NONE])),
});

/**
 * Returns the names of a query's ids that the reader may see: objects in their scope, and, if requests were found, the
 * objects of those requests.
 */
export async function namesOf(
  db: Db,
  reader: Actor,
  query: Ids,
  isFound: boolean,
): Promise<Partial<Record<NamedFilter["id"], string>>> {
  const names = await Promise.all(
    NAMED_FILTERS.map(async ({ kind, id: name }) => {
      const id = query[name];
      if (id === undefined) return [name, undefined] as const;
      const known = await reachableName(db, reader, kind, id);
      return [name, known ?? (isFound ? (await nameGroups(db, name, [id])).get(id) : undefined)] as const;
    }),
  );
  return Object.fromEntries(names.filter(([, name]) => name !== undefined));
}

async function reachableName(db: Db, reader: Actor, kind: NamedFilter["kind"], id: number) {
  // People are named only if requests were found.
  if (kind === "person") return undefined;
  if (kind === "key") return (await nameKeys(db, reader, [id])).get(id);
  const [match] = await listNamed(db, reader, kind, { ids: [id], limit: 1 });
  return match?.name;
}
