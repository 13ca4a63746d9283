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

export const findBranding = (db: Db, id: number) =>
  db.organisation.findUnique({
    where: { id },
    select: {
      brandName: true,
      accentColour: true,
      reseller: { select: { brandName: true, accentColour: true } },
    },
  });

const face = { name: true, brandName: true, portalDomain: true } as const;

export const findMailSender = (db: Db, id: number) =>
  db.organisation.findUnique({ where: { id }, select: { ...face, reseller: { select: face } } });
