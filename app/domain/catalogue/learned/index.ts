import type { Db } from "~/db.server";
import { log } from "~/log.server";
import { countLearnedRefusal } from "~/metrics.server";
import { suggestProfile } from "../profiles";
import type { LearnedRefusal } from "../shared";
import { rememberRefusal } from "./memory";
import { deleteExpired, listRefusals, saveRefusal } from "./store";

export { refusedFields } from "./memory";

/** How long a refusal holds: then the field is tried again, because suppliers and what stands behind their names change. */
const HOLDS_MS = 24 * 3_600_000;
const MAX_WORDS = 500;

/** What a supplier has refused for a model. */
type NewRefusal = { supplier: string; model: string; field: string; words: string };

/**
 * Leaves a field out of requests to a supplier's model from now on, for a day. This process knows it at once and others when they read the
 * catalogue again, or when they are refused it as well. Writing it down is not waited for, and nothing depends on it.
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

/** Reads what has been learned by this process before and by others, and deletes what holds no longer. */
export async function loadRefusals(db: Db): Promise<void> {
  await deleteExpired(db);
  for (const { supplier, model, field, expiresAt } of await listRefusals(db))
    rememberRefusal({ supplier, model, field }, expiresAt.getTime());
}

/** What a supplier has refused lately, with the profile that says the same for good. */
export async function readRefusals(db: Db, supplier: string): Promise<LearnedRefusal[]> {
  const rows = await listRefusals(db, supplier);
  return rows.map(({ model, field, words, refused, learnedAt, expiresAt }) => ({
    ...{ model, field, words, refused, learnedAt, expiresAt },
    profile: suggestProfile(
      model,
      rows.filter((row) => row.model === model).map((row) => row.field),
    ),
  }));
}
