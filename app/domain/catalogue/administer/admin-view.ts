import type { Db } from "~/connection/db.server";
import { priceList } from "../load-catalogue";
import type {
  AdminCatalogue,
  AdminRoute,
  Capability,
  PricePlace,
  PriceQuery,
  Source,
  SupplierKind,
  SupplierStatus,
} from "../shared";
import { listAdminModels, listAdminRoutePage, listAdminRoutes, listAdminSuppliers } from "./admin-view-store";

/**
 * Returns active and draining suppliers, all models that are or can be served, and every route, read from the database.
 */
export async function readAdminCatalogue(db: Db): Promise<AdminCatalogue> {
  const [suppliers, models, routes] = await Promise.all([
    listAdminSuppliers(db),
    listAdminModels(db),
    listAdminRoutes(db),
  ]);
  return {
    suppliers: suppliers.map(({ _count, kind, source, status, sealedExtras, ...supplier }) => ({
      ...supplier,
      kind: kind as SupplierKind,
      source: source as Source,
      status: status as SupplierStatus,
      models: _count.routes,
      credentials: _count.credentials,
      hasExtras: sealedExtras !== null,
    })),
    models: models.map(({ source, capability, ...model }) => {
      const own = routes.filter(({ model_id }) => model_id === model.id);
      return {
        ...model,
        source: source as Source,
        capability: capability as Capability,
        suppliers: [...new Set(own.map(({ supplier }) => supplier))],
        unpriced: own.filter(({ id }) => id === null).length,
      };
    }),
    routes: routes.map(adminRoute),
  };
}

/** Returns a page of prices ordered by model, and the position of the next page; null on the last page. */
export async function readAdminPrices(
  db: Db,
  query: PriceQuery,
): Promise<{ routes: AdminRoute[]; next: PricePlace | null }> {
  const rows = await listAdminRoutePage(db, { ...query, limit: query.limit + 1 });
  const routes = rows.slice(0, query.limit).map(adminRoute);
  const last = routes.at(-1);
  if (last === undefined || rows.length <= query.limit) return { routes, next: null };
  const { modelId, priority, weight, id } = last;
  return { routes, next: { modelId, priority, weight, id } };
}

function adminRoute({
  id,
  since,
  next,
  route_id,
  model_id,
  upstream_model,
  capability,
  source,
  ...row
}: Awaited<ReturnType<typeof listAdminRoutes>>[number]): AdminRoute {
  return {
    id: route_id,
    modelId: model_id,
    capability: capability as Capability,
    supplier: row.supplier,
    region: row.region,
    upstreamModel: upstream_model,
    priority: row.priority,
    weight: row.weight,
    profile: row.profile,
    source: source as Source,
    price: id === null ? null : priceList({ ...row, id, route_id }),
    since,
    next,
  };
}
