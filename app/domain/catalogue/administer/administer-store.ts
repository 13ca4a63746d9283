import type { Db } from "~/connection/db.server";
import type { Source, SupplierStatus } from "../shared";

export type ManagedSupplier = {
  id: number;
  name: string;
  kind: string;
  baseUrl: string;
  region: string;
  source: Source;
  status: SupplierStatus;
  /** Headers, query parameters and the header of its key, sealed. */
  sealedExtras: string | null;
  credentials: number;
};

/** Finds a supplier, also an inactive one, with the number of its credentials. */
export async function findSupplier(db: Db, id: number): Promise<ManagedSupplier | null> {
  const row = await db.supplier.findUnique({
    where: { id },
    select: {
      id: true,
      name: true,
      kind: true,
      baseUrl: true,
      region: true,
      source: true,
      status: true,
      sealedExtras: true,
      _count: { select: { credentials: true } },
    },
  });
  if (row === null) return null;
  const { _count, source, status, ...supplier } = row;
  return {
    ...supplier,
    source: source as Source,
    status: status as SupplierStatus,
    credentials: _count.credentials,
  };
}

export const findSupplierNamed = (db: Db, name: string) =>
  db.supplier.findUnique({ where: { name }, select: { id: true, status: true } });

type Content = Omit<ManagedSupplier, "id" | "credentials">;

/** Inserts a supplier if `id` is null, else updates it. Returns its id. */
export async function putSupplier(
  db: Db,
  id: number | null,
  { name, kind, baseUrl, region, source, status, sealedExtras }: Content,
): Promise<number> {
  const data = { name, kind, baseUrl, region, source, status, sealedExtras };
  const row =
    id === null
      ? await db.supplier.create({ data, select: { id: true } })
      : await db.supplier.update({ where: { id }, data, select: { id: true } });
  return row.id;
}

/** Deactivates all routes of a supplier. */
export async function putAsideRoutes(db: Db, supplierId: number): Promise<void> {
  await db.modelRoute.updateMany({ where: { supplierId }, data: { active: false } });
}
