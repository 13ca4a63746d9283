import type { Db } from "~/db.server";
import type { PriceRow } from "./store";

export const findModel = (db: Db, id: string) => db.model.findUnique({ where: { id }, select: { active: true } });

/** Makes a model that platform admins manage, or brings one back that was put aside. */
export async function putModel(
  db: Db,
  {
    id,
    ...fields
  }: { id: string; capability: string; contextTokens: number; maxOutputTokens: number; ownedBy: string },
): Promise<void> {
  const data = { ...fields, source: "portal", active: true };
  await db.model.upsert({ where: { id }, create: { id, ...data }, update: data });
}

/** The way to serve a model by a supplier; in use from now on. Returns its id. */
export async function putRoute(
  db: Db,
  route: { modelId: string; supplierId: number; upstreamModel: string },
): Promise<number> {
  const row = await db.modelRoute.upsert({
    where: { modelId_supplierId_upstreamModel: route },
    create: route,
    update: { active: true },
    select: { id: true },
  });
  return row.id;
}

/** The price of a route that is in force at a moment (null: now); null: there is none. */
export async function priceAt(db: Db, routeId: number, at: Date | null): Promise<PriceRow | null> {
  const [row] = await db.$queryRaw<PriceRow[]>`
    SELECT id, route_id, input_per_mtok, output_per_mtok, cached_input_per_mtok, cache_write_per_mtok, per_request, per_second, per_mchar,
           cache_write_1h_per_mtok, audio_input_per_mtok, audio_output_per_mtok, per_tool_use, long_context, tiers
      FROM price
     WHERE route_id = ${routeId}::integer AND valid_from <= coalesce(${at}::timestamptz, clock_timestamp())
     ORDER BY valid_from DESC, id DESC LIMIT 1`;
  return row ?? null;
}

/** A way to serve a model that is in use, with whose it is. */
export async function findRoute(db: Db, id: number) {
  const row = await db.modelRoute.findUnique({
    where: { id, active: true, supplier: { status: { not: "inactive" } } },
    select: {
      ...{ modelId: true, upstreamModel: true, supplierId: true, priority: true, weight: true },
      supplier: { select: { name: true, source: true } },
    },
  });
  if (row === null) return null;
  const { supplier, ...route } = row;
  return { ...route, supplier: supplier.name, source: supplier.source };
}

export async function putOrder(db: Db, id: number, order: { priority: number; weight: number }): Promise<void> {
  await db.modelRoute.update({ where: { id }, data: order });
}

/** The way to serve a model by a supplier, in use or not; null: there never was one. */
export async function findRouteId(
  db: Db,
  route: { modelId: string; supplierId: number; upstreamModel: string },
): Promise<number | null> {
  const where = { modelId_supplierId_upstreamModel: route };
  return (await db.modelRoute.findUnique({ where, select: { id: true } }))?.id ?? null;
}

/** When the next price of a route begins behind a moment (null: now); null: none does. */
export async function nextPriceAt(db: Db, routeId: number, after: Date | null): Promise<Date | null> {
  const [row] = await db.$queryRaw<{ at: Date | null }[]>`
    SELECT min(valid_from) AS at FROM price
     WHERE route_id = ${routeId}::integer AND valid_from > coalesce(${after}::timestamptz, clock_timestamp())`;
  return row?.at ?? null;
}

/** By how many names a supplier serves a model. */
export const countRoutes = (db: Db, route: { modelId: string; supplierId: number }): Promise<number> =>
  db.modelRoute.count({ where: { ...route, active: true } });
