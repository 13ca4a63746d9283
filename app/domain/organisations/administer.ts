import { inTransaction, publish } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import type { Cursor } from "~/connection/keyset-store";
import {
  markExempt,
  openWallet,
  readBalances,
  readBudget,
  readBudgets,
  setBudget,
} from "~/domain/accounting/index.server";
import type { NewBudget } from "~/domain/accounting/shared";
import { type Actor, atLeast, authorOf } from "~/domain/accounts/shared";
import { recordAuditEvent } from "~/domain/activity/index.server";
import type { AuditAction } from "~/domain/activity/shared";
import { changeCredit, type OrganisationCredit, readOrganisationCredit } from "~/domain/payers/index.server";
import { apiError } from "~/errors/app-error";
import { createOrganisation } from "./create-organisation";
import {
  changeOrganisation,
  closeOrganisationRow,
  countLivePeople,
  countResold,
  findOrganisations,
  findWalletsExemptWith,
  listProjectIds,
  lockOrganisations,
  type OrganisationChange,
  type OrganisationRow,
  type OrganisationStatsRow,
} from "./organisation-store";
import { noSuchOrganisation, requireAccessibleOrganisation } from "./require-accessible";
import { NEWEST_ORGANISATIONS, type OrganisationSort, type OrganisationView } from "./shared";

/**
 * Returns all organisations with their totals, in the requested order. `next`: cursor of the next page; null: this is
 * the last page.
 * @throws AppError forbidden below platform admin
 */
export async function listOrganisations(
  db: Db,
  actor: Actor,
  query: { q: string | null; sort: OrganisationSort; after: Cursor | null; limit: number },
): Promise<{ organisations: OrganisationView[]; next: Cursor | null }> {
  if (!atLeast(actor.role, "platform_admin")) throw apiError("forbidden");
  const matches = await findOrganisations(db, {
    ...query,
    limit: query.limit + 1,
    onlyId: null,
    monthStart: monthStart(),
  });
  const rows = matches.slice(0, query.limit);
  const last = rows.at(-1);
  return {
    organisations: await viewsOf(db, rows),
    next: matches.length > rows.length && last ? { id: last.id, value: last.sortValue } : null,
  };
}

/**
 * Creates an organisation for a customer. Returns its id and slug.
 * @throws AppError forbidden
 */
export async function createOrganisationByAdmin(
  db: Db,
  actor: Actor,
  organisation: { name: string; slug?: string; billingExempt: boolean; monthlyBudgetNanoUsd: bigint | null },
): Promise<{ id: number; slug: string }> {
  if (!atLeast(actor.role, "platform_admin")) throw apiError("forbidden");
  return inTransaction(db, async (tx) => {
    const { name, billingExempt, monthlyBudgetNanoUsd } = organisation;
    const founded = await createOrganisation(tx, organisation);
    if (monthlyBudgetNanoUsd !== null) {
      await setBudget(
        tx,
        { kind: "organisation", id: founded.id, organisationId: founded.id },
        { limitNanoUsd: monthlyBudgetNanoUsd, period: "monthly" },
      );
    }
    await recordAuditEvent(tx, {
      by: authorOf(actor),
      action: "organisation.create",
      target: { kind: "organisation", id: founded.id, label: name },
      organisationId: founded.id,
      after: { name, slug: founded.slug, billingExempt, monthlyBudgetNanoUsd },
    });
    return founded;
  });
}

/**
 * Changes the given fields of an organisation. A change of `billingExempt` takes effect with the next call. When an
 * exempt organisation begins to pay, its past usage is written off, and the wallets of its people become non-exempt
 * with it. A credit ceiling below the credit already given revokes nothing; it only rejects further credit. Amounts are
 * nano-USD.
 * @throws AppError forbidden below platform admin, not_found; conflict when another organisation has the slug.
 */
export async function updateOrganisation(
  db: Db,
  actor: Actor,
  organisationId: number,
  change: {
    name?: string;
    slug?: string;
    billingExempt?: boolean;
    monthlyBudgetNanoUsd?: bigint | null;
    /** How far its own wallet may go below zero, in nano-USD. */
    creditLimitNanoUsd?: bigint;
    /** Maximum credit that its own admins may give in total, in nano-USD. */
    creditCeilingNanoUsd?: bigint;
  },
): Promise<void> {
  if (!atLeast(actor.role, "platform_admin")) throw apiError("forbidden");
  await inTransaction(db, async (tx) => {
    await lockOrganisations(tx, [organisationId]);
    const before = await requireAccessibleOrganisation(tx, actor, organisationId, "platform_admin");
    const { monthlyBudgetNanoUsd, creditLimitNanoUsd, ...fields } = change;
    const after = await changedRow(tx, organisationId, fields);
    if (after.billingExempt !== before.billingExempt) await putExemption(tx, actor, before, after.billingExempt);
    await recordChange(tx, actor, before, after, "organisation.update");
    if (monthlyBudgetNanoUsd !== undefined)
      await putMonthlyBudget(tx, actor, after, { limitNanoUsd: monthlyBudgetNanoUsd });
    if (creditLimitNanoUsd !== undefined) await putCredit(tx, actor, after, creditLimitNanoUsd);
  });
}

async function putExemption(tx: Db, actor: Actor, before: OrganisationRow, exempt: boolean): Promise<void> {
  await markExempt(tx, await walletOf(tx, before), { exempt, actor: `user:${actor.userId}` });
  if (!exempt) await countWalletsOfPeople(tx, actor, before.id);
  await publish(tx, "keys");
}

/**
 * Ends the exemption of wallets that were exempt only through their organisation. The wallets of exempt people remain
 * exempt.
 */
export async function countWalletsOfPeople(tx: Db, actor: Actor, organisationId: number): Promise<void> {
  for (const id of await findWalletsExemptWith(tx, organisationId)) {
    await markExempt(tx, id, { exempt: false, actor: `user:${actor.userId}` });
  }
}

async function putCredit(tx: Db, actor: Actor, organisation: OrganisationRow, limitNanoUsd: bigint): Promise<void> {
  const { id: organisationId, name } = organisation;
  const walletId = await walletOf(tx, organisation);
  const before = await changeCredit(tx, actor, { organisationId, walletId, limitNanoUsd, param: "credit_limit" });
  if (before === limitNanoUsd) return;
  await recordAuditEvent(tx, {
    by: authorOf(actor),
    action: "organisation.credit_limit",
    target: { kind: "organisation", id: organisationId, label: name },
    organisationId,
    before: { creditLimitNanoUsd: before },
    after: { creditLimitNanoUsd: limitNanoUsd },
  });
}

const walletOf = (tx: Db, { id, billingExempt }: OrganisationRow): Promise<number> =>
  openWallet(tx, { kind: "organisation", id, organisationId: id }, { exempt: billingExempt });

/**
 * Applies a change and returns the new row. @throws AppError conflict when another organisation has the slug or the
 * domain.
 */
export async function changedRow(tx: Db, id: number, change: OrganisationChange): Promise<OrganisationRow> {
  const after = await changeOrganisation(tx, id, change);
  if (after === "slug") throw apiError("conflict", { key: "rejections:slugTaken", param: "slug" });
  if (after === "portalDomain") {
    throw apiError("conflict", { key: "rejections:domainTaken", param: "portal_domain" });
  }
  return after;
}

/** Records an audit event with the fields that changed, if any did. */
export async function recordChange(
  tx: Db,
  actor: Actor,
  before: OrganisationRow,
  after: OrganisationRow,
  action: AuditAction,
): Promise<void> {
  const names = (Object.keys(after) as (keyof OrganisationRow)[]).filter(
    (name) => name !== "createdAt" && after[name] !== before[name],
  );
  if (names.length === 0) return;
  await recordAuditEvent(tx, {
    by: authorOf(actor),
    action,
    target: { kind: "organisation", id: after.id, label: after.name },
    organisationId: after.id,
    before: Object.fromEntries(names.map((name) => [name, before[name]])),
    after: Object.fromEntries(names.map((name) => [name, after[name]])),
  });
}

/** Sets an organisation's monthly budget (UTC) and records an audit event; null: no limit. */
export async function putMonthlyBudget(
  tx: Db,
  actor: Actor,
  organisation: OrganisationRow,
  { limitNanoUsd, expected }: Pick<NewBudget, "limitNanoUsd" | "expected">,
): Promise<void> {
  const scope = { kind: "organisation", id: organisation.id } as const;
  const now = await readBudget(tx, scope);
  if ((now?.limitNanoUsd ?? null) === limitNanoUsd && (now === null || now.period === "monthly")) return;
  await setBudget(tx, { ...scope, organisationId: organisation.id }, { limitNanoUsd, period: "monthly", expected });
  await recordAuditEvent(tx, {
    by: authorOf(actor),
    action: "organisation.monthly_budget",
    target: { kind: "organisation", id: organisation.id, label: organisation.name },
    organisationId: organisation.id,
    before: { limitNanoUsd: now?.limitNanoUsd ?? null, period: now?.period ?? null },
    after: { limitNanoUsd, period: "monthly" },
  });
}

/**
 * Closes an organisation that has no people left: its keys are revoked, invitations end, and its slug and domain become
 * free. Ledger and usage remain.
 * @throws AppError forbidden, not_found; conflict while it has people, money in its wallet, or resells to other organisations.
 */
export async function deleteOrganisation(db: Db, actor: Actor, organisationId: number): Promise<void> {
  if (!atLeast(actor.role, "platform_admin")) throw apiError("forbidden");
  await inTransaction(db, async (tx) => {
    await lockOrganisations(tx, [organisationId]);
    const organisation = await requireAccessibleOrganisation(tx, actor, organisationId, "platform_admin");
    const [people, resold, own, projects] = await Promise.all([
      countLivePeople(tx, organisationId),
      countResold(tx, organisationId),
      readBalances(tx, "organisation", [organisationId]),
      readBalances(tx, "project", await listProjectIds(tx, organisationId)),
    ]);
    if (people > 0) {
      throw apiError("conflict", {
        key: "rejections:organisationHasPeople",
        values: { count: people },
      });
    }
    if (resold > 0) throw apiError("conflict", { key: "rejections:organisationResells" });
    // A wallet that is not charged only counts what the calls would have cost.
    const wallets = [...own.values(), ...projects.values()].filter(({ exempt }) => !exempt);
    if (wallets.some(({ postedNanoUsd, heldNanoUsd }) => postedNanoUsd !== 0n || heldNanoUsd !== 0n)) {
      throw apiError("conflict", {
        key: "rejections:organisationHasMoney",
      });
    }
    await closeOrganisationRow(tx, organisationId, new Date());
    await publish(tx, "keys");
    await recordAuditEvent(tx, {
      by: authorOf(actor),
      action: "organisation.delete",
      target: { kind: "organisation", id: organisationId, label: organisation.name },
      organisationId,
      before: { name: organisation.name, slug: organisation.slug },
    });
  });
}

/** Returns one organisation with its totals. @throws AppError forbidden below organisation admin, not_found */
export async function readOrganisation(
  db: Db,
  actor: Actor,
  organisationId: number,
): Promise<{ row: OrganisationRow; view: OrganisationView; credit: OrganisationCredit }> {
  const row = await requireAccessibleOrganisation(db, actor, organisationId);
  const page = {
    q: null,
    sort: NEWEST_ORGANISATIONS,
    after: null,
    onlyId: organisationId,
    limit: 1,
    monthStart: monthStart(),
  };
  const [view] = await viewsOf(db, await findOrganisations(db, page));
  if (view === undefined) throw noSuchOrganisation();
  return { row, view, credit: await readOrganisationCredit(db, organisationId) };
}

async function viewsOf(db: Db, rows: readonly OrganisationStatsRow[]): Promise<OrganisationView[]> {
  const ids = rows.map(({ id }) => id);
  const [balances, budgets] = await Promise.all([
    readBalances(db, "organisation", ids),
    readBudgets(db, "organisation", ids),
  ]);
  return rows.map((row) => {
    const wallet = balances.get(row.id);
    const budget = budgets.get(row.id);
    return {
      id: row.id,
      name: row.name,
      slug: row.slug,
      billingExempt: row.billingExempt,
      people: row.people,
      admins: row.admins,
      keys: row.keys,
      departments: row.departments,
      projects: row.projects,
      monthlyBudgetNanoUsd: budget?.limitNanoUsd ?? null,
      budgetHeldNanoUsd: budget?.heldNanoUsd ?? 0n,
      spentNanoUsd: row.spent,
      walletNanoUsd: wallet?.postedNanoUsd ?? 0n,
      heldNanoUsd: wallet?.heldNanoUsd ?? 0n,
      creditLimitNanoUsd: wallet?.creditLimitNanoUsd ?? 0n,
      portalDomain: row.portalDomain,
      createdAt: row.createdAt,
    };
  });
}

function monthStart(): Date {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
}
