import { inTransaction, publish } from "~/bus.server";
import type { Db } from "~/db.server";
import { recordAuditEvent } from "~/domain/activity/index.server";
import type { NewAuditEvent } from "~/domain/activity/shared";
import { apiError } from "~/errors/app-error";
import { formatUsd } from "~/money";
import {
  countRoutes,
  findModel,
  findRoute,
  findRouteId,
  nextPriceAt,
  priceAt,
  putModel,
  putRoute,
} from "./administer-prices-store";
import { findSupplier } from "./administer-store";
import type { FilePrice } from "./file-schema";
import { changedPrice, type PriceChange } from "./price-change";
import { changesOf, textOf } from "./price-file/plan";
import { type AmountChange, PRICE_COLUMNS } from "./price-file/shared";
import type { Capability } from "./shared";
import { appendPrices, lockCatalogue } from "./store";
import { filePrice } from "./stored-price";

/** What becomes of the price of a supplier for a model, from a moment on. */
export type NewPrice = {
  supplierId: number;
  modelId: string;
  /** The supplier's own name for it. */
  upstreamModel: string;
  /** What the model is, where there is none of that id. */
  model: { capability: Capability; contextTokens: number; maxOutputTokens: number; ownedBy: string };
  change: PriceChange;
  /** The version of the price that is changed, as `readRoutePrice` told it; null: whichever holds then. */
  base: number | null;
  /** Null: at once. */
  from: Date | null;
  /** The version of the price that a preview has shown; null: it has shown that there is none; left out: there was no preview. */
  seen?: number | null;
};

/** What a price would become: the parts in which it differs, and the prices as a whole. */
export type PricePreview = {
  supplier: { name: string; baseUrl: string };
  seen: number | null;
  before: FilePrice | null;
  after: FilePrice;
  amounts: readonly AmountChange[];
  from: Date | null;
  /** The supplier serves the model by this name only. */
  isAlone: boolean;
  /** When another price begins all the same; null: none is set for later. */
  next: Date | null;
};

const MINUTE_MS = 60_000;
const MAX_AHEAD_MS = 366 * 86_400_000;

/**
 * Says what a supplier that platform admins manage charges for a model, now or from a moment on; makes the model and the way to
 * serve it where they are not there. Parts of the price that nothing is said of stay as they are. Calls under way are charged the price
 * that they were admitted at, and former prices stay. In the audit log with the price before. Safe to repeat: the same price again
 * changes nothing. Answers whether it is another.
 * @throws AppError not_found; conflict for a supplier of the configuration, or a `base` or a preview that another price has followed;
 *   invalid_request for a moment that is over or far away
 */
export async function setPrice(db: Db, by: NewAuditEvent["by"], wanted: NewPrice): Promise<{ isChanged: boolean }> {
  const { supplierId, modelId, upstreamModel } = wanted;
  const from = wanted.from === null ? null : laterMoment(wanted.from);
  return inTransaction(db, async (tx) => {
    await lockCatalogue(tx);
    const supplier = await requirePortalSupplier(tx, supplierId);
    const model = await findModel(tx, modelId);
    if (model?.active !== true) await putModel(tx, { id: modelId, ...wanted.model });
    const routeId = await putRoute(tx, { modelId, supplierId, upstreamModel });
    const { before, after: price } = await changeAt(tx, routeId, { ...wanted, from });
    const rows = [{ modelId, supplier: supplier.name, upstreamModel, price }];
    const isChanged = (await appendPrices(tx, rows, from)) > 0;
    if (isChanged)
      await recordAuditEvent(tx, {
        by,
        action: "price.update",
        target: { kind: "price", id: routeId, label: `${modelId} · ${supplier.name}` },
        organisationId: null,
        before: before === null ? undefined : written(before),
        after: { ...written(price), ...(from && { from: from.toISOString() }) },
      });
    await publish(tx, "catalogue");
    return { isChanged };
  });
}

/**
 * What `setPrice` would make of a price that is there, or is not. Changes nothing.
 * @throws AppError as `setPrice`
 */
export async function previewPrice(db: Db, wanted: NewPrice): Promise<PricePreview> {
  const { supplierId, modelId, upstreamModel } = wanted;
  const from = wanted.from === null ? null : laterMoment(wanted.from);
  const { name, baseUrl } = await requirePortalSupplier(db, supplierId);
  const routeId = await findRouteId(db, { modelId, supplierId, upstreamModel });
  const { now, before, after } = await changeAt(db, routeId, { ...wanted, from });
  return {
    ...{ supplier: { name, baseUrl: baseUrl ?? "" }, seen: now === null ? null : Number(now.id), before, after, from },
    amounts: changesOf(before, after),
    isAlone: (await countRoutes(db, { modelId, supplierId })) <= 1,
    next: routeId === null ? null : await nextPriceAt(db, routeId, from),
  };
}

async function requirePortalSupplier(db: Db, id: number) {
  const supplier = await findSupplier(db, id);
  if (supplier === null || supplier.status === "inactive") throw apiError("not_found");
  if (supplier.source !== "portal") throw apiError("conflict", { key: "rejections:supplierOfConfig" });
  return supplier;
}

/** The price that a change is of, and what becomes of it. */
async function changeAt(db: Db, routeId: number | null, { change, base, from, seen }: NewPrice) {
  const now = routeId === null ? null : await priceAt(db, routeId, base === null ? from : null);
  const version = now === null ? null : Number(now.id);
  const before = now === null ? null : filePrice(now);
  const after = changedPrice(before, change);
  const isOld = (base !== null && version !== base) || (seen !== undefined && version !== seen);
  // What was shown and has been done since, by the same form sent twice, is no conflict.
  const isDone = base === null && changesOf(before, after).length === 0;
  if (isOld && !isDone) throw apiError("conflict", { key: "rejections:priceChangedSince" });
  return { now, before, after };
}

/** The price in force of a way to serve a model by a supplier of the portal, part by part; null: there is none, or it is not the portal's. */
export async function readRoutePrice(db: Db, routeId: number): Promise<RoutePrice | null> {
  const route = await findRoute(db, routeId);
  if (route === null || route.source !== "portal") return null;
  const { modelId, upstreamModel, supplierId, supplier } = route;
  const row = await priceAt(db, routeId, null);
  const price = row === null ? null : { version: Number(row.id), parts: filePrice(row) };
  return { routeId, modelId, upstreamModel, supplierId, supplier, price };
}

export type RoutePrice = {
  routeId: number;
  modelId: string;
  upstreamModel: string;
  supplierId: number;
  supplier: string;
  price: { version: number; parts: FilePrice } | null;
};

/** The moment from which a price counts, as it is stored; null: at once. @throws AppError invalid_request */
export function laterMoment(from: Date): Date | null {
  const aheadMs = from.getTime() - Date.now();
  if (aheadMs < -MINUTE_MS || aheadMs > MAX_AHEAD_MS)
    throw apiError("invalid_request", { key: "rejections:priceMoment", param: "from" });
  return aheadMs <= 0 ? null : from;
}

/** Amounts with all their places; what has no price of its own is not there. */
const written = (price: FilePrice): Record<string, string> =>
  Object.fromEntries(
    PRICE_COLUMNS.flatMap((column) => {
      const part = price[column];
      const text = typeof part === "bigint" ? formatUsd(part) : textOf(price, column);
      return text === null ? [] : [[column, text] as const];
    }),
  );
