import type { Db } from "~/db.server";

/** Nano-USD: for a million tokens, a request, a second, a million characters. Null: as other input. */
export type Amounts = {
  inputPerMtok: bigint;
  outputPerMtok: bigint;
  cachedInputPerMtok: bigint | null;
  cacheWritePerMtok: bigint | null;
  perRequest: bigint;
  perSecond: bigint;
  perMchar: bigint;
};

const AMOUNTS = {
  ...{ inputPerMtok: true, outputPerMtok: true, cachedInputPerMtok: true, cacheWritePerMtok: true },
  ...{ perRequest: true, perSecond: true, perMchar: true },
} as const;

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

/** The price of a route that was said last, also one that is to come; null: there is none. */
export const latestPrice = (db: Db, routeId: number): Promise<Amounts | null> =>
  db.price.findFirst({ where: { routeId }, orderBy: [{ validFrom: "desc" }, { id: "desc" }], select: AMOUNTS });

/** Writes a price; `from` null: from the database's now on. */
export async function addPrice(db: Db, routeId: number, amounts: Amounts, from: Date | null): Promise<void> {
  await db.price.create({ data: { routeId, ...amounts, ...(from && { validFrom: from }) } });
}

/** A way to serve a model that is in use, with whose it is. */
export async function findRoute(db: Db, id: number) {
  const row = await db.modelRoute.findUnique({
    where: { id, active: true, supplier: { status: { not: "inactive" } } },
    select: { modelId: true, priority: true, weight: true, supplier: { select: { name: true, source: true } } },
  });
  if (row === null) return null;
  const { supplier, ...route } = row;
  return { ...route, supplier: supplier.name, source: supplier.source };
}

export async function putOrder(db: Db, id: number, order: { priority: number; weight: number }): Promise<void> {
  await db.modelRoute.update({ where: { id }, data: order });
}
