import { inTransaction, publish } from "~/bus.server";
import type { Db } from "~/db.server";
import { recordAuditEvent } from "~/domain/activity/index.server";
import type { NewAuditEvent } from "~/domain/activity/shared";
import { apiError } from "~/errors/app-error";
import { laterMoment } from "../administer-prices";
import { appendPrices, lockCatalogue } from "../store";
import { filePrice } from "../stored-price";
import { type PricedRoute, planPrices, textOf } from "./plan";
import { readPriceFile } from "./read";
import { FILE_COLUMNS, type FileProblem, type PlannedChange, PRICE_COLUMNS, type PricePlan } from "./shared";
import { listPricesAt } from "./store";

/** A file of prices, and the moment from which they count; null: at once. */
export type PriceFile = { text: string; from: Date | null };

export type Preview = { plan: PricePlan; problem: null } | { plan: null; problem: FileProblem };

/**
 * What a file of prices would change, and what is wrong with it. Changes nothing.
 * @throws AppError invalid_request for a moment that is over or far away
 */
export async function previewPrices(db: Db, file: PriceFile): Promise<Preview> {
  const planned = await planOf(db, file);
  if (planned.plan === null) return planned;
  const { writes: _, ...plan } = planned.plan;
  return { plan, problem: null };
}

/**
 * Sets the prices of a file: all in one transaction with one record in the audit log, or none. `fingerprint` is that of the preview: where
 * the file or the prices that are there have changed since, nothing is done. What a file does not name stays. A second time it changes
 * nothing. Answers how many prices are others.
 * @throws AppError conflict for another fingerprint, or a file with problems; invalid_request for a moment that is over or far away
 */
export function applyPrices(
  db: Db,
  by: NewAuditEvent["by"],
  file: PriceFile,
  fingerprint: string,
): Promise<{ changed: number }> {
  return inTransaction(db, async (tx) => {
    await lockCatalogue(tx);
    const { plan } = await planOf(tx, file);
    if (plan === null || plan.problems.length > 0) throw apiError("conflict", { key: "rejections:priceFileProblems" });
    if (plan.writes.length === 0) return { changed: 0 };
    if (plan.fingerprint !== fingerprint) throw apiError("conflict", { key: "rejections:priceFileChanged" });
    const rows = plan.writes.map(({ route, price }) => ({ ...route, price }));
    const from = file.from === null ? null : laterMoment(file.from);
    if ((await appendPrices(tx, rows, from)) !== rows.length)
      throw apiError("conflict", { key: "rejections:priceFileChanged" });
    await recordAuditEvent(tx, {
      ...{ by, action: "price.import", target: { kind: "price", id: "file" }, organisationId: null },
      after: { prices: plan.changes.map(recordOf), changed: rows.length, ...(from && { from: from.toISOString() }) },
    });
    await publish(tx, "catalogue");
    return { changed: rows.length };
  });
}

/** The prices in force at this moment as the lines of a file, with their columns' names first; what has none is there without one. */
export async function exportPrices(db: Db): Promise<{ columns: readonly string[]; lines: (string | null)[][] }> {
  const routes = (await listPricesAt(db, null)).map(routeOf);
  const lines = routes.map((route) => [
    ...[route.supplier, route.modelId, route.upstreamModel],
    ...PRICE_COLUMNS.map((column) => textOf(route.price, column)),
  ]);
  return { columns: FILE_COLUMNS, lines };
}

async function planOf(db: Db, { text, from }: PriceFile) {
  const at = from === null ? null : laterMoment(from);
  const read = readPriceFile(text);
  if (read.lines === null) return { plan: null, problem: read.problem };
  const routes = (await listPricesAt(db, at)).map(routeOf);
  return { plan: planPrices(read.lines, routes, from?.toISOString() ?? null), problem: null };
}

const routeOf = ({
  id,
  route_id: routeId,
  model_id: modelId,
  upstream_model: upstreamModel,
  ...row
}: Row): PricedRoute => ({
  ...{ routeId, modelId, upstreamModel, supplier: row.supplier, capability: row.capability, next: row.next },
  isOfFile: row.source === "config",
  price: id === null ? null : filePrice(row),
});
type Row = Awaited<ReturnType<typeof listPricesAt>>[number];

/** One line of the record: who serves what, and every part of its price that is another. */
function recordOf({ supplier, model, upstreamModel, amounts }: PlannedChange): string {
  const parts = amounts.map(({ column, from, to }) => `${column} ${from ?? "–"} → ${to ?? "–"}`);
  return `${model}${upstreamModel === model ? "" : ` (${upstreamModel})`} · ${supplier}: ${parts.join(", ")}`;
}
