import type { Db } from "~/db.server";
import { readBalances } from "~/domain/accounting/index.server";
import type { Balance } from "~/domain/accounting/shared";
import { type PersonView, viewsOf } from "./administer-list";
import { findChoices, findPeople } from "./administer-list-store";
import { denialReason, grantableRoles, OPERATIONS, type Operation } from "./administer-rules";
import { type Consequences, previewConsequences } from "./administer-status";
import { noSuchPerson, requireAccessible, requireOperation } from "./administer-target";
import { readMaxCredit } from "./credit";
import type { Actor, Role } from "./shared";

/** A person as an administrator sees them, with what that administrator may do to them. */
export type PersonDetail = {
  person: PersonView;
  wallet: Balance | null;
  /** The highest credit limit that the reader may give, in nano-USD; null: any. */
  mostCreditNanoUsd: bigint | null;
  consequences: Consequences;
  allowed: readonly Operation[];
  grantable: readonly Role[];
  organisations: readonly { id: number; name: string }[];
  departments: readonly { id: number; name: string }[];
};

/**
 * One person in the actor's access scope.
 * @throws AppError forbidden below department admin; not_found, the same for somebody outside it and for nobody.
 */
export async function readPerson(db: Db, actor: Actor, userId: number): Promise<PersonDetail> {
  requireOperation(actor, "view");
  const target = await requireAccessible(db, actor, userId);
  const now = new Date();
  const monthStart = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  const { organisationId } = target;
  const [rows, balances, consequences, choices, departments] = await Promise.all([
    findPeople(db, {
      // The id after this one, downwards, is this one.
      accessScope: { kind: "organisation", organisationId },
      filter: target.status === "deleted" ? { status: "deleted" } : {},
      sort: "newest",
      after: { id: userId + 1, email: "" },
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
