import { inTransaction, publish } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { mergeBudgets, mergeWallets, openWallet, readBalances } from "~/domain/accounting/index.server";
import { type Actor, atLeast, authorOf, type Role } from "~/domain/accounts/shared";
import { recordAuditEvent } from "~/domain/activity/index.server";
import { grantableRoles, leaveRole, revokeExcessAccess } from "~/domain/people/index.server";
import { apiError } from "~/errors/app-error";
import { MAX_NANO_USD } from "~/values/money";
import { countWalletsOfPeople } from "./administer";
import { type BillingUserChange, type Nominee, nominate } from "./billing-user";
import { deleteNominations, findMember } from "./billing-user-store";
import {
  closeMergedOrganisations,
  countActiveOwners,
  countMergeable,
  findActivePerson,
  findAdministrators,
  findPeopleOf,
  lockBelongings,
  type MergeCounts,
  type MergeMember,
  type Moved,
  moveEverything,
  setBillingUserRow,
  setRoles,
} from "./merge-store";
import { changeOrganisation, findOrganisation, lockOrganisations, type OrganisationRow } from "./organisation-store";
import { noSuchOrganisation, requireAccessibleOrganisation } from "./require-accessible";

export type Merge = {
  targetId: number;
  sourceIds: readonly number[];
  /**
   * The payer afterwards; undefined: the target's payer. The actor, or a person who already pays for one of the
   * organisations, pays at once. Any other person is nominated, and the target's payer remains until they accept.
   */
  billingUserId?: number | null;
  /** New roles of owners and admins of all these organisations, by person; the others keep their role. */
  roles: ReadonlyMap<number, Role>;
};
type Merged = Moved & { movedNanoUsd: bigint };
/** Result of a merge; `asked`: the nominee, who gets an email. */
export type MergeOutcome = Merged & Pick<BillingUserChange, "nominatedUserId" | "asked">;

/** Data of one organisation for the merge dialog. Amounts are nano-USD. */
export type MergeData = {
  organisation: { id: number; name: string; slug: string; billingExempt: boolean };
  members: readonly MergeMember[];
  billingUserId: number | null;
  moves: MergeCounts;
  walletNanoUsd: bigint;
  heldNanoUsd: bigint;
  creditLimitNanoUsd: bigint;
};

/** @throws AppError forbidden below platform admin, not_found */
export async function readMergeData(db: Db, actor: Actor, organisationId: number): Promise<MergeData> {
  if (!atLeast(actor.role, "platform_admin")) throw apiError("forbidden");
  const organisation = await requireAccessibleOrganisation(db, actor, organisationId, "platform_admin");
  const [members, moves, balances] = await Promise.all([
    findPeopleOf(db, organisationId),
    countMergeable(db, organisationId),
    readBalances(db, "organisation", [organisationId]),
  ]);
  const wallet = balances.get(organisationId);
  const { id, name, slug, billingExempt, billingUserId } = organisation;
  return {
    organisation: { id, name, slug, billingExempt },
    members,
    billingUserId,
    moves,
    walletNanoUsd: wallet?.postedNanoUsd ?? 0n,
    heldNanoUsd: wallet?.heldNanoUsd ?? 0n,
    creditLimitNanoUsd: wallet?.creditLimitNanoUsd ?? 0n,
  };
}

/**
 * Merges organisations into one, in one transaction: people, keys, departments, projects, invitations, budgets, money,
 * credit and credit ceilings. Money that in-flight calls hold stays until they end and then follows; the total is
 * unchanged to the nano-dollar. Keys continue to work; a call that is admitted elsewhere during the merge may be
 * rejected for lack of funds. Past usage remains in the history of the organisation that used it. The sources are
 * closed.
 * @throws AppError forbidden below platform admin, and for a role that is not below the actor's; not_found for an
 *   organisation or person that does not take part; invalid_input for no source, or the target among them; conflict
 *   when no owner would remain; rate_limit_exceeded for too many emails to the nominee.
 */
export async function mergeOrganisations(db: Db, actor: Actor, merge: Merge): Promise<MergeOutcome> {
  if (!atLeast(actor.role, "platform_admin")) throw apiError("forbidden");
  const { targetId, billingUserId } = merge;
  const sourceIds = [...new Set(merge.sourceIds)].sort((a, b) => a - b);
  if (sourceIds.length === 0 || sourceIds.includes(targetId)) {
    throw apiError("invalid_input", {
      key: "rejections:mergeChoice",
      param: "source_org_ids",
    });
  }
  return inTransaction(db, async (tx) => {
    await lockOrganisations(tx, [targetId, ...sourceIds]);
    await lockBelongings(tx, [targetId, ...sourceIds]);
    const target = await requireOrganisation(tx, targetId);
    const sources: OrganisationRow[] = [];
    for (const id of sourceIds) sources.push(await requireOrganisation(tx, id));
    const changes = await roleChanges(tx, actor, [targetId, ...sourceIds], merge.roles);
    await setRoles(tx, new Map(changes.map(({ id, to }) => [id, to])));
    for (const { id, from, to } of changes) await leaveRole(tx, actor, { userId: id, from, to });
    if ((await countActiveOwners(tx)) === 0) {
      throw apiError("conflict", { key: "rejections:ownerHasToStay" });
    }
    const payers = await payersOf(tx, actor, { target, sources, billingUserId });
    const movedNanoUsd = await moveMoney(tx, actor, target, sources);
    const moved = await moveEverything(tx, targetId, sourceIds);
    // Runs after the moves, because the new locations decide what a new role still gives access to.
    for (const { id } of changes) await revokeExcessAccess(tx, actor, id, { revokeAdminKeys: true });
    await mergeBudgets(tx, targetId, sourceIds);
    if (!target.billingExempt) await countWalletsOfPeople(tx, actor, targetId);
    await closeMergedOrganisations(tx, targetId, sourceIds, new Date());
    await changeOrganisation(tx, targetId, { creditCeilingNanoUsd: ceilingOf([target, ...sources]) });
    await setBillingUserRow(tx, targetId, payers.payerId);
    const nominee = await answerWhoPays(tx, actor, target, payers);
    await publish(tx, "keys");
    const merged = { ...moved, movedNanoUsd };
    await record(tx, actor, { target, sources, changes, payerId: payers.payerId, merged });
    return { ...merged, nominatedUserId: nominee?.id ?? null, asked: nominee };
  });
}

type Payers = { payerId: number | null; nomineeId: number | null; isDecided: boolean };

/**
 * Returns the payer afterwards and the nominee. A person who has agreed to pay for one of the organisations pays for
 * all of them.
 */
async function payersOf(
  tx: Db,
  actor: Actor,
  merge: { target: OrganisationRow; sources: readonly OrganisationRow[]; billingUserId: number | null | undefined },
): Promise<Payers> {
  const { target, sources, billingUserId } = merge;
  const all = [target, ...sources];
  const newBillingUserId = billingUserId === undefined ? target.billingUserId : billingUserId;
  const ids = all.map(({ id }) => id);
  if (newBillingUserId !== null && (await findActivePerson(tx, ids, newBillingUserId)) === null) {
    throw apiError("not_found", { key: "rejections:billingUserTakesPart", param: "billing_user_id" });
  }
  const isDecided = newBillingUserId !== target.billingUserId;
  const agreed =
    newBillingUserId === null ||
    newBillingUserId === actor.userId ||
    all.some((each) => each.billingUserId === newBillingUserId);
  return agreed
    ? { payerId: newBillingUserId, nomineeId: null, isDecided }
    : { payerId: target.billingUserId, nomineeId: newBillingUserId, isDecided };
}

/** Nominates the person who must agree, and ends an earlier nomination if a different choice was made. */
async function answerWhoPays(tx: Db, actor: Actor, target: OrganisationRow, payers: Payers): Promise<Nominee | null> {
  const { nomineeId, isDecided } = payers;
  const member = nomineeId === null ? null : await findMember(tx, target.id, nomineeId);
  if (member !== null) return nominate(tx, actor, target, member);
  if (isDecided) await deleteNominations(tx, [target.id]);
  return null;
}

async function requireOrganisation(tx: Db, id: number): Promise<OrganisationRow> {
  const organisation = await findOrganisation(tx, id);
  if (organisation === null) throw noSuchOrganisation();
  return organisation;
}

type RoleChange = { id: number; email: string; from: Role; to: Role; organisationId: number };

async function roleChanges(
  tx: Db,
  actor: Actor,
  organisationIds: readonly number[],
  roles: ReadonlyMap<number, Role>,
): Promise<RoleChange[]> {
  const people = new Map((await findAdministrators(tx, organisationIds)).map((person) => [person.id, person]));
  const changes: RoleChange[] = [];
  for (const [id, to] of roles) {
    const person = people.get(id);
    if (person === undefined) throw apiError("not_found", { key: "rejections:noAdminToGiveRole", param: `role_${id}` });
    const from = person.role as Role;
    if (from === to) continue;
    const below = actor.role === "owner" || !atLeast(from, actor.role);
    if (!below || !grantableRoles(actor.role).includes(to)) throw above(id);
    changes.push({ id, email: person.email, from, to, organisationId: person.organisationId });
  }
  return changes;
}

const above = (personId: number) =>
  apiError("forbidden", { key: "rejections:mergeRolesBelowYours", param: `role_${personId}` });

/** The sum of the ceilings, because the credit under them is summed too. */
function ceilingOf(organisations: readonly OrganisationRow[]): bigint {
  const sum = organisations.reduce((total, { creditCeilingNanoUsd }) => total + creditCeilingNanoUsd, 0n);
  if (sum > MAX_NANO_USD) return MAX_NANO_USD;
  return sum;
}

/** Merges the wallets of the sources into the target's. Returns the moved amount. */
async function moveMoney(
  tx: Db,
  actor: Actor,
  target: OrganisationRow,
  sources: readonly OrganisationRow[],
): Promise<bigint> {
  const walletOf = ({ id, billingExempt }: OrganisationRow) =>
    openWallet(tx, { kind: "organisation", id, organisationId: id }, { exempt: billingExempt });
  const toId = await walletOf(target);
  let moved = 0n;
  for (const source of sources) {
    const fromId = await walletOf(source);
    moved += await mergeWallets(tx, { fromId, toId, withCredit: true, actor: `user:${actor.userId}` });
  }
  return moved;
}

async function record(
  tx: Db,
  actor: Actor,
  merge: {
    target: OrganisationRow;
    sources: readonly OrganisationRow[];
    changes: readonly RoleChange[];
    payerId: number | null;
    merged: Merged;
  },
): Promise<void> {
  const { target, sources, changes, payerId, merged } = merge;
  const by = authorOf(actor);
  await recordAuditEvent(tx, {
    by,
    action: "organisation.merge",
    target: { kind: "organisation", id: target.id, label: target.name },
    organisationId: target.id,
    before: { billingUserId: target.billingUserId, creditCeilingNanoUsd: target.creditCeilingNanoUsd },
    after: {
      creditCeilingNanoUsd: ceilingOf([target, ...sources]),
      from: sources.map(({ id, name }) => ({ id, name })),
      billingUserId: payerId,
      ...merged,
    },
  });
  for (const source of sources) {
    await recordAuditEvent(tx, {
      by,
      action: "organisation.merged_away",
      target: { kind: "organisation", id: source.id, label: source.name },
      organisationId: source.id,
      after: { into: { id: target.id, name: target.name } },
    });
  }
  for (const { id, email, from, to } of changes) {
    await recordAuditEvent(tx, {
      by,
      action: "user.role",
      target: { kind: "user", id, label: email },
      organisationId: target.id,
      subjectUserId: id,
      before: { role: from },
      after: { role: to },
    });
  }
}
