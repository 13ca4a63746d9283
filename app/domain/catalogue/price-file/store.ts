import type { Db } from "~/connection/db.server";
import type { PriceRow } from "../store";

type Row = Omit<PriceRow, "id"> & {
  id: bigint | null;
  model_id: string;
  capability: string;
  supplier: string;
  source: string;
  upstream_model: string;
  next: Date | null;
};

/**
 * Lists every route in use with the price in force at a time (null: now) and the start of its next price. "Now" is the
 * time of the statement, because a transaction may have waited for the catalogue lock.
 */
export const listPricesAt = (db: Db, at: Date | null): Promise<Row[]> => db.$queryRaw<Row[]>`
  SELECT r.id AS route_id, r.model_id, m.capability, s.name AS supplier, s.source, r.upstream_model,
         p.id, p.input_per_mtok, p.output_per_mtok, p.cached_input_per_mtok, p.cache_write_per_mtok, p.per_request, p.per_second,
         p.per_mchar, p.cache_write_1h_per_mtok, p.audio_input_per_mtok, p.audio_output_per_mtok, p.per_tool_use, p.long_context, p.tiers,
         (SELECT min(valid_from) FROM price WHERE route_id = r.id AND valid_from > coalesce(${at}::timestamptz, statement_timestamp())) AS next
    FROM model_route r
    JOIN model m ON m.id = r.model_id AND m.active
    JOIN supplier s ON s.id = r.supplier_id AND s.status <> 'inactive'
    LEFT JOIN LATERAL (
      SELECT * FROM price WHERE route_id = r.id AND valid_from <= coalesce(${at}::timestamptz, statement_timestamp())
       ORDER BY valid_from DESC, id DESC LIMIT 1
    ) p ON true
   WHERE r.active ORDER BY r.model_id, r.priority, -r.weight, r.id`;
