import type { Db } from "~/connection/db.server";
import type { Cursor } from "~/connection/keyset-store";
import { readBalances, readBudgets } from "~/domain/accounting/index.server";
import type { BudgetView } from "~/domain/accounting/shared";
import { type Actor, atLeast, type Role, type UserStatus } from "~/domain/accounts/shared";
import { effectivePayer, type PayerReason } from "~/domain/payers/shared";
import { apiError } from "~/errors/app-error";
import { findChoices, findPeople, type PersonRow } from "./list-store";
import { type AccessScope, listScopeOf } from "./rules";
import type { PeopleFilter, PeopleSort } from "./shared";

/** One row of the list of people. Amounts are nano-USD; `spentNanoUsd` counts from the start of the month (UTC). */
export type PersonView = {
  id: number;
  email: string;
  name: string;
  organisationId: number;
  organisation: string;
  departmentId: number | null;
  department: string | null;
  role: Role;
  status: UserStatus;
  billingExempt: boolean;
  organisationExempt: boolean;
  billingMode: "inherit" | "own";
  /** The payer: none, the organisation, the person, or another person by address. */
  payer: { kind: "nobody" | "organisation" | "self" } | { kind: "person"; email: string };
  payerReason: PayerReason;
  budget: BudgetView | null;
  creditLimitNanoUsd: bigint;
  spentNanoUsd: bigint;
  keys: number;
  providers: readonly string[];
  termsVersion: string | null;
  emailVerifiedAt: Date | null;
  lastSeenAt: Date | null;
  createdAt: Date;
};

export type PeoplePage = {
  people: PersonView[];
  /** Cursor of the next page; null: this is the last page. */
  next: Cursor | null;
};

/**
 * Returns people in the actor's scope with their balances, in the requested order.
 * @throws AppError forbidden below department admin
 */
export async function listPeople(
  db: Db,
  actor: Actor,
  query: { filter: PeopleFilter; sort: PeopleSort; after: PeoplePage["next"]; limit: number },
): Promise<PeoplePage> {
  const now = new Date();
  const monthStart = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  const { limit } = query;
  const matches = await findPeople(db, { ...query, accessScope: listScope(actor), limit: limit + 1, monthStart, now });
  const rows = matches.slice(0, limit);
  const last = rows.at(-1);
  return {
    people: await viewsOf(db, rows),
    next: matches.length > rows.length && last ? { id: last.id, value: last.sort_value } : null,
  };
}

/** Returns the options of the filters. @throws AppError forbidden */
export function listChoices(db: Db, actor: Actor, organisationId: number | null) {
  return findChoices(db, listScope(actor), organisationId);
}

export async function viewsOf(db: Db, rows: readonly PersonRow[]): Promise<PersonView[]> {
  const ids = rows.map(({ id }) => id);
  const [budgets, balances] = await Promise.all([readBudgets(db, "user", ids), readBalances(db, "user", ids)]);
  return rows.map((row) => ({
    id: row.id,
    email: row.email,
    name: row.name,
    organisationId: row.organisation_id,
    organisation: row.organisation,
    departmentId: row.department_id,
    department: row.department,
    role: row.role as Role,
    status: row.status as UserStatus,
    billingExempt: row.billing_exempt,
    organisationExempt: row.organisation_exempt,
    billingMode: row.billing_mode === "own" ? "own" : "inherit",
    ...payerOf(row),
    budget: budgets.get(row.id) ?? null,
    creditLimitNanoUsd: balances.get(row.id)?.creditLimitNanoUsd ?? 0n,
    spentNanoUsd: row.spent_nano,
    keys: row.keys,
    providers: row.providers,
    termsVersion: row.terms_version,
    emailVerifiedAt: row.email_verified_at,
    lastSeenAt: row.last_seen_at,
    createdAt: row.created_at,
  }));
}

/** Returns who pays for a person's usage outside of projects. */
function payerOf(row: PersonRow): Pick<PersonView, "payer" | "payerReason"> {
  const { payer_id: billingUserId, payer_status: status, payer_exempt: billingExempt } = row;
  const { id, reason, exempt, kind } = effectivePayer({
    fundedProjectId: null,
    owner: { id: row.id, billingMode: row.billing_mode, billingExempt: row.billing_exempt },
    billingUser:
      billingUserId === null ? null : { id: billingUserId, status: status!, billingExempt: billingExempt === true },
    delegatedPayer: delegateOf(row),
    organisation: { id: row.organisation_id, billingExempt: row.organisation_exempt },
  });
  if (exempt) return { payer: { kind: "nobody" }, payerReason: "exempt" };
  if (kind === "organisation") return { payer: { kind }, payerReason: reason };
  if (id === row.id) return { payer: { kind: "self" }, payerReason: reason };
  const email = reason === "delegated" ? row.delegate_email! : row.payer_email!;
  return { payer: { kind: "person", email }, payerReason: reason };
}

function delegateOf(row: PersonRow) {
  const { delegate_id: id, delegate_status: status, delegate_mode: billingMode } = row;
  if (id === null) return null;
  return { id, status: status!, billingMode: billingMode!, billingExempt: row.delegate_exempt === true };
}

function listScope(actor: Actor): AccessScope {
  if (!atLeast(actor.role, "department_admin")) throw apiError("forbidden");
  const accessScope = listScopeOf(actor);
  // A department admin without a department sees no people.
  return accessScope ?? { kind: "department", organisationId: actor.organisationId, departmentId: 0 };
}
