import { randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Db } from "~/db.server";
import { resealed, seal, unseal } from "~/sealing.server";
import { createDataKey, findDataKey, replaceDataKey } from "./store";

/** An organisation's key for its conversations. */
export type DataKey = { id: number; key: Buffer };

const known = new LRUCache<number, DataKey>({ max: 1_000 });

const placeOf = (organisationId: number) => `conversation_key:${organisationId}:sealed`;

/** The organisation's data key, made on first use. @throws CannotOpen where no GW_SECRET fits. */
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

/** The key as the database has it at this moment; null: there is none, and nothing stored can be read. */
export async function currentDataKey(db: Db, organisationId: number): Promise<DataKey | null> {
  const row = await findDataKey(db, organisationId);
  return row === null ? null : open(db, organisationId, row);
}

/** Forgets what this process knows of an organisation's key: it was deleted with all that it had encrypted. */
export function evictDataKey(organisationId: number): void {
  known.delete(organisationId);
}

async function open(db: Db, organisationId: number, row: { id: number; sealed: string }): Promise<DataKey> {
  const place = placeOf(organisationId);
  const fresh = resealed(row.sealed, place);
  if (fresh !== null) await replaceDataKey(db, row.id, fresh);
  return { id: row.id, key: Buffer.from(unseal(row.sealed, place), "base64") };
}
