import { inTransaction, publish } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { openWallet, readBalances } from "~/domain/accounting/index.server";
import { rateLimitEmailTo } from "~/domain/accounts/index.server";
import { type Actor, atLeast, authorOf, type Role } from "~/domain/accounts/shared";
import { recordAuditEvent } from "~/domain/activity/index.server";
import type { AuditAction } from "~/domain/activity/shared";
import { apiError } from "~/errors/app-error";
import {
  deleteNominations,
  findMember,
  findName,
  findNomination,
  type Member,
  type NominationRow,
  putNomination,
} from "./billing-user-store";
import { changeOrganisation, countLivePeople, lockOrganisations, type OrganisationRow } from "./organisation-store";
import { requireAccessibleOrganisation } from "./require-accessible";

/** A person who is asked to pay, as recipient of the email. */
export type Nominee = Pick<Member, "id" | "email" | "name" | "language"> & {
  organisation: string;
  organisationId: number;
};
export type BillingUserChange = {
  /** The person whose wallet pays from now on; null: the organisation's own wallet pays. */
  billingUserId: number | null;
  /** The nominated person who has not answered yet. */
  nominatedUserId: number | null;
  /** The person who was nominated by this operation. */
  asked: Nominee | null;
};

/**
 * Chooses the member whose wallet pays for everyone in the organisation. A choice of the actor, or of the organisation
 * (null), takes effect with the next call. Another person is only nominated: until they accept, the payer does not
 * change. A different choice ends the nomination. Repeating it changes nothing. The caller sends `asked` the email, in
 * the same transaction.
 * @throws AppError forbidden below organisation admin, and for a billing-exempt person unless an owner or platform
 *   admin chooses them; not_found for a foreign organisation, and for a person who is not an active member;
 *   rate_limit_exceeded for too many emails to one address.
 */
export function setBillingUser(
  db: Db,
  actor: Actor,
  organisationId: number,
  userId: number | null,
): Promise<BillingUserChange> {
  return inTransaction(db, async (tx) => {
    await lockOrganisations(tx, [organisationId]);
    const organisation = await requireAccessibleOrganisation(tx, actor, organisationId);
    const { billingUserId } = organisation;
    const pending = await findNomination(tx, organisationId);
    const nominatedUserId = pending?.userId ?? null;
    if (nominatedUserId === null ? billingUserId === userId : nominatedUserId === userId) {
      return { billingUserId, nominatedUserId, asked: null };
    }
    const member = userId === null ? null : await findMember(tx, organisationId, userId);
    if (userId !== null && userId !== billingUserId && member === null) throw noSuchMember();
    if (member !== null && userId !== billingUserId && userId !== actor.userId) {
      return { billingUserId, nominatedUserId: member.id, asked: await nominate(tx, actor, organisation, member) };
    }
    if (member !== null && userId !== billingUserId) await refuseExempt(tx, actor.role, organisation, member);
    await deleteNominations(tx, [organisationId]);
    await putBillingUser(tx, organisation, member, userId);
    await record(tx, actor, organisation, "organisation.billing_user", {
      subjectUserId: userId,
      before: { billingUserId, nominatedUserId },
      after: { billingUserId: userId, nominatedUserId: null, email: member?.email ?? null },
    });
    return { billingUserId: userId, nominatedUserId: null, asked: null };
  });
}

/**
 * Nominates a member to pay, instead of an earlier nominee, in the caller's transaction, which has locked the
 * organisation.
 * @throws AppError forbidden, rate_limit_exceeded
 */
export async function nominate(tx: Db, actor: Actor, organisation: OrganisationRow, member: Member): Promise<Nominee> {
  const { id, email, name, language } = member;
  await refuseExempt(tx, actor.role, organisation, member);
  const before = await findNomination(tx, organisation.id);
  await rateLimitEmailTo(tx, actor, email);
  await putNomination(tx, { organisationId: organisation.id, userId: id, nominatedById: actor.userId });
  await record(tx, actor, organisation, "organisation.billing_user_nominate", {
    subjectUserId: id,
    before: { nominatedUserId: before?.userId ?? null },
    after: { nominatedUserId: id, email },
  });
  const called = organisation.brandName ?? organisation.name;
  return { id, email, name, language, organisation: called, organisationId: organisation.id };
}

/**
 * Answers the actor's nomination to pay for everyone in their organisation. Accepting takes effect with the next call
 * and may be repeated.
 * @throws AppError not_found when there is no nomination; forbidden when the actor has since become billing-exempt.
 */
export async function answerNomination(db: Db, actor: Actor, answer: "accept" | "decline"): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { organisationId, userId } = actor;
    await lockOrganisations(tx, [organisationId]);
    const organisation = await requireAccessibleOrganisation(tx, actor, organisationId, "viewer");
    // The person is locked first: an operation that ends their rank or membership also ends the nomination.
    const member = await findMember(tx, organisationId, userId);
    const pending = await findNomination(tx, organisationId);
    if (answer === "accept" && pending === null && organisation.billingUserId === userId) return;
    if (pending?.userId !== userId || member === null) throw notNominated();
    await deleteNominations(tx, [organisationId]);
    if (answer === "accept") {
      await refuseExempt(tx, await roleOfNominator(tx, pending), organisation, member);
      await putBillingUser(tx, organisation, member, userId);
    }
    const { billingUserId } = organisation;
    await record(tx, actor, organisation, `organisation.billing_user_${answer}`, {
      subjectUserId: userId,
      before: { billingUserId, nominatedUserId: userId },
      after: { billingUserId: answer === "accept" ? userId : billingUserId, nominatedUserId: null },
    });
  });
}

/**
 * Ends the actor's payments for their organisation, which pays for itself from the next call on.
 * @throws AppError not_found when the actor does not pay for it.
 */
export async function withdrawAsBillingUser(db: Db, actor: Actor): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { organisationId, userId } = actor;
    await lockOrganisations(tx, [organisationId]);
    const organisation = await requireAccessibleOrganisation(tx, actor, organisationId, "viewer");
    if (organisation.billingUserId !== userId) {
      throw apiError("not_found", { key: "problems:doNotPay" });
    }
    await putBillingUser(tx, organisation, null, null);
    await record(tx, actor, organisation, "organisation.billing_user_withdraw", {
      subjectUserId: userId,
      before: { billingUserId: userId },
      after: { billingUserId: null },
    });
  });
}

/** What a person pays for, or is asked to pay for. */
export type BillingDuties = {
  organisation: string;
  /** Number of people in the organisation. */
  people: number;
  pays: boolean;
  /** Who nominated the actor, and when; null: there is no nomination. */
  asked: { by: string | null; at: Date } | null;
};

/** Returns null when the actor neither pays for others nor is asked to. */
export async function readBillingDuties(db: Db, actor: Actor): Promise<BillingDuties | null> {
  const { organisationId, userId } = actor;
  const [organisation, pending] = await Promise.all([
    requireAccessibleOrganisation(db, actor, organisationId, "viewer"),
    findNomination(db, organisationId),
  ]);
  const pays = organisation.billingUserId === userId;
  const isAsked = pending?.userId === userId;
  if (!pays && !isAsked) return null;
  const by = isAsked && pending.nominatedById !== null ? await findName(db, pending.nominatedById) : null;
  return {
    organisation: organisation.brandName ?? organisation.name,
    people: await countLivePeople(db, organisationId),
    pays,
    asked: isAsked ? { by: by === null ? null : by.name || by.email, at: pending.nominatedAt } : null,
  };
}

/** Returns the nominee of an organisation, for its admins. @throws AppError forbidden, not_found */
export async function readNomination(
  db: Db,
  actor: Actor,
  organisationId: number,
): Promise<{ userId: number; name: string; at: Date } | null> {
  await requireAccessibleOrganisation(db, actor, organisationId);
  const pending = await findNomination(db, organisationId);
  const person = pending === null ? null : await findName(db, pending.userId);
  if (pending === null || person === null) return null;
  return { userId: pending.userId, name: person.name || person.email, at: pending.nominatedAt };
}

async function putBillingUser(
  tx: Db,
  organisation: OrganisationRow,
  member: Member | null,
  userId: number | null,
): Promise<void> {
  const { id: organisationId, billingUserId } = organisation;
  if (billingUserId === userId) return;
  if (member !== null) {
    await openWallet(tx, { kind: "user", id: member.id, organisationId }, { exempt: member.billingExempt });
  }
  await changeOrganisation(tx, organisationId, { billingUserId: userId });
  await publish(tx, "keys");
}

/** Prevents organisation admins from extending one person's exemption to the whole organisation. */
async function refuseExempt(tx: Db, role: Role, organisation: OrganisationRow, member: Member): Promise<void> {
  if (organisation.billingExempt || atLeast(role, "platform_admin")) return;
  const wallet = (await readBalances(tx, "user", [member.id])).get(member.id);
  if (!member.billingExempt && !wallet?.exempt) return;
  throw apiError("forbidden", {
    key: "problems:payerExempt",
    param: "billing_user_id",
  });
}

async function roleOfNominator(tx: Db, { nominatedById }: NominationRow): Promise<Role> {
  const person = nominatedById === null ? null : await findName(tx, nominatedById);
  return (person?.role ?? "member") as Role;
}

function record(
  tx: Db,
  actor: Actor,
  { id, name }: OrganisationRow,
  action: AuditAction,
  event: { subjectUserId: number | null; before: Record<string, unknown>; after: Record<string, unknown> },
): Promise<void> {
  return recordAuditEvent(tx, {
    by: authorOf(actor),
    action,
    target: { kind: "organisation", id, label: name },
    organisationId: id,
    ...event,
  });
}

const noSuchMember = () => apiError("not_found", { key: "problems:noActivePerson" });
const notNominated = () => apiError("not_found", { key: "problems:nobodyAsks" });
