import type { Db } from "~/connection/db.server";
import type { PriceRow } from "./store";

type Row = PriceRow & { supplier: string; region: string; upstream_model: string; valid_from: Date };

/** Returns the newest prices of all routes of a model. */
export const listPrices = (db: Db, modelId: string, limit: number): Promise<Row[]> => db.$queryRaw<Row[]>`
  SELECT p.id, p.route_id, p.input_per_mtok, p.output_per_mtok, p.cached_input_per_mtok, p.cache_write_per_mtok, p.per_request,
         p.per_second, p.per_mchar, p.cache_write_1h_per_mtok, p.audio_input_per_mtok, p.audio_output_per_mtok, p.per_tool_use,
         p.long_context, p.tiers, s.name AS supplier, s.region, r.upstream_model, p.valid_from
    FROM model_route r JOIN supplier s ON s.id = r.supplier_id JOIN price p ON p.route_id = r.id
   WHERE r.model_id = ${modelId} ORDER BY p.valid_from DESC, p.id DESC LIMIT ${limit}`;
