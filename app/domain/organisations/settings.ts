import { announce, inTransaction } from "~/bus.server";
import type { Db } from "~/db.server";
import { openWallet } from "~/domain/accounting/index.server";
import { recordAct } from "~/domain/activity/index.server";
import { type Actor, atLeast, authorOf } from "~/domain/identity/shared";
import { refusal } from "~/errors/app-error";
import { changedRow, putMonthlyBudget, recordChange } from "./administer";
import {
  changeOrganisation,
  findByDomain,
  findMember,
  findPossiblePayers,
  lockOrganisations,
} from "./organisation-store";
import { reachedOrganisation } from "./reach";

/**
 * Nominates the member whose wallet pays for everybody in the organisation, or with null lets the organisation pay again.
 * In force for the next call. Repeating it changes nothing.
 * @throws AppError forbidden below organisation admin; not_found for a foreign organisation, and for somebody who is no
 *   active member of it.
 */
export async function setBillingUser(
  db: Db,
  actor: Actor,
  organisationId: number,
  userId: number | null,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    // The person first, as whoever changes their wallet or status does.
    const member = userId === null ? null : await findMember(tx, organisationId, userId);
    await lockOrganisations(tx, [organisationId]);
    const before = await reachedOrganisation(tx, actor, organisationId);
    if (before.billingUserId === userId) return;
    if (userId !== null && member === null) {
      throw refusal("not_found", { human: "There is no such active person in this organisation." });
    }
    if (member !== null) {
      await openWallet(tx, { kind: "user", id: member.id, organisationId }, { exempt: member.billingExempt });
    }
    await changeOrganisation(tx, organisationId, { billingUserId: userId });
    await announce(tx, "keys");
    await recordAct(tx, {
      by: authorOf(actor),
      action: "organisation.billing_user",
      target: { kind: "organisation", id: organisationId, label: before.name },
      organisationId,
      subjectUserId: userId,
      before: { billingUserId: before.billingUserId },
      after: { billingUserId: userId, email: member?.email ?? null },
    });
  });
}

/**
 * The most that an organisation may spend in a calendar month (UTC), in nano-USD; null: no limit.
 * @throws AppError forbidden below organisation admin, not_found
 */
export async function setOrganisationBudget(
  db: Db,
  actor: Actor,
  organisationId: number,
  limitNanoUsd: bigint | null,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const organisation = await reachedOrganisation(tx, actor, organisationId);
    await putMonthlyBudget(tx, actor, organisation, limitNanoUsd);
  });
}

export type OrganisationSettings = {
  name?: string;
  brandName?: string | null;
  accentColour?: string | null;
  supportEmail?: string | null;
  portalDomain?: string | null;
};

/**
 * Changes an organisation's name and looks. Its own portal domain is set by those who run the installation, because a
 * domain decides whose sign-in page people see.
 * @throws AppError forbidden, not_found; conflict when another organisation has the domain.
 */
export async function updateSettings(
  db: Db,
  actor: Actor,
  organisationId: number,
  settings: OrganisationSettings,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockOrganisations(tx, [organisationId]);
    const before = await reachedOrganisation(tx, actor, organisationId);
    const { portalDomain } = settings;
    if (portalDomain !== undefined && portalDomain !== before.portalDomain && !atLeast(actor.role, "platform_admin")) {
      throw refusal("forbidden", { human: "The portal domain is set by those who run this installation." });
    }
    const after = await changedRow(tx, organisationId, settings);
    await recordChange(tx, actor, before, after, "organisation.settings");
  });
}

/** Active people whose wallet could pay for the organisation, by address. @throws AppError forbidden, not_found */
export async function listPossiblePayers(db: Db, actor: Actor, organisationId: number) {
  await reachedOrganisation(db, actor, organisationId);
  return findPossiblePayers(db, organisationId);
}

/** The organisation whose portal a host name is, and how it looks; null: the installation's own. */
export const organisationOfDomain = (db: Db, host: string) => findByDomain(db, host.toLowerCase());
