import { inTransaction, publish } from "~/bus.server";
import type { Db } from "~/db.server";
import { openWallet, readBalances } from "~/domain/accounting/index.server";
import { recordAuditEvent } from "~/domain/activity/index.server";
import type { AuditAction } from "~/domain/activity/shared";
import { rateLimitEmailTo } from "~/domain/identity/index.server";
import { type Actor, atLeast, authorOf, type Role } from "~/domain/identity/shared";
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

/** Somebody who is asked to pay, for the email that asks them. */
export type Nominee = Pick<Member, "id" | "email" | "name" | "language"> & {
  organisation: string;
  organisationId: number;
};
export type BillingUserChange = {
  /** Whose wallet pays from now on; null: the organisation's own. */
  billingUserId: number | null;
  /** Who is asked and has not answered. */
  nominatedUserId: number | null;
  /** Whoever has been asked just now. */
  asked: Nominee | null;
};

/**
 * Chooses the member whose wallet pays for everybody in the organisation. Oneself, and with null the organisation, is in
 * force for the next call. Somebody else is only nominated: until they accept, the payer stays who it was; another choice
 * ends the nomination. Repeating it changes nothing. The caller sends `asked` the email, in the same transaction.
 * @throws AppError forbidden below organisation admin, and for a person exempt from billing unless those who run the
 *   installation choose them; not_found for a foreign organisation, and for somebody who is no active member of it;
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
 * Asks a member to pay, instead of whoever was asked before, in the caller's transaction, which keeps the organisation.
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
 * Answers the question whether the actor's wallet pays for everybody in their organisation. Accepting is in force for the
 * next call and may be repeated.
 * @throws AppError not_found when nobody asks; forbidden when the actor has become exempt from billing in between.
 */
export async function answerNomination(db: Db, actor: Actor, answer: "accept" | "decline"): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { organisationId, userId } = actor;
    await lockOrganisations(tx, [organisationId]);
    const organisation = await requireAccessibleOrganisation(tx, actor, organisationId, "viewer");
    // The person first: what takes their rank or place away ends the question with it.
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
 * Stops paying for everybody in the actor's organisation: it pays for itself from the next call on.
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

/** What a person is asked to pay for, and what they pay for. */
export type BillingDuties = {
  organisation: string;
  /** How many people use what they pay for. */
  people: number;
  pays: boolean;
  /** Who asks, and since when; null: nobody. */
  asked: { by: string | null; at: Date } | null;
};

/** Null when the actor neither pays for others nor is asked to. */
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

/** Who is asked to pay for an organisation, as its admins see it. @throws AppError forbidden, not_found */
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

/** Somebody's own exemption is not given to a whole organisation by its own admins. */
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
