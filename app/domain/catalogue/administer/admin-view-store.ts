import type { Db } from "~/connection/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { PriceQuery } from "../shared";
import type { PriceRow } from "../store";

/** Lists active and draining suppliers, each with the number of its models and credentials in use. */
export const listAdminSuppliers = (db: Db) =>
  db.supplier.findMany({
    where: { status: { not: "inactive" } },
    orderBy: { name: "asc" },
    select: {
      id: true,
      name: true,
      kind: true,
      baseUrl: true,
      region: true,
      timeoutMs: true,
      idleTimeoutMs: true,
      source: true,
      status: true,
      sealedExtras: true,
      _count: { select: { routes: { where: { active: true } }, credentials: { where: { active: true } } } },
    },
  });

export const listAdminModels = (db: Db) =>
  db.model.findMany({
    where: { active: true },
    orderBy: { id: "asc" },
    select: {
      id: true,
      capability: true,
      contextTokens: true,
      maxOutputTokens: true,
      source: true,
      active: true,
    },
  });

/** A route with the columns of its current price; `id` null: it has no price. */
type AdminRouteRow = Omit<PriceRow, "id"> & {
  id: bigint | null;
  model_id: string;
  capability: string;
  supplier: string;
  region: string;
  upstream_model: string;
  priority: number;
  weight: number;
  profile: string | null;
  source: string;
  since: Date | null;
  next: Date | null;
};

/** Lists every route in use with its current price, by model and in the order in which its routes are tried. */
export const listAdminRoutes = (db: Db): Promise<AdminRouteRow[]> =>
  db.$queryRaw<AdminRouteRow[]>(withPrices(Prisma.sql`SELECT r.* ${IN_USE}`));

/**
 * A page of these routes after a position. `search` matches names, `supplier` one supplier, `unpriced` routes without a
 * current price.
 */
export function listAdminRoutePage(
  db: Db,
  { search, supplier, unpriced, after, limit }: PriceQuery,
): Promise<AdminRouteRow[]> {
  const like = `%${(search ?? "").replace(/[\\%_]/g, "\\$&")}%`;
  const conditions = [
    search === null ? null : Prisma.sql`concat_ws(' ', r.model_id, r.upstream_model, s.name) ILIKE ${like}`,
    supplier === null ? null : Prisma.sql`s.name = ${supplier}`,
    unpriced ? Prisma.sql`NOT EXISTS (SELECT 1 FROM price WHERE route_id = r.id AND valid_from <= now())` : null,
    after === null
      ? null
      : Prisma.sql`(r.model_id, r.priority, -r.weight, r.id) > (${after.modelId}, ${after.priority}, ${-after.weight}, ${after.id})`,
  ].flatMap((condition) => (condition === null ? [] : [Prisma.sql`AND ${condition}`]));
  const page = Prisma.sql`SELECT r.* ${IN_USE} ${Prisma.join([Prisma.empty, ...conditions], " ")} ${ORDER} LIMIT ${limit}`;
  return db.$queryRaw<AdminRouteRow[]>(withPrices(page));
}

/** Counts the suppliers, models and routes in use. */
export async function countAdminCatalogue(db: Db): Promise<{ suppliers: number; models: number; prices: number }> {
  const [row] = await db.$queryRaw<{ suppliers: number; models: number; prices: number }[]>`
    SELECT (SELECT count(*)::int FROM supplier WHERE status <> 'inactive') AS suppliers,
           (SELECT count(*)::int FROM model WHERE active) AS models, (SELECT count(*)::int ${IN_USE}) AS prices`;
  return row ?? { suppliers: 0, models: 0, prices: 0 };
}

const IN_USE = Prisma.sql`
  FROM model_route r JOIN model m ON m.id = r.model_id AND m.active JOIN supplier s ON s.id = r.supplier_id AND s.status <> 'inactive'
 WHERE r.active`;
const ORDER = Prisma.sql`ORDER BY r.model_id, r.priority, -r.weight, r.id`;

const withPrices = (routes: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT r.id AS route_id, r.model_id, m.capability, s.name AS supplier, s.region, r.upstream_model, r.priority, r.weight, r.profile, s.source,
         p.id, p.input_per_mtok, p.output_per_mtok, p.cached_input_per_mtok, p.cache_write_per_mtok, p.per_request, p.per_second,
         p.per_mchar, p.cache_write_1h_per_mtok, p.audio_input_per_mtok, p.audio_output_per_mtok, p.per_tool_use, p.long_context, p.tiers,
         p.valid_from AS since,
         (SELECT min(valid_from) FROM price WHERE route_id = r.id AND valid_from > now()) AS next
    FROM (${routes}) r
    JOIN model m ON m.id = r.model_id
    JOIN supplier s ON s.id = r.supplier_id
    LEFT JOIN LATERAL (
      SELECT * FROM price WHERE route_id = r.id AND valid_from <= now() ORDER BY valid_from DESC, id DESC LIMIT 1
    ) p ON true
   ${ORDER}`;
