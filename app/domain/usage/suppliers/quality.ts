import type { Db } from "~/connection/db.server";
import { settledCallsPosted } from "~/domain/accounting/index.server";
import type { QualityGroup, QualityRow } from "../shared";
import { findQualityOptIns, groupByQuality } from "./quality-store";

type Asked = { from: Date; to: Date; group: QualityGroup };

/** Lifetime of a cached answer. The days are over, and a call that is settled late may appear later. */
const KEPT_MS = 600_000;

const cache = new Map<string, { rows: Promise<QualityRow[]>; untilMs: number }>();

/**
 * Returns quality figures of models and suppliers, from metadata only: no content of a request is stored or read, and no figure
 * identifies a customer. Includes only calls of organisations that have opted in, and only groups that are large enough; both are
 * checked each time. For past days: the calls are read at most once in ten minutes.
 */
export async function readQuality(db: Db, query: Asked): Promise<QualityRow[]> {
  const optIns = await findQualityOptIns(db);
  if (optIns.length === 0) return [];
  const { from, to, group } = query;
  const key = JSON.stringify([from, to, group, optIns.map(({ id, minimum }) => [id, minimum])]);
  const nowMs = performance.now();
  for (const [old, { untilMs }] of cache) if (untilMs <= nowMs) cache.delete(old);
  const known = cache.get(key);
  if (known !== undefined) return known.rows;
  const rows = settledCallsPosted().then(() => groupByQuality(db, { ...query, optIns }));
  cache.set(key, { rows, untilMs: nowMs + KEPT_MS });
  // A failed query is repeated by the next reader.
  rows.catch(() => cache.delete(key));
  return rows;
}
