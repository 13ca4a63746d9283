import type { Db } from "~/connection/db.server";
import type { Cursor } from "~/connection/keyset-store";
import type { Actor } from "~/domain/accounts/shared";
import { noSuchKey } from "../read";
import type { KeyStatus } from "../shared";
import { rightsOn } from "./rights";
import type { KeyFilter, KeyRights, KeySort, PortalKey } from "./shared";
import { countVisibleKeys, findVisibleKey, listVisibleKeys, type NamedKeyRow } from "./store";
import { portalViewsOf } from "./view";

/**
 * Returns keys within the actor's scope, in the requested order. `next`: cursor of the next page; null: this is the
 * last page.
 */
export async function listActorKeys(
  db: Db,
  actor: Actor,
  list: { filter: KeyFilter; sort: KeySort; after: Cursor | null; limit: number },
): Promise<{ keys: PortalKey[]; next: Cursor | null }> {
  const { filter, sort, after, limit } = list;
  const matches = await listVisibleKeys(db, actor, filter, { sort, after, limit: limit + 1 }, new Date());
  const rows = matches.slice(0, limit);
  const last = rows.at(-1);
  const next = matches.length > rows.length && last ? { value: last.sortValue, id: last.id } : null;
  return { keys: await portalViewsOf(db, rows), next };
}

/** Yields every key of a list, page by page, for an export. Keys that are created meanwhile may be missing. */
export async function* eachActorKey(
  db: Db,
  actor: Actor,
  list: { filter: KeyFilter; sort: KeySort },
): AsyncGenerator<PortalKey[], void, undefined> {
  let after: Cursor | null = null;
  do {
    const page: { keys: PortalKey[]; next: Cursor | null } = await listActorKeys(db, actor, {
      ...list,
      after,
      limit: PAGE,
    });
    yield page.keys;
    after = page.next;
  } while (after !== null);
}

const PAGE = 500;

/** Returns the number of keys in the actor's scope, by status. */
export const countActorKeys = (db: Db, actor: Actor): Promise<Record<KeyStatus, number>> =>
  countVisibleKeys(db, actor, new Date());

/**
 * Returns one key within the actor's scope, with the actor's rights on it.
 * @throws AppError not_found, the same for a key outside the scope and for an unknown id.
 */
export async function readActorKey(db: Db, actor: Actor, id: number): Promise<PortalKey & { rights: KeyRights }> {
  const row = await visibleKey(db, actor, id);
  const [view] = await portalViewsOf(db, [row]);
  return Object.assign(view!, { rights: rightsOn(actor, row) });
}

/** @throws AppError not_found */
export async function visibleKey(db: Db, actor: Actor, id: number): Promise<NamedKeyRow> {
  const row = Number.isSafeInteger(id) && id > 0 && id <= 2_147_483_647 ? await findVisibleKey(db, actor, id) : null;
  if (row === null) throw noSuchKey();
  return row;
}
