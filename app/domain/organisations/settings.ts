import { inTransaction, publish } from "~/bus.server";
import type { Db } from "~/db.server";
import { recordAuditEvent } from "~/domain/activity/index.server";
import { type Actor, atLeast, authorOf } from "~/domain/identity/shared";
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
    const organisation = await requireAccessibleOrganisation(tx, actor, organisationId);
    await putMonthlyBudget(tx, actor, organisation, limitNanoUsd);
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
 * Changes an organisation's name and branding. Its own portal domain is set by those who run the installation, because a
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
 * How `auto` chooses where neither a key nor its owner says so, and the model that savings are told against; null: as the
 * installation does. In force everywhere within a second.
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
 * Whether figures of the organisation's requests stand in the quality explorer, and in groups of how many at least. Holds for
 * what was requested before as well: who opts out is gone from it at once.
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

/** What an organisation has set about the quality explorer. @throws AppError forbidden, not_found */
export async function readOrganisationQuality(
  db: Db,
  actor: Actor,
  organisationId: number,
): Promise<QualitySetting & { name: string }> {
  const { qualityOptIn, qualityMinimum, name } = await requireAccessibleOrganisation(db, actor, organisationId);
  return { qualityOptIn, qualityMinimum, name };
}

/**
 * Writes down whether and how an organisation's requests and answers are stored; null: not at all. Whoever calls it sees to what is
 * stored already.
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
    // The words are what must not be written down.
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

/** Whether and how an organisation's requests and answers are stored; null: not at all. Its people may know it. */
export const readConversationSettings = (db: Db, organisationId: number): Promise<ConversationSettings | null> =>
  findConversationSettings(db, organisationId);

/** Active people whose wallet could pay for the organisation, by address. @throws AppError forbidden, not_found */
export async function listPossiblePayers(db: Db, actor: Actor, organisationId: number) {
  await requireAccessibleOrganisation(db, actor, organisationId);
  return findPossiblePayers(db, organisationId);
}

/** The organisation whose portal a host name is, and how it looks; null: the installation's own. */
export const organisationOfDomain = (db: Db, host: string) => findByDomain(db, host.toLowerCase());
