import { inTransaction, publish } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import type { NewBudget } from "~/domain/accounting/shared";
import { type Actor, atLeast, authorOf } from "~/domain/accounts/shared";
import { recordAuditEvent } from "~/domain/activity/index.server";
import { apiError } from "~/errors/app-error";
import { changedRow, putMonthlyBudget, recordChange } from "./administer";
import {
  changeConversationSettings,
  findByDomain,
  findConversationSettings,
  findPossiblePayers,
  lockOrganisations,
} from "./organisation-store";
import { requireAccessibleOrganisation } from "./require-accessible";
import type { ConversationSettings } from "./shared";

/**
 * Sets the maximum that an organisation may spend in a calendar month (UTC), in nano-USD; null: no limit.
 * `expected`: the budget that it replaces.
 * @throws AppError forbidden below organisation admin, not_found; conflict when the budget is not the expected one
 */
export async function setOrganisationBudget(
  db: Db,
  actor: Actor,
  organisationId: number,
  budget: Pick<NewBudget, "limitNanoUsd" | "expected">,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const organisation = await requireAccessibleOrganisation(tx, actor, organisationId);
    await putMonthlyBudget(tx, actor, organisation, budget);
  });
}

type QualitySetting = { qualityOptIn: boolean; qualityMinimum: number };

export type OrganisationSettings = {
  name?: string;
  brandName?: string | null;
  accentColour?: string | null;
  supportEmail?: string | null;
  portalDomain?: string | null;
};

/**
 * Changes an organisation's name and branding. Only owners and platform admins set its portal domain, because a domain
 * decides whose sign-in page people see.
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
    const before = await requireAccessibleOrganisation(tx, actor, organisationId);
    const { portalDomain } = settings;
    if (portalDomain !== undefined && portalDomain !== before.portalDomain && !atLeast(actor.role, "platform_admin")) {
      throw apiError("forbidden", { key: "rejections:domainByOperator" });
    }
    const after = await changedRow(tx, organisationId, settings);
    await recordChange(tx, actor, before, after, "organisation.settings");
  });
}

/**
 * Sets how `auto` chooses for keys without a setting of their own or of their owner, and the model that savings are
 * compared with; null: the installation's setting. Takes effect everywhere within a second.
 * @throws AppError forbidden below organisation admin, not_found
 */
export async function setOrganisationAutorouter(
  db: Db,
  actor: Actor,
  organisationId: number,
  setting: { autorouter: string | null; autorouterDefault: string | null },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockOrganisations(tx, [organisationId]);
    const before = await requireAccessibleOrganisation(tx, actor, organisationId);
    const after = await changedRow(tx, organisationId, setting);
    await recordChange(tx, actor, before, after, "organisation.autorouter");
    await publish(tx, "keys");
  });
}

/**
 * Sets whether the quality explorer shows statistics of the organisation's requests, and the minimum size of its
 * groups. Applies to past requests too: an organisation that opts out disappears from it at once.
 * @throws AppError forbidden below organisation admin, not_found
 */
export async function setOrganisationQuality(
  db: Db,
  actor: Actor,
  organisationId: number,
  setting: QualitySetting,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockOrganisations(tx, [organisationId]);
    const before = await requireAccessibleOrganisation(tx, actor, organisationId);
    const after = await changedRow(tx, organisationId, setting);
    await recordChange(tx, actor, before, after, "organisation.quality");
  });
}

/** Returns an organisation's settings for the quality explorer. @throws AppError forbidden, not_found */
export async function readOrganisationQuality(
  db: Db,
  actor: Actor,
  organisationId: number,
): Promise<QualitySetting & { name: string }> {
  const { qualityOptIn, qualityMinimum, name } = await requireAccessibleOrganisation(db, actor, organisationId);
  return { qualityOptIn, qualityMinimum, name };
}

/**
 * Sets whether and how an organisation's requests and answers are stored; null: they are not stored. The caller handles
 * what is already stored.
 * @throws AppError forbidden below organisation admin, not_found
 */
export async function setOrganisationConversations(
  db: Db,
  actor: Actor,
  organisationId: number,
  settings: ConversationSettings | null,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockOrganisations(tx, [organisationId]);
    const organisation = await requireAccessibleOrganisation(tx, actor, organisationId);
    const before = await findConversationSettings(tx, organisationId);
    await changeConversationSettings(tx, organisationId, settings);
    // The words themselves must not appear in the audit log.
    const written = (value: ConversationSettings | null) =>
      value === null
        ? { stored: false }
        : { stored: true, days: value.days, redact: value.redact, words: value.words.length };
    await recordAuditEvent(tx, {
      by: authorOf(actor),
      action: "organisation.conversations",
      target: { kind: "organisation", id: organisationId, label: organisation.name },
      organisationId,
      before: written(before),
      after: written(settings),
    });
    await publish(tx, "keys");
  });
}

/**
 * Returns whether and how an organisation's requests and answers are stored; null: they are not stored. Open to all
 * people of the organisation.
 */
export const readConversationSettings = (db: Db, organisationId: number): Promise<ConversationSettings | null> =>
  findConversationSettings(db, organisationId);

/**
 * Returns active people whose wallet could pay for the organisation, by address. @throws AppError forbidden, not_found
 */
export async function listPossiblePayers(db: Db, actor: Actor, organisationId: number) {
  await requireAccessibleOrganisation(db, actor, organisationId);
  return findPossiblePayers(db, organisationId);
}

/** Returns the organisation of a portal's host name, with its branding; null: the installation's own portal. */
export const organisationOfDomain = (db: Db, host: string) => findByDomain(db, host.toLowerCase());
