import type { Db } from "~/db.server";
import type { Actor } from "~/domain/identity/shared";
import { nameKeys } from "~/domain/keys/index.server";
import { nameGroups } from "~/domain/metering/index.server";
import { listNamed } from "~/domain/organisations/index.server";
import { type Meant, meantBy } from "../search/candidates.server";
import { NAMED_FILTERS, type NamedFilter } from "./named";

type Typed = Partial<Record<NamedFilter["text"], string>>;
type Ids = Partial<Record<NamedFilter["id"], number>>;
/** What was typed into each field, by the field of the id; missing: nothing was. */
export type MeantByName = Partial<Record<NamedFilter["id"], Meant>>;

/** There is none of this number. */
const NONE = 0;

/** What the names of a query mean to its reader. */
export async function meantByNames(db: Db, reader: Actor, query: Typed): Promise<MeantByName> {
  const found = await Promise.all(
    NAMED_FILTERS.map(async ({ kind, id, text }) => [id, await meantBy(db, reader, kind, query[text])] as const),
  );
  return Object.fromEntries(found.filter(([, meant]) => meant !== null));
}

/** Whether a name means nothing, or one of several: nothing is looked for then. */
export const isUnclear = (meant: MeantByName): boolean => Object.values(meant).some(({ id }) => id === null);

/** The ids by which a query narrows. Until it is clear what a name means, nothing is found. */
export const idsOf = <Query extends Ids>(query: Query, meant: MeantByName): Query => ({
  ...query,
  ...Object.fromEntries(Object.entries(meant).map(([name, { id }]) => [name, id ?? NONE])),
});

/**
 * What the ids of a query are called, as far as the reader may know: what their scope reaches, and where requests were found, which are
 * within it, whatever these belonged to.
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
  // People are named where they have requests.
  if (kind === "person") return undefined;
  if (kind === "key") return (await nameKeys(db, reader, [id])).get(id);
  const [found] = await listNamed(db, reader, kind, { ids: [id], limit: 1 });
  return found?.name;
}
