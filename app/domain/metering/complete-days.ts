import { LRUCache } from "lru-cache";
import type { Reads } from "~/db.server";

const DAY_MS = 86_400_000;
const MAX_KEPT = 100;
/** One that lists hundreds of keys or people is not remembered. */
const MAX_QUESTION_LENGTH = 2_000;

type Span = { from: Date; to: Date };

/** By client: what a snapshot is told holds for that snapshot. */
const answers = new WeakMap<Reads, LRUCache<string, { version: number; answer: object }>>();

/**
 * What `read` says of a span, in parts: one of its whole days of UTC that are complete, and one each of what is before and after them. All
 * parts together are the span. Complete days do not change until somebody posts into one of them or one is added up anew; so what `read` says of
 * them is remembered, for as long as neither has happened. `question`: tells it from what others ask.
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
  const kept = answers.get(db) ?? new LRUCache({ max: MAX_KEPT });
  answers.set(db, kept);
  const known = kept.get(name);
  if (known?.version === before.version) return known.answer as Answer;
  const answer = await read(days);
  // Equal before and behind it: nothing has changed in between.
  const after = await findState(db, days);
  if (!after.isLate && after.version === before.version) kept.set(name, { version: before.version, answer });
  return answer;
}

/** How often days have been added up, and whether somebody has posted into one of these since. */
async function findState(db: Reads, { from, to }: Span): Promise<{ version: number; isLate: boolean }> {
  const [state] = await db.$queryRaw<{ version: number; isLate: boolean }[]>`
    SELECT version, EXISTS (SELECT FROM usage_late WHERE day >= ${from} AND day < ${to}) AS "isLate" FROM usage_days`;
  return state!;
}
