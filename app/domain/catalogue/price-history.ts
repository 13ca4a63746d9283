import type { Db } from "~/db.server";
import { priceList } from "./load-catalogue";
import { listPrices } from "./price-history-store";
import type { PriceList } from "./shared";

/** A price of one way to serve a model, from a moment on; it holds until the next one of the same route. */
export type PricedSince = { supplier: string; region: string; upstreamModel: string; from: Date; price: PriceList };

/** The prices of a model's routes, also of those that are to come and of routes that are gone, the newest 100 first. */
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
