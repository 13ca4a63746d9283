import type { Db } from "~/connection/db.server";
import { priceList } from "./load-catalogue";
import { listPrices } from "./price-history-store";
import type { PriceList } from "./shared";

/** A price of one route from a time on; it applies until the next price of the same route. */
export type PricedSince = { supplier: string; region: string; upstreamModel: string; from: Date; price: PriceList };

/**
 * Returns the newest 100 prices of a model's routes, newest first, including future prices and those of removed routes.
 */
export async function readPriceHistory(db: Db, modelId: string): Promise<PricedSince[]> {
  const rows = await listPrices(db, modelId, MOST);
  return rows.map(({ supplier, region, upstream_model: upstreamModel, valid_from: from, ...row }) => ({
    supplier,
    region,
    upstreamModel,
    from,
    price: priceList(row),
  }));
}

const MOST = 100;
