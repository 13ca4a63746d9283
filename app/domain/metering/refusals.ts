import type { Db } from "~/db.server";
import { deleteRefusals, insertRefusals, listRefusals } from "./refusal-store";
import type { NewRefusal, Refusal } from "./shared";

/** So long a refusal is remembered. */
const KEPT_DAYS = 7;
const LONGEST_TEXT = 400;

/** The last refusals of a key's requests, newest first: those before a supplier was called. Kept for seven days. */
export function lastRefusals(db: Db, keyId: number, limit = 20): Promise<Refusal[]> {
  return listRefusals(db, keyId, limit);
}

/** Remembers refusals, all in one statement. */
export function rememberRefusals(db: Db, refusals: readonly NewRefusal[]): Promise<void> {
  return insertRefusals(db, refusals.map(storable));
}

/** Forgets refusals that are older than they are kept; at most `most` at once. Returns how many it were. */
export function forgetOldRefusals(db: Db, most = 10_000): Promise<number> {
  return deleteRefusals(db, KEPT_DAYS, most);
}

const storable = (refusal: NewRefusal): NewRefusal => ({
  ...refusal,
  model: text(refusal.model),
  param: refusal.param === null ? null : text(refusal.param),
  humanMessage: text(refusal.humanMessage),
});

/** No NUL and no half of a surrogate pair, which the database cannot keep. */
const text = (value: string) =>
  value
    .slice(0, LONGEST_TEXT)
    .replaceAll("\u0000", "")
    .replace(/\p{Surrogate}/gu, "\ufffd");
