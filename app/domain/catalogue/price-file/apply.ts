import { inTransaction, publish } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { recordAuditEvent } from "~/domain/activity/index.server";
import type { NewAuditEvent } from "~/domain/activity/shared";
import { apiError } from "~/errors/app-error";
import { laterMoment } from "../administer/administer-prices";
import { appendPrices, lockCatalogue } from "../store";
import { filePrice } from "../stored-price";
import { type PricedRoute, planPrices, textOf } from "./plan";
import { readPriceFile } from "./read";
import { FILE_COLUMNS, type FileProblem, type PlannedChange, PRICE_COLUMNS, type PricePlan } from "./shared";
import { listPricesAt } from "./store";

/** A price file, and the time from which its prices apply; null: immediately. */
export type PriceFile = { text: string; from: Date | null };

export type Preview = { plan: PricePlan; problem: null } | { plan: null; problem: FileProblem };

/**
 * Returns the changes and the mistakes of a price file, without a change.
 * @throws AppError invalid_request for a time in the past or too far ahead
 */
export async function previewPrices(db: Db, file: PriceFile): Promise<Preview> {
  const planned = await planOf(db, file);
  if (planned.plan === null) return planned;
  const { writes: _, ...plan } = planned.plan;
  return { plan, problem: null };
}

/**
 * Sets the prices of a file in one transaction, with one audit event. `fingerprint` comes from the preview: if the file
 * or the current prices have changed since, nothing is written. Prices that the file does not name stay. Safe to
 * repeat. Returns the number of changed prices.
 * @throws AppError conflict for another fingerprint, or a file with mistakes; invalid_request for a time in the past
 *   or too far ahead
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
      by,
      action: "price.import",
      target: { kind: "price", id: "file" },
      organisationId: null,
      after: { prices: plan.changes.map(recordOf), changed: rows.length, ...(from && { from: from.toISOString() }) },
    });
    await publish(tx, "catalogue");
    return { changed: rows.length };
  });
}

/**
 * Returns the current prices as lines of a file, and its column names. Routes without a price have a line without one.
 */
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
  routeId,
  modelId,
  upstreamModel,
  supplier: row.supplier,
  capability: row.capability,
  next: row.next,
  isOfFile: row.source === "config",
  price: id === null ? null : filePrice(row),
});
type Row = Awaited<ReturnType<typeof listPricesAt>>[number];

/** One line of the audit event: the route, and each changed part of its price. */
function recordOf({ supplier, model, upstreamModel, amounts }: PlannedChange): string {
  const parts = amounts.map(({ column, from, to }) => `${column} ${from ?? "–"} → ${to ?? "–"}`);
  return `${model}${upstreamModel === model ? "" : ` (${upstreamModel})`} · ${supplier}: ${parts.join(", ")}`;
}
