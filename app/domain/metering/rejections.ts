import type { Db } from "~/db.server";
import { deleteRejections, insertRejections, listRejections } from "./rejection-store";
import type { NewRejection, Rejection } from "./shared";

/** So long a refusal is remembered. */
const KEPT_DAYS = 7;
const MAX_TEXT_LENGTH = 400;

/** The last refusals of a key's requests, newest first: those before a supplier was called. Kept for seven days. */
export function recentRejections(db: Db, keyId: number, limit = 20): Promise<Rejection[]> {
  return listRejections(db, keyId, limit);
}

/** Remembers refusals, all in one statement. */
export function recordRejections(db: Db, rejections: readonly NewRejection[]): Promise<void> {
  return insertRejections(db, rejections.map(storable));
}

/** Forgets refusals that are older than they are kept; at most `most` at once. Returns how many it were. */
export function purgeOldRejections(db: Db, maximum = 10_000): Promise<number> {
  return deleteRejections(db, KEPT_DAYS, maximum);
}

const storable = (rejection: NewRejection): NewRejection => ({
  ...rejection,
  model: text(rejection.model),
  param: rejection.param === null ? null : text(rejection.param),
  humanMessage: text(rejection.humanMessage),
});

/** No NUL and no half of a surrogate pair, which the database cannot keep. */
const text = (value: string) =>
  value
    .slice(0, MAX_TEXT_LENGTH)
    .replaceAll("\u0000", "")
    .replace(/\p{Surrogate}/gu, "\ufffd");
