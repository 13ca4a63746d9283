import { LRUCache } from "lru-cache";
import type { Reads } from "~/connection/db.server";

const DAY_MS = 86_400_000;
const MAX_KEPT = 100;
/** Longer questions, which list hundreds of keys or people, are not cached. */
const MAX_QUESTION_LENGTH = 2_000;

type Span = { from: Date; to: Date };

/** Cached answers by client, because a snapshot's answers are valid for that snapshot only. */
const answers = new WeakMap<Reads, LRUCache<string, { version: number; answer: object }>>();

/**
 * Reads a span in parts: its complete whole UTC days, and the parts before and after them. Returns the answer of `read` for each part.
 * Complete days change only when a call is posted into one of them or one is summed again, so their answer is cached until then.
 * `question` identifies the question in the cache.
 */
export async function readInParts<Answer extends object>(
  db: Reads,
  { from, to, completeBefore, question }: Span & { completeBefore: Date | null; question: string },
  read: (part: Span) => Promise<Answer>,
): Promise<Answer[]> {
  const low = Math.ceil(from.getTime() / DAY_MS) * DAY_MS;
  const high = Math.floor(Math.min(to.getTime(), completeBefore?.getTime() ?? 0) / DAY_MS) * DAY_MS;
  if (high <= low) return [await read({ from, to })];
  const days = { from: new Date(low), to: new Date(high) };
  const rest = [
    { from, to: days.from },
    { from: days.to, to },
  ].filter((part) => part.from < part.to);
  return Promise.all([readCompleteDays(db, days, { question, read }), ...rest.map(read)]);
}

async function readCompleteDays<Answer extends object>(
  db: Reads,
  days: Span,
  { question, read }: { question: string; read: (part: Span) => Promise<Answer> },
): Promise<Answer> {
  const name = `${days.from.getTime()} ${days.to.getTime()} ${question}`;
  const before = await findState(db, days);
  if (before.isLate || name.length > MAX_QUESTION_LENGTH) return read(days);
  const cache = answers.get(db) ?? new LRUCache({ max: MAX_KEPT });
  answers.set(db, cache);
  const known = cache.get(name);
  if (known?.version === before.version) return known.answer as Answer;
  const answer = await read(days);
  // The same version before and after: nothing changed in between.
  const after = await findState(db, days);
  if (!after.isLate && after.version === before.version) cache.set(name, { version: before.version, answer });
  return answer;
}

/** Returns the version of the daily sums, and whether calls were posted into one of these days since. */
async function findState(db: Reads, { from, to }: Span): Promise<{ version: number; isLate: boolean }> {
  const [state] = await db.$queryRaw<{ version: number; isLate: boolean }[]>`
    SELECT version, EXISTS (SELECT FROM usage_late WHERE day >= ${from} AND day < ${to}) AS "isLate" FROM usage_days`;
  return state!;
}
