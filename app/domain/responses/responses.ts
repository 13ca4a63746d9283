import type { Db } from "~/db.server";
import type { KeyOwner } from "~/domain/keys/shared";
import { CannotOpen, seal, unseal } from "~/sealing.server";
import { TimeSlice } from "~/time-slice";
import type { StoredResponse } from "./shared";
import { deleteExpired, deleteOldest, deleteRow, findRow, findRowsOfItems, insertRow } from "./store";

/** A response with its input is kept up to this length, in characters: it is opened and parsed in one piece. */
const MAX_CHARACTERS = 4_000_000;
/** What an owner has stored takes at most so many bytes; beyond it the oldest go. */
const MAX_BYTES_OF_OWNER = 128 * 1024 * 1024;
/** About once in so many characters that are stored, it is looked whether the oldest have to go: that reads all that an owner has. */
const CHARACTERS_BETWEEN_LOOKS = 1_000_000;
/** So many bytes are opened for the items that one request refers to, the newest responses first. */
const MAX_BYTES_OPENED = 32 * 1024 * 1024;

/** Where a response is kept: it cannot be opened at another place. */
const placeOf = ({ organisationId }: KeyOwner, id: string) => `stored_response:${organisationId}:${id}:content`;

/**
 * Stores a response for so many days, and now and then lets the oldest of its owner go where there are too many. False: it is too
 * long to be kept. Safe to repeat.
 */
export async function keepResponse(
  db: Db,
  owner: KeyOwner,
  stored: StoredResponse & { at: Date; days: number },
): Promise<boolean> {
  const { input, response, at, days } = stored;
  const text = JSON.stringify({ input, response });
  if (text.length > MAX_CHARACTERS) return false;
  const itemIds = response.output.map(idOf).filter((id) => id !== null);
  await insertRow(db, owner, { id: response.id, itemIds, at, days, content: seal(text, placeOf(owner, response.id)) });
  if (isTimeToLook(text.length, Math.random())) await deleteOldest(db, owner, MAX_BYTES_OF_OWNER);
  return true;
}

/** By lot, weighted by length, so that nobody has to count what all processes store. `draw`: from 0 to 1. */
export const isTimeToLook = (characters: number, draw: number): boolean => draw * CHARACTERS_BETWEEN_LOOKS < characters;

/** A response by its id; null for one that is not there, which another owner's never is. */
export async function findResponse(db: Db, owner: KeyOwner, id: string): Promise<StoredResponse | null> {
  const row = await findRow(db, owner, id);
  return row === null ? null : opened(owner, row);
}

/** Items of responses by their ids, as far as they are there. */
export async function findItems(
  db: Db,
  owner: KeyOwner,
  ids: readonly string[],
): Promise<ReadonlyMap<string, unknown>> {
  const wanted = new Set(ids);
  const found = new Map<string, unknown>();
  const slice = new TimeSlice();
  for (const row of await findRowsOfItems(db, owner, { ids, maxBytes: MAX_BYTES_OPENED })) {
    if (slice.isOver) await slice.next();
    for (const item of opened(owner, row)?.response.output ?? []) {
      const id = idOf(item);
      if (id !== null && wanted.has(id)) found.set(id, item);
    }
  }
  return found;
}

/** Deletes a response for good. False: it was not there. */
export const deleteResponse = async (db: Db, owner: KeyOwner, id: string): Promise<boolean> =>
  (await deleteRow(db, owner, id)) > 0;

/** Deletes responses whose time is over, `maximum` at most. Returns how many. */
export const purgeStoredResponses = (db: Db, maximum: number): Promise<number> => deleteExpired(db, maximum);

function opened(owner: KeyOwner, { id, content }: { id: string; content: string }): StoredResponse | null {
  try {
    return JSON.parse(unseal(content, placeOf(owner, id))) as StoredResponse;
  } catch (problem) {
    if (problem instanceof CannotOpen) return null;
    throw problem;
  }
}

function idOf(item: unknown): string | null {
  const id = (item as { id?: unknown } | null)?.id;
  return typeof id === "string" && id !== "" ? id : null;
}
