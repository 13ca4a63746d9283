import type { Db } from "~/connection/db.server";

const choice = { id: true, name: true } as const;

export const organisationNames = (db: Db, ids: readonly number[]) =>
  db.organisation.findMany({ where: { id: { in: [...ids] } }, select: choice });

export const organisationsByName = (db: Db, maximum: number) =>
  db.organisation.findMany({
    where: { closedAt: null },
    select: choice,
    orderBy: [{ name: "asc" }, { id: "asc" }],
    take: maximum,
  });

/** An organisation's branding of the portal; null where it has not set any. */
export type Branding = { brandName: string | null; accentColour: string | null };

/**
 * Returns the branding of an organisation or, where not set, of its reseller. Undefined: there is no such organisation.
 */
export async function findBranding(db: Db, id: number): Promise<Branding | undefined> {
  const [row] = await db.$queryRaw<Branding[]>`
    SELECT coalesce(o.brand_name, r.brand_name) AS "brandName", coalesce(o.accent_colour, r.accent_colour) AS "accentColour"
      FROM organisation o LEFT JOIN organisation r ON r.id = o.reseller_id WHERE o.id = ${id}`;
  return row;
}

const face = { name: true, brandName: true, portalDomain: true } as const;

export const findMailSender = (db: Db, id: number) =>
  db.organisation.findUnique({ where: { id }, select: { ...face, reseller: { select: face } } });
