import type { Db } from "~/db.server";
import { settledCallsPosted } from "~/domain/accounting/index.server";
import { groupByQuality } from "./quality-store";
import type { QualityGroup, QualityRow } from "./shared";

/**
 * How well models and suppliers answered, from metadata alone: nothing of a request's content is stored or read, and nothing says
 * whose it was. Only calls of organisations that have opted in, only groups that are large enough.
 */
export async function readQuality(db: Db, ask: { from: Date; to: Date; group: QualityGroup }): Promise<QualityRow[]> {
  await settledCallsPosted();
  return groupByQuality(db, ask);
}
