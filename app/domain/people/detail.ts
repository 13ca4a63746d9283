import type { Db } from "~/connection/db.server";
import { readBalances } from "~/domain/accounting/index.server";
import type { Balance } from "~/domain/accounting/shared";
import type { Actor, Role } from "~/domain/accounts/shared";
import { readMaxCredit } from "~/domain/payers/index.server";
import { type PersonView, viewsOf } from "./list";
import { findChoices, findPeople } from "./list-store";
import { denialReason, grantableRoles, OPERATIONS, type Operation } from "./rules";
import { NEWEST_PEOPLE } from "./shared";
import { type Consequences, previewConsequences } from "./status";
import { noSuchPerson, requireAccessible, requireOperation } from "./target";

/** A person as an administrator sees them, with the operations that this administrator may perform. */
export type PersonDetail = {
  person: PersonView;
  wallet: Balance | null;
  /** Maximum credit limit that the actor may give, in nano-USD; null: unlimited. */
  mostCreditNanoUsd: bigint | null;
  consequences: Consequences;
  allowed: readonly Operation[];
  grantable: readonly Role[];
  organisations: readonly { id: number; name: string }[];
  departments: readonly { id: number; name: string }[];
};

/**
 * Returns one person in the actor's access scope.
 * @throws AppError forbidden below department admin; not_found, the same for a person outside the scope and for an
 *   unknown id.
 */
export async function readPerson(db: Db, actor: Actor, userId: number): Promise<PersonDetail> {
  requireOperation(actor, "view");
  const target = await requireAccessible(db, actor, userId);
  const now = new Date();
  const monthStart = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  const { organisationId } = target;
  const [rows, balances, consequences, choices, departments] = await Promise.all([
    findPeople(db, {
      // The list is in descending order of ids, so the page after `id + 1` begins with this person.
      accessScope: { kind: "organisation", organisationId },
      filter: target.status === "deleted" ? { status: "deleted" } : {},
      sort: NEWEST_PEOPLE,
      after: { id: userId + 1, value: String(userId + 1) },
      limit: 1,
      monthStart,
      now,
    }),
    readBalances(db, "user", [userId]),
    previewConsequences(db, actor, userId),
    findChoices(db, { kind: "everything" }, null),
    findChoices(db, { kind: "organisation", organisationId }, null),
  ]);
  const [person] = await viewsOf(db, rows);
  if (person?.id !== userId) throw noSuchPerson();
  const allowed = (Object.keys(OPERATIONS) as Operation[]).filter(
    (operation) => denialReason(actor, operation, target) === null,
  );
  const wallet = balances.get(userId) ?? null;
  return {
    person,
    wallet,
    mostCreditNanoUsd: allowed.includes("credit-limit") ? await readMaxCredit(db, actor, organisationId, wallet) : null,
    consequences,
    allowed,
    grantable: allowed.includes("role") ? grantableRoles(actor.role) : [],
    organisations: allowed.includes("org") ? choices.organisations : [],
    departments: allowed.includes("department") ? departments.departments : [],
  };
}
