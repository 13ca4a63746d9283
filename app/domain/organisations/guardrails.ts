import { inTransaction, publish } from "~/bus.server";
import type { Db } from "~/db.server";
import { recordAuditEvent } from "~/domain/activity/index.server";
import { changedRules, describeRules } from "~/domain/guardrails/index.server";
import type { GuardrailChange, GuardrailRule } from "~/domain/guardrails/shared";
import { type Actor, authorOf } from "~/domain/identity/shared";
import { changeGuardrails, findGuardrails, lockOrganisations } from "./organisation-store";
import { requireAccessibleOrganisation } from "./require-accessible";

/**
 * Adds a guardrail that holds for every key of an organisation, or removes one; two at once both count. In force everywhere within a
 * second. In the audit log, without the words and patterns themselves.
 * @throws AppError forbidden below organisation admin; not_found; invalid_input for a rule that cannot be used, or one too many
 */
export async function changeOrganisationGuardrails(
  db: Db,
  actor: Actor,
  organisationId: number,
  change: GuardrailChange,
): Promise<GuardrailRule[]> {
  return inTransaction(db, async (tx) => {
    await lockOrganisations(tx, [organisationId]);
    const organisation = await requireAccessibleOrganisation(tx, actor, organisationId);
    const before = await findGuardrails(tx, organisationId);
    const after = changedRules(before, change);
    await changeGuardrails(tx, organisationId, after);
    await recordAuditEvent(tx, {
      by: authorOf(actor),
      action: "organisation.guardrails",
      target: { kind: "organisation", id: organisationId, label: organisation.name },
      organisationId,
      before: describeRules(before),
      after: describeRules(after),
    });
    await publish(tx, "keys");
    return after;
  });
}

/** The guardrails of an organisation, whole. @throws AppError forbidden below organisation admin, not_found */
export async function readOrganisationGuardrails(
  db: Db,
  actor: Actor,
  organisationId: number,
): Promise<{ name: string; rules: GuardrailRule[] }> {
  const { name } = await requireAccessibleOrganisation(db, actor, organisationId);
  return { name, rules: await findGuardrails(db, organisationId) };
}
