import type { Db } from "~/connection/db.server";
import type { PriceRow } from "../store";

export const findModel = (db: Db, id: string) => db.model.findUnique({ where: { id }, select: { active: true } });

/** Creates a model that platform admins manage, or reactivates an inactive one. */
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

/** Creates or reactivates the route of a model at a supplier. Returns its id. */
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

/** Returns the price of a route in force at a time (null: now); null: it has none. */
export async function priceAt(db: Db, routeId: number, at: Date | null): Promise<PriceRow | null> {
  const [row] = await db.$queryRaw<PriceRow[]>`
    SELECT id, route_id, input_per_mtok, output_per_mtok, cached_input_per_mtok, cache_write_per_mtok, per_request, per_second, per_mchar,
           cache_write_1h_per_mtok, audio_input_per_mtok, audio_output_per_mtok, per_tool_use, long_context, tiers
      FROM price
     WHERE route_id = ${routeId}::integer AND valid_from <= coalesce(${at}::timestamptz, clock_timestamp())
     ORDER BY valid_from DESC, id DESC LIMIT 1`;
  return row ?? null;
}

/** Finds a route in use, with the source of its supplier. */
export async function findRoute(db: Db, id: number) {
  const row = await db.modelRoute.findUnique({
    where: { id, active: true, supplier: { status: { not: "inactive" } } },
    select: {
      modelId: true,
      upstreamModel: true,
      supplierId: true,
      priority: true,
      weight: true,
      profile: true,
      supplier: { select: { name: true, source: true, kind: true, baseUrl: true } },
    },
  });
  if (row === null) return null;
  const { supplier, ...route } = row;
  return { ...route, supplier: supplier.name, source: supplier.source, of: supplier };
}

export async function putProfile(db: Db, id: number, profile: string | null): Promise<void> {
  await db.modelRoute.update({ where: { id }, data: { profile } });
}

export async function putOrder(db: Db, id: number, order: { priority: number; weight: number }): Promise<void> {
  await db.modelRoute.update({ where: { id }, data: order });
}

/** Finds the route of a model at a supplier, in use or not; null: it never existed. */
export async function findRouteId(
  db: Db,
  route: { modelId: string; supplierId: number; upstreamModel: string },
): Promise<number | null> {
  const where = { modelId_supplierId_upstreamModel: route };
  return (await db.modelRoute.findUnique({ where, select: { id: true } }))?.id ?? null;
}

/** Returns the start of the next price of a route after a time (null: now); null: none is scheduled. */
export async function nextPriceAt(db: Db, routeId: number, after: Date | null): Promise<Date | null> {
  const [row] = await db.$queryRaw<{ at: Date | null }[]>`
    SELECT min(valid_from) AS at FROM price
     WHERE route_id = ${routeId}::integer AND valid_from > coalesce(${after}::timestamptz, clock_timestamp())`;
  return row?.at ?? null;
}

/** Counts the upstream names by which a supplier serves a model. */
export const countRoutes = (db: Db, route: { modelId: string; supplierId: number }): Promise<number> =>
  db.modelRoute.count({ where: { ...route, active: true } });
