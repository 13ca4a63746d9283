import { inTransaction, publish } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { recordAuditEvent } from "~/domain/activity/index.server";
import type { NewAuditEvent } from "~/domain/activity/shared";
import { apiError } from "~/errors/app-error";
import { formatUsd } from "~/values/money";
import type { FilePrice } from "../file/file-schema";
import { changedPrice, type PriceChange } from "../price-change";
import { changesOf, textOf } from "../price-file/plan";
import { type AmountChange, PRICE_COLUMNS } from "../price-file/shared";
import { profileOf } from "../profiles";
import type { Capability, SupplierKind } from "../shared";
import { appendPrices, lockCatalogue } from "../store";
import { filePrice } from "../stored-price";
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

/** A new price of a model at a supplier. */
export type NewPrice = {
  supplierId: number;
  modelId: string;
  /** The supplier's own name for the model. */
  upstreamModel: string;
  /** Properties of the model; used only if no model has this id. */
  model: { capability: Capability; contextTokens: number; maxOutputTokens: number; ownedBy: string };
  change: PriceChange;
  /** Version of the price to change, from `readRoutePrice`; null: the version in force at `from`. */
  base: number | null;
  /** Null: immediately. */
  from: Date | null;
  /** Price version that a preview showed; null: it showed that there is none; undefined: there was no preview. */
  seen?: number | null;
};

/** The result of a price change: the changed parts, and the prices as a whole. */
export type PricePreview = {
  supplier: { name: string; baseUrl: string };
  seen: number | null;
  before: FilePrice | null;
  after: FilePrice;
  amounts: readonly AmountChange[];
  from: Date | null;
  /** The supplier serves the model by this name only. */
  isAlone: boolean;
  /** Start of the next price that is already scheduled; null: none. */
  next: Date | null;
};

const MINUTE_MS = 60_000;
const MAX_AHEAD_MS = 366 * 86_400_000;

/**
 * Sets the price of a model at a supplier that platform admins manage, now or from a later time. Creates the model and
 * the route if they are missing. Parts that the change omits keep their values. Calls in flight are charged the price
 * of their admission; former prices are retained. The audit event includes the previous price. Safe to repeat: the same
 * price changes nothing. Returns whether the price changed.
 * @throws AppError not_found; conflict for a supplier of the configuration, or if the price has changed since `base` or
 *   the preview; invalid_request for a time in the past or too far ahead
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

/** Returns what `setPrice` would do, without a change. @throws AppError as `setPrice` */
export async function previewPrice(db: Db, price: NewPrice): Promise<PricePreview> {
  const { supplierId, modelId, upstreamModel } = price;
  const from = price.from === null ? null : laterMoment(price.from);
  const { name, baseUrl } = await requirePortalSupplier(db, supplierId);
  const routeId = await findRouteId(db, { modelId, supplierId, upstreamModel });
  const { now, before, after } = await changeAt(db, routeId, { ...price, from });
  return {
    supplier: { name, baseUrl: baseUrl ?? "" },
    seen: now === null ? null : Number(now.id),
    before,
    after,
    from,
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

/** Returns the price that the change applies to, and the price after it. */
async function changeAt(db: Db, routeId: number | null, { change, base, from, seen }: NewPrice) {
  const now = routeId === null ? null : await priceAt(db, routeId, base === null ? from : null);
  const version = now === null ? null : Number(now.id);
  const before = now === null ? null : filePrice(now);
  const after = changedPrice(before, change);
  const isOld = (base !== null && version !== base) || (seen !== undefined && version !== seen);
  // The same form sent twice shows an outdated version, but its change is already done: no conflict.
  const isDone = base === null && changesOf(before, after).length === 0;
  if (isOld && !isDone) throw apiError("conflict", { key: "rejections:priceChangedSince" });
  return { now, before, after };
}

/**
 * Returns the current price of a route, part by part; null: it has none, or its supplier is not managed in the portal.
 */
export async function readRoutePrice(db: Db, routeId: number): Promise<RoutePrice | null> {
  const route = await findRoute(db, routeId);
  if (route === null || route.source !== "portal") return null;
  const { modelId, upstreamModel, supplierId, supplier, profile, of } = route;
  const row = await priceAt(db, routeId, null);
  const price = row === null ? null : { version: Number(row.id), parts: filePrice(row) };
  const byName = profileOf({ upstreamModel, supplier: { ...of, kind: of.kind as SupplierKind } }).name;
  return { routeId, modelId, upstreamModel, supplierId, supplier, price, profile: { chosen: profile, byName } };
}

export type RoutePrice = {
  routeId: number;
  modelId: string;
  upstreamModel: string;
  supplierId: number;
  supplier: string;
  price: { version: number; parts: FilePrice } | null;
  /** Profile of the model: as chosen by an admin (null: not chosen), and as derived from its name or its answers. */
  profile: { chosen: string | null; byName: string };
};

/** Validates the start of a price and returns it as stored; null: immediately. @throws AppError invalid_request */
export function laterMoment(from: Date): Date | null {
  const aheadMs = from.getTime() - Date.now();
  if (aheadMs < -MINUTE_MS || aheadMs > MAX_AHEAD_MS)
    throw apiError("invalid_request", { key: "rejections:priceMoment", param: "from" });
  return aheadMs <= 0 ? null : from;
}

/** Amounts with all decimals; parts without a price of their own are omitted. */
const written = (price: FilePrice): Record<string, string> =>
  Object.fromEntries(
    PRICE_COLUMNS.flatMap((column) => {
      const part = price[column];
      const text = typeof part === "bigint" ? formatUsd(part) : textOf(price, column);
      return text === null ? [] : [[column, text] as const];
    }),
  );
