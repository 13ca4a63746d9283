import type { Db } from "~/connection/db.server";
import { log } from "~/observe/log.server";
import { countLearnedRefusal } from "~/observe/metrics.server";
import { suggestProfile } from "../profiles";
import type { LearnedRefusal } from "../shared";
import { rememberRefusal } from "./memory";
import { deleteExpired, listRefusals, saveRefusal } from "./store";

export { refusedFields } from "./memory";

/**
 * Lifetime of a refusal in milliseconds. Then the field is tried again, because suppliers and the models behind their
 * names change.
 */
const HOLDS_MS = 24 * 3_600_000;
const MAX_WORDS = 500;

/** A field that a supplier has rejected for a model. */
type NewRefusal = { supplier: string; model: string; field: string; words: string };

/**
 * Omits a field from requests to a supplier's model for one day. Takes effect in this process immediately; other
 * processes learn it when they read the catalogue, or from a rejection of their own. The database write is not awaited,
 * and its failure is only logged.
 */
export function learnRefusal(db: Db, { words, ...refusal }: NewRefusal, nowMs = Date.now()): void {
  const { supplier, model, field } = refusal;
  rememberRefusal({ supplier, model, field }, nowMs + HOLDS_MS);
  countLearnedRefusal(supplier, field);
  log.info(refusal, "a supplier refuses a field for a model: it is left out for a day");
  const row = {
    ...refusal,
    words: words.replaceAll("\0", "").slice(0, MAX_WORDS),
    expiresAt: new Date(nowMs + HOLDS_MS),
  };
  void saveRefusal(db, row).catch((error) => log.warn({ err: error }, "a learned refusal could not be written down"));
}

/** Loads the refusals that any process has learned, and deletes expired ones. */
export async function loadRefusals(db: Db): Promise<void> {
  await deleteExpired(db);
  for (const { supplier, model, field, expiresAt } of await listRefusals(db))
    rememberRefusal({ supplier, model, field }, expiresAt.getTime());
}

/** Lists the current refusals of a supplier, each with a profile that omits the same fields permanently. */
export async function readRefusals(db: Db, supplier: string): Promise<LearnedRefusal[]> {
  const rows = await listRefusals(db, supplier);
  return rows.map(({ model, field, words, refused, learnedAt, expiresAt }) => ({
    model,
    field,
    words,
    refused,
    learnedAt,
    expiresAt,
    profile: suggestProfile(
      model,
      rows.filter((row) => row.model === model).map((row) => row.field),
    ),
  }));
}
