import type { Db } from "~/connection/db.server";
import { type Cursor, keysetOf, type SortColumn } from "~/connection/keyset-store";
import { Prisma } from "~/generated/prisma/client";
import { ConversationSettings, ORGANISATION_SORTS, type OrganisationSort } from "./shared";

const fields = {
  id: true,
  name: true,
  slug: true,
  billingExempt: true,
  billingUserId: true,
  creditCeilingNanoUsd: true,
  portalDomain: true,
  brandName: true,
  accentColour: true,
  supportEmail: true,
  autorouter: true,
  autorouterDefault: true,
  qualityOptIn: true,
  qualityMinimum: true,
  resellerId: true,
  createdAt: true,
} as const satisfies Prisma.OrganisationSelect;
export type OrganisationRow = Prisma.OrganisationGetPayload<{ select: typeof fields }>;

/** Returns an organisation that is not closed. */
export const findOrganisation = (db: Db, id: number): Promise<OrganisationRow | null> =>
  db.organisation.findFirst({ where: { id, closedAt: null }, select: fields });

/** Locks organisations until the transaction ends. */
export async function lockOrganisations(db: Db, ids: readonly number[]): Promise<void> {
  await db.$executeRaw`SELECT 1 FROM organisation WHERE id = ANY (${[...ids]}::int[]) ORDER BY id FOR NO KEY UPDATE`;
}

export type OrganisationChange = {
  name?: string;
  slug?: string;
  billingExempt?: boolean;
  billingUserId?: number | null;
  creditCeilingNanoUsd?: bigint;
  portalDomain?: string | null;
  brandName?: string | null;
  accentColour?: string | null;
  supportEmail?: string | null;
  autorouter?: string | null;
  autorouterDefault?: string | null;
  qualityOptIn?: boolean;
  qualityMinimum?: number;
};

/** Returns the changed row; "slug" or "portalDomain" when another organisation has that value. */
export async function changeOrganisation(
  db: Db,
  id: number,
  change: OrganisationChange,
): Promise<OrganisationRow | "slug" | "portalDomain"> {
  // Checked first, because a violated constraint would abort the caller's transaction.
  const { slug, portalDomain } = change;
  if (slug && (await db.organisation.findFirst({ where: { slug, id: { not: id } }, select: { id: true } })))
    return "slug";
  if (
    portalDomain &&
    (await db.organisation.findFirst({ where: { portalDomain, id: { not: id } }, select: { id: true } }))
  ) {
    return "portalDomain";
  }
  return db.organisation.update({ where: { id }, data: change, select: fields });
}

export type OrganisationStatsRow = OrganisationRow & {
  people: number;
  admins: number;
  keys: number;
  departments: number;
  projects: number;
  spent: bigint;
};

const ORDERS: Record<OrganisationSort["by"], (monthStart: Date) => SortColumn> = {
  created: () => ({ by: Prisma.sql`o.id`, unique: true }),
  name: () => ({ by: Prisma.sql`lower(o.name)` }),
  people: () => ({
    by: Prisma.sql`n.count`,
    join: Prisma.sql`CROSS JOIN LATERAL (
      SELECT count(*)::int AS count FROM app_user WHERE organisation_id = o.id AND status <> 'deleted') n`,
  }),
  keys: () => ({
    by: Prisma.sql`n.count`,
    join: Prisma.sql`CROSS JOIN LATERAL (
      SELECT count(*)::int AS count FROM api_key WHERE organisation_id = o.id AND status <> 'revoked') n`,
  }),
  spent: (monthStart) => ({
    by: Prisma.sql`coalesce(n.spent, 0)`,
    join: Prisma.sql`LEFT JOIN (
      SELECT organisation_id, sum(charged)::bigint AS spent FROM usage_model_sum
       WHERE at >= ${monthStart} GROUP BY 1) n ON n.organisation_id = o.id`,
  }),
};

/** Returns organisations with their totals, in the requested order. */
export function findOrganisations(
  db: Db,
  page: {
    q: string | null;
    sort: OrganisationSort;
    after: Cursor | null;
    onlyId: number | null;
    limit: number;
    monthStart: Date;
  },
): Promise<(OrganisationStatsRow & { sortValue: string })[]> {
  const { q, sort, after, onlyId, limit, monthStart } = page;
  const like = q === null ? null : `%${q.replace(/[\\%_]/g, "\\$&")}%`;
  const type = ORGANISATION_SORTS[sort.by];
  const { join, value, order, place } = keysetOf(
    ORDERS[sort.by](monthStart),
    { descending: sort.descending, type, after },
    Prisma.sql`o.id`,
  );
  const direction = sort.descending ? Prisma.sql`DESC` : Prisma.sql`ASC`;
  return db.$queryRaw`
    WITH page AS (
      SELECT o.*, ${value} AS sort_value FROM organisation o ${join}
       WHERE o.closed_at IS NULL AND ${place} AND (${onlyId}::int IS NULL OR o.id = ${onlyId}::int)
         AND (${like}::text IS NULL OR o.name ILIKE ${like}::text OR o.slug ILIKE ${like}::text OR o.portal_domain ILIKE ${like}::text)
       ORDER BY ${order} LIMIT ${limit})
    SELECT o.id, o.name, o.slug, o.billing_exempt AS "billingExempt", o.billing_user_id AS "billingUserId",
           o.credit_ceiling_nano_usd AS "creditCeilingNanoUsd",
           o.portal_domain AS "portalDomain", o.brand_name AS "brandName", o.accent_colour AS "accentColour",
           o.support_email AS "supportEmail", o.autorouter, o.autorouter_default AS "autorouterDefault",
           o.quality_opt_in AS "qualityOptIn", o.quality_minimum AS "qualityMinimum", o.reseller_id AS "resellerId", o.created_at AS "createdAt",
           (SELECT count(*)::int FROM app_user u WHERE u.organisation_id = o.id AND u.status <> 'deleted') AS people,
           (SELECT count(*)::int FROM app_user u WHERE u.organisation_id = o.id AND u.status = 'active' AND u.role IN ('owner', 'platform_admin', 'org_admin')) AS admins,
           (SELECT count(*)::int FROM api_key k WHERE k.organisation_id = o.id AND k.status <> 'revoked') AS keys,
           (SELECT count(*)::int FROM department d WHERE d.organisation_id = o.id) AS departments,
           (SELECT count(*)::int FROM project p WHERE p.organisation_id = o.id AND p.archived_at IS NULL) AS projects,
           coalesce(s.spent, 0)::bigint AS spent, o.sort_value AS "sortValue"
      FROM page o
      LEFT JOIN (SELECT organisation_id, sum(charged) AS spent FROM usage_model_sum
                  WHERE at >= ${monthStart} AND organisation_id IN (SELECT id FROM page) GROUP BY 1) s ON s.organisation_id = o.id
     ORDER BY o.sort_value::${Prisma.raw(type)} ${direction}, o.id ${direction}`;
}

export const countLivePeople = (db: Db, organisationId: number): Promise<number> =>
  db.user.count({ where: { organisationId, status: { not: "deleted" } } });

export const countResold = (db: Db, resellerId: number): Promise<number> =>
  db.organisation.count({ where: { resellerId, closedAt: null } });

/**
 * Closes an organisation: revokes its keys and invitations, and frees its slug and domain. The rows that the ledger
 * refers to remain.
 */
export async function closeOrganisationRow(db: Db, id: number, now: Date): Promise<void> {
  await db.apiKey.updateMany({
    where: { organisationId: id, status: { not: "revoked" } },
    data: { status: "revoked", revokedAt: now, previousHmac: null, previousValidUntil: null },
  });
  await db.invite.updateMany({
    where: { organisationId: id, acceptedAt: null, revokedAt: null },
    data: { revokedAt: now },
  });
  await db.payerNomination.deleteMany({ where: { organisationId: id } });
  await db.session.updateMany({ where: { adminOrganisationId: id }, data: { adminOrganisationId: null } });
  await db.$executeRaw`
    UPDATE organisation SET closed_at = ${now}, portal_domain = NULL, billing_user_id = NULL, slug = slug || '--' || id, guardrail_webhook = NULL WHERE id = ${id}`;
}

/** Returns active people of an organisation, whose wallets could pay for it, by address. */
export const findPossiblePayers = (db: Db, organisationId: number) =>
  db.user.findMany({
    where: { organisationId, status: "active" },
    select: { id: true, email: true, name: true },
    orderBy: { email: "asc" },
    take: 200,
  });

export const findByDomain = (db: Db, portalDomain: string) =>
  db.organisation.findFirst({
    where: { portalDomain, closedAt: null },
    select: { id: true, name: true, brandName: true, accentColour: true, supportEmail: true },
  });

/**
 * Returns wallets of people that are exempt through their organisation only, not through an exemption of the person.
 */
export async function findWalletsExemptWith(db: Db, organisationId: number): Promise<number[]> {
  const rows = await db.$queryRaw<{ id: bigint }[]>`
    SELECT a.id FROM ledger_account a JOIN app_user u ON u.id = a.payer_id
     WHERE a.kind = 'wallet' AND a.payer_kind = 'user' AND a.exempt AND a.organisation_id = ${organisationId} AND NOT u.billing_exempt
     ORDER BY a.id`;
  return rows.map(({ id }) => Number(id));
}

/** Returns the slugs with the same beginning, to find a free one. */
export async function findSlugsLike(db: Db, slug: string): Promise<string[]> {
  const rows = await db.organisation.findMany({
    where: { OR: [{ slug }, { slug: { startsWith: `${slug}-` } }] },
    select: { slug: true },
    take: 10_000,
  });
  return rows.map((row) => row.slug);
}

export async function findConversationSettings(db: Db, id: number): Promise<ConversationSettings | null> {
  const row = await db.organisation.findUniqueOrThrow({ where: { id }, select: { conversations: true } });
  return ConversationSettings.safeParse(row.conversations).data ?? null;
}

export async function changeConversationSettings(db: Db, id: number, to: ConversationSettings | null): Promise<void> {
  await db.organisation.update({ where: { id }, data: { conversations: to ?? Prisma.DbNull }, select: { id: true } });
}

/** Returns the ids of all projects of an organisation, including archived ones. */
export async function listProjectIds(db: Db, organisationId: number): Promise<number[]> {
  const rows = await db.project.findMany({ where: { organisationId }, select: { id: true } });
  return rows.map(({ id }) => id);
}
