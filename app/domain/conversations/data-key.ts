import { randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Db } from "~/connection/db.server";
import { resealed, seal, unseal } from "~/sealing/sealing.server";
import { createDataKey, findDataKey, replaceDataKey } from "./store";

/** An organisation's data key for its conversations. */
export type DataKey = { id: number; key: Buffer };

const known = new LRUCache<number, DataKey>({ max: 1_000 });

const placeOf = (organisationId: number) => `conversation_key:${organisationId}:sealed`;

/** Returns the organisation's data key, created on first use. @throws CannotOpen when no GW_SECRET fits. */
export async function dataKeyOf(db: Db, organisationId: number): Promise<DataKey> {
  const cached = known.get(organisationId);
  if (cached !== undefined) return cached;
  const existing = await findDataKey(db, organisationId);
  const row =
    existing ??
    (await createDataKey(db, organisationId, seal(randomBytes(32).toString("base64"), placeOf(organisationId))));
  const dataKey = await open(db, organisationId, row);
  known.set(organisationId, dataKey);
  return dataKey;
}

/** Returns the data key from the database, uncached; null: there is none, and no stored content can be read. */
export async function currentDataKey(db: Db, organisationId: number): Promise<DataKey | null> {
  const row = await findDataKey(db, organisationId);
  return row === null ? null : open(db, organisationId, row);
}

/**
 * Evicts an organisation's data key from this process's cache, after it was deleted with all content that it encrypted.
 */
export function evictDataKey(organisationId: number): void {
  known.delete(organisationId);
}

async function open(db: Db, organisationId: number, row: { id: number; sealed: string }): Promise<DataKey> {
  const location = placeOf(organisationId);
  const fresh = resealed(row.sealed, location);
  if (fresh !== null) await replaceDataKey(db, row.id, fresh);
  return { id: row.id, key: Buffer.from(unseal(row.sealed, location), "base64") };
}
