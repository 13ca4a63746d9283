import { inTransaction, publish } from "~/bus.server";
import type { Db } from "~/db.server";
import { recordAuditEvent } from "~/domain/activity/index.server";
import {
  changedRules,
  changedWebhook,
  checkedChange,
  describeRules,
  describeWebhook,
  readWebhook,
  withSealedAddress,
} from "~/domain/guardrails/index.server";
import type {
  GuardrailChange,
  GuardrailRule,
  GuardrailWebhook,
  GuardrailWebhookChange,
} from "~/domain/guardrails/shared";
import { type Actor, authorOf } from "~/domain/identity/shared";
import { mayBeSealed } from "~/sealed-address.server";
import {
  changeGuardrails,
  changeStoredGuardrailWebhook,
  findGuardrails,
  findGuardrailWebhook,
  findWebhooksInTheClear,
  lockOrganisations,
  replaceGuardrailWebhook,
} from "./organisation-store";
import { requireAccessibleOrganisation } from "./require-accessible";

/**
 * Adds a guardrail that holds for every key of an organisation, or removes one; two at once both count. In force everywhere within a
 * second. In the audit log, without the words and patterns themselves.
 * @throws AppError forbidden below organisation admin; not_found; invalid_input for a rule that cannot be used, or one too many; rate_limit_exceeded
 */
export async function changeOrganisationGuardrails(
  db: Db,
  actor: Actor,
  organisationId: number,
  change: GuardrailChange,
): Promise<GuardrailRule[]> {
  const checked = await checkedChange(db, actor, change);
  return inTransaction(db, async (tx) => {
    const organisation = await lockedOrganisation(tx, actor, organisationId);
    const before = await findGuardrails(tx, organisationId);
    const after = changedRules(before, checked);
    await changeGuardrails(tx, organisationId, after);
    await noteChange(tx, actor, organisation, { before: describeRules(before), after: describeRules(after) });
    return after;
  });
}

/**
 * Saves the webhook that requests of every key of an organisation are shown to before they are sent, rotates its secret, or removes
 * it. Answers the secret where there is another one: nobody is shown it again. In force everywhere within a second. In the audit log
 * by its host.
 * @throws AppError forbidden below organisation admin; not_found; invalid_request for an address that may not be called
 */
export async function changeOrganisationGuardrailWebhook(
  db: Db,
  actor: Actor,
  organisationId: number,
  change: GuardrailWebhookChange,
): Promise<string | null> {
  return inTransaction(db, async (tx) => {
    const organisation = await lockedOrganisation(tx, actor, organisationId);
    const before = await findGuardrailWebhook(tx, organisationId);
    const holder = { kind: "organisation", id: organisationId } as const;
    const { stored, secret } = changedWebhook(before, change, {
      ...holder,
      isSealing: await mayBeSealed(tx),
    });
    await changeStoredGuardrailWebhook(tx, organisationId, stored);
    await noteChange(tx, actor, organisation, {
      before: describeWebhook(before, holder),
      after: describeWebhook(stored, holder),
    });
    return secret;
  });
}

/** Seals the addresses of webhooks that an earlier release has stored in the clear. Returns how many; safe to repeat. */
export async function sealOrganisationWebhooks(db: Db): Promise<number> {
  let count = 0;
  for (const { id, webhook } of await findWebhooksInTheClear(db)) {
    const sealed = withSealedAddress(webhook, { kind: "organisation", id });
    if (sealed !== null) count += await replaceGuardrailWebhook(db, id, { from: webhook, to: sealed });
  }
  return count;
}

async function lockedOrganisation(tx: Db, actor: Actor, id: number): Promise<{ id: number; name: string }> {
  await lockOrganisations(tx, [id]);
  const { name } = await requireAccessibleOrganisation(tx, actor, id);
  return { id, name };
}

type Change = Record<"before" | "after", Readonly<Record<string, unknown>>>;

async function noteChange(
  tx: Db,
  actor: Actor,
  { id, name }: { id: number; name: string },
  change: Change,
): Promise<void> {
  await recordAuditEvent(tx, {
    by: authorOf(actor),
    action: "organisation.guardrails",
    target: { kind: "organisation", id, label: name },
    organisationId: id,
    ...change,
  });
  await publish(tx, "keys");
}

/** The guardrails of an organisation, whole. @throws AppError forbidden below organisation admin, not_found */
export async function readOrganisationGuardrails(
  db: Db,
  actor: Actor,
  organisationId: number,
): Promise<{ name: string; rules: GuardrailRule[]; webhook: GuardrailWebhook | null }> {
  const { name } = await requireAccessibleOrganisation(db, actor, organisationId);
  const [rules, webhook] = await Promise.all([
    findGuardrails(db, organisationId),
    findGuardrailWebhook(db, organisationId),
  ]);
  return { name, rules, webhook: readWebhook(webhook, { kind: "organisation", id: organisationId }) };
}
