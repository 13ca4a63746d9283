import { z } from "zod";
import type { Db } from "~/connection/db.server";
import { readQuality } from "~/domain/usage/index.server";
import { QUALITY_GROUPS, type QualityRow } from "~/domain/usage/shared";
import { orNothing } from "~/http/body/fields";
import { startOfDay } from "~/values/calendar-days";
import { QUALITY_DAYS } from "./shared";

/** Only a few fixed periods of whole days: the difference of two arbitrary periods would reveal smaller groups. */
export const QualityQuery = z.object({
  days: orNothing(z.enum(QUALITY_DAYS)),
  group: orNothing(z.enum(QUALITY_GROUPS)),
});

/** Returns the projection that the page, the file and the JSON share. */
export async function readQualityView(db: Db, { days = "30", group = "both" }: z.output<typeof QualityQuery>) {
  const to = startOfDay(new Date(), "UTC");
  const from = startOfDay(to, "UTC", Number(days));
  const rows = await readQuality(db, { from, to, group });
  return { days, group, from, to, rows: rows.map(answerOf) };
}

export type QualityView = Awaited<ReturnType<typeof readQualityView>>;
export type QualityAnswer = QualityView["rows"][number];

/** A group with its field names in files and answers. Shares are from 0 to 1. */
const answerOf = (row: QualityRow) => ({
  model: row.model,
  supplier: row.supplier,
  requests: row.requests,
  complete_share: share(row.complete, row.requests),
  empty_share: share(row.empty, row.requests),
  truncated_share: share(row.truncated, row.requests),
  client_abort_share: share(row.clientAborts, row.requests),
  failed_share: share(row.failed, row.requests),
  retried_share: share(row.retried, row.requests),
  rate_limited: row.rateLimited,
  timed_out: row.timedOut,
  unavailable: row.unavailable,
  refused: row.refused,
  latency_p50_ms: row.latencyMs?.[0] ?? null,
  latency_p95_ms: row.latencyMs?.[1] ?? null,
  first_byte_p50_ms: row.firstByteMs,
});

const share = (part: number, total: number) => Math.round((part / total) * 1e6) / 1e6;
