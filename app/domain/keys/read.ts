import type { Db } from "~/connection/db.server";
import { apiError } from "~/errors/app-error";
import type { KeyView } from "./key";
import { viewOf, viewsOf } from "./key-view";
import type { KeyStatus } from "./shared";
import { findKey, findPublicIds, type KeyRef, listKeyRows, type OrgScope } from "./store";

/**
 * Returns one key of an organisation with its budget.
 * @throws AppError not_found, the same for a key of another organisation and for an unknown id.
 */
export async function readKey(db: Db, scope: OrgScope, ref: KeyRef): Promise<KeyView> {
  const row = await findKey(db, scope, ref);
  if (row === null) throw noSuchKey();
  return viewOf(db, row);
}

/**
 * Returns keys of an organisation, newest first. `nextBeforeId`: cursor of the next page; null: this is the last page.
 */
export async function listKeys(
  db: Db,
  scope: OrgScope,
  page: { beforeId: number | null; limit: number; status: KeyStatus | null },
): Promise<{ keys: KeyView[]; nextBeforeId: number | null }> {
  const matches = await listKeyRows(db, scope, { ...page, limit: page.limit + 1, now: new Date() });
  const rows = matches.slice(0, page.limit);
  const nextBeforeId = matches.length > rows.length ? (rows.at(-1)?.id ?? null) : null;
  return { keys: await viewsOf(db, rows), nextBeforeId };
}

/** Returns the management API ids of an organisation's keys, by table id; keys of other organisations are missing. */
export async function publicKeyIds(db: Db, scope: OrgScope, ids: readonly number[]): Promise<Map<number, string>> {
  const keys = await findPublicIds(db, scope, ids);
  return new Map(keys.map(({ id, publicId }) => [id, publicId]));
}

export const noSuchKey = () => apiError("not_found", { key: "rejections:noKey" });
