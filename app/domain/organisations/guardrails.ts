import type { Db } from "~/connection/db.server";
import { type Actor, authorOf } from "~/domain/accounts/shared";
import {
  changeGuardrails,
  changeGuardrailWebhook,
  type LockedHolder,
  readGuardrails,
} from "~/domain/guardrails/index.server";
import type {
  GuardrailChange,
  GuardrailRule,
  GuardrailWebhook,
  GuardrailWebhookChange,
} from "~/domain/guardrails/shared";
import { lockOrganisations } from "./organisation-store";
import { requireAccessibleOrganisation } from "./require-accessible";

/**
 * Adds a guardrail to every key of an organisation, or removes one.
 * @throws AppError forbidden below organisation admin; not_found; as `changeGuardrails`
 */
export const changeOrganisationGuardrails = (
  db: Db,
  actor: Actor,
  organisationId: number,
  change: GuardrailChange,
): Promise<GuardrailRule[]> =>
  changeGuardrails(db, actor, change, (tx) => lockedOrganisation(tx, actor, organisationId));

/**
 * Saves, rotates the secret of, or removes the webhook that checks requests of every key of an organisation before they
 * are sent.
 * @throws AppError forbidden below organisation admin; not_found; as `changeGuardrailWebhook`
 */
export const changeOrganisationGuardrailWebhook = (
  db: Db,
  actor: Actor,
  organisationId: number,
  change: GuardrailWebhookChange,
): Promise<string | null> => changeGuardrailWebhook(db, change, (tx) => lockedOrganisation(tx, actor, organisationId));

async function lockedOrganisation(tx: Db, actor: Actor, id: number): Promise<LockedHolder> {
  await lockOrganisations(tx, [id]);
  const { name } = await requireAccessibleOrganisation(tx, actor, id);
  const target = { kind: "organisation", id, label: name };
  return {
    kind: "organisation",
    id,
    event: { by: authorOf(actor), action: "organisation.guardrails", target, organisationId: id },
  };
}

/** Returns all guardrails of an organisation. @throws AppError forbidden below organisation admin, not_found */
export async function readOrganisationGuardrails(
  db: Db,
  actor: Actor,
  id: number,
): Promise<{ name: string; rules: GuardrailRule[]; webhook: GuardrailWebhook | null }> {
  const { name } = await requireAccessibleOrganisation(db, actor, id);
  return { name, ...(await readGuardrails(db, { kind: "organisation", id })) };
}
