import type { Db } from "~/connection/db.server";
import type { KeyOwner } from "~/domain/keys/shared";
import { CannotOpen, seal, unseal } from "~/sealing/sealing.server";
import { TimeSlice } from "~/values/time-slice";
import type { StoredResponse } from "./shared";
import { deleteExpired, deleteOldest, deleteRow, findRow, findRowsOfItems, insertRow } from "./store";

/** Maximum length of a stored response with its input, in characters: it is decrypted and parsed in one piece. */
const MAX_CHARACTERS = 4_000_000;
/** Maximum total size of an owner's stored responses in bytes; beyond it the oldest are deleted. */
const MAX_BYTES_OF_OWNER = 128 * 1024 * 1024;
/**
 * Average number of stored characters between two checks of the owner's total, because a check reads all that the owner
 * has stored.
 */
const CHARACTERS_BETWEEN_LOOKS = 1_000_000;
/** Maximum bytes that are decrypted for the items of one request, newest responses first. */
const MAX_BYTES_OPENED = 32 * 1024 * 1024;

/** The associated data of a response, which ties the ciphertext to its row. */
const placeOf = ({ organisationId }: KeyOwner, id: string) => `stored_response:${organisationId}:${id}:content`;

/**
 * Stores a response for a number of days, and occasionally deletes the oldest responses of an owner who exceeds the
 * maximum. Returns false when it is too long to be stored. Safe to repeat.
 */
export async function saveResponse(
  db: Db,
  owner: KeyOwner,
  stored: StoredResponse & { at: Date; days: number },
): Promise<boolean> {
  const { input, response, at, days } = stored;
  const text = JSON.stringify({ input, response });
  if (text.length > MAX_CHARACTERS) return false;
  const itemIds = response.output.map(idOf).filter((id) => id !== null);
  await insertRow(db, owner, { id: response.id, itemIds, at, days, content: seal(text, placeOf(owner, response.id)) });
  if (isCleanupDue(text.length, Math.random())) await deleteOldest(db, owner, MAX_BYTES_OF_OWNER);
  return true;
}

/** Decides at random, weighted by length, so that the processes need no shared count. `draw`: from 0 to 1. */
export const isCleanupDue = (characters: number, draw: number): boolean => draw * CHARACTERS_BETWEEN_LOOKS < characters;

/** Returns a response by its id; null when the owner has no such response. */
export async function findResponse(db: Db, owner: KeyOwner, id: string): Promise<StoredResponse | null> {
  const row = await findRow(db, owner, id);
  return row === null ? null : opened(owner, row);
}

/** Returns items of responses by their ids; items that do not exist are missing. */
export async function findItems(
  db: Db,
  owner: KeyOwner,
  ids: readonly string[],
): Promise<ReadonlyMap<string, unknown>> {
  const requestedIds = new Set(ids);
  const items = new Map<string, unknown>();
  const slice = new TimeSlice();
  for (const row of await findRowsOfItems(db, owner, { ids, maxBytes: MAX_BYTES_OPENED })) {
    if (slice.isOver) await slice.next();
    for (const item of opened(owner, row)?.response.output ?? []) {
      const id = idOf(item);
      if (id !== null && requestedIds.has(id)) items.set(id, item);
    }
  }
  return items;
}

/** Permanently deletes a response. Returns false when it does not exist. */
export const deleteResponse = async (db: Db, owner: KeyOwner, id: string): Promise<boolean> =>
  (await deleteRow(db, owner, id)) > 0;

/** Deletes expired responses, at most `maximum`. Returns their number. */
export const purgeStoredResponses = (db: Db, maximum: number): Promise<number> => deleteExpired(db, maximum);

function opened(owner: KeyOwner, { id, content }: { id: string; content: string }): StoredResponse | null {
  try {
    return JSON.parse(unseal(content, placeOf(owner, id))) as StoredResponse;
  } catch (error) {
    if (error instanceof CannotOpen) return null;
    throw error;
  }
}

function idOf(item: unknown): string | null {
  const id = (item as { id?: unknown } | null)?.id;
  return typeof id === "string" && id !== "" ? id : null;
}
