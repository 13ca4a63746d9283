import type { Db } from "~/db.server";

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

/** How an organisation wants the portal to look for its people; nulls where it has not said. */
export type Branding = { brandName: string | null; accentColour: string | null };

/** What an organisation, or else the reseller above it, has chosen. Undefined: there is no such organisation. */
export async function findBranding(db: Db, id: number): Promise<Branding | undefined> {
  const [row] = await db.$queryRaw<Branding[]>`
    SELECT coalesce(o.brand_name, r.brand_name) AS "brandName", coalesce(o.accent_colour, r.accent_colour) AS "accentColour"
      FROM organisation o LEFT JOIN organisation r ON r.id = o.reseller_id WHERE o.id = ${id}`;
  return row;
}

const face = { name: true, brandName: true, portalDomain: true } as const;

export const findMailSender = (db: Db, id: number) =>
  db.organisation.findUnique({ where: { id }, select: { ...face, reseller: { select: face } } });
