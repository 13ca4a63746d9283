import type { Db } from "~/db.server";
import { settledCallsPosted } from "~/domain/accounting/index.server";
import { findQualityOptIns, groupByQuality } from "./quality-store";
import type { QualityGroup, QualityRow } from "./shared";

type Asked = { from: Date; to: Date; group: QualityGroup };

/** So long an answer is given again: the days are over, and a call of theirs that is settled late can wait. */
const KEPT_MS = 600_000;

const kept = new Map<string, { rows: Promise<QualityRow[]>; untilMs: number }>();

/**
 * How well models and suppliers answered, from metadata alone: nothing of a request's content is stored or read, and nothing says
 * whose it was. Only calls of organisations that have opted in, only groups that are large enough; both are looked up each time. For
 * days that are over: the calls are read once in ten minutes, however many people look.
 */
export async function readQuality(db: Db, ask: Asked): Promise<QualityRow[]> {
  const optIns = await findQualityOptIns(db);
  if (optIns.length === 0) return [];
  const { from, to, group } = ask;
  const key = JSON.stringify([from, to, group, optIns.map(({ id, minimum }) => [id, minimum])]);
  const nowMs = performance.now();
  for (const [old, { untilMs }] of kept) if (untilMs <= nowMs) kept.delete(old);
  const known = kept.get(key);
  if (known !== undefined) return known.rows;
  const rows = settledCallsPosted().then(() => groupByQuality(db, { ...ask, optIns }));
  kept.set(key, { rows, untilMs: nowMs + KEPT_MS });
  // What failed is asked again by whoever looks next.
  rows.catch(() => kept.delete(key));
  return rows;
}
