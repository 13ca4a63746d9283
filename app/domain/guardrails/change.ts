import { inTransaction, publish } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { recordAuditEvent } from "~/domain/activity/index.server";
import type { NewAuditEvent } from "~/domain/activity/shared";
import { mayBeSealed } from "~/sealing/sealed-address.server";
import { changedRules, checkedChange, describeRules, readRules } from "./rules";
import type {
  GuardrailChange,
  GuardrailHolder,
  GuardrailRule,
  GuardrailWebhook,
  GuardrailWebhookChange,
} from "./shared";
import { findGuardrails, findWebhooksInTheClear, replaceWebhook, storeRules, storeWebhook } from "./store";
import { changedWebhook, describeWebhook, readWebhook, withSealedAddress } from "./webhook";

/** A holder, locked until the transaction ends, with the fields for the audit events of its changes. */
export type LockedHolder = GuardrailHolder & { event: Omit<NewAuditEvent, "before" | "after"> };

/** Locks the holder for an actor with permission to change it. @throws AppError without permission */
type Lock = (tx: Db) => Promise<LockedHolder>;

/**
 * Adds a rule to a holder or removes one; concurrent changes are both applied. Takes effect in every process within a
 * second. The audit event omits words and patterns.
 * @throws AppError as `lock`; invalid_input for an invalid rule, or one too many; not_found; rate_limit_exceeded
 */
export async function changeGuardrails(
  db: Db,
  actor: { userId: number },
  change: GuardrailChange,
  lock: Lock,
): Promise<GuardrailRule[]> {
  const checked = await checkedChange(db, actor, change);
  return inTransaction(db, async (tx) => {
    const holder = await lock(tx);
    const before = readRules((await findGuardrails(tx, holder)).rules);
    const after = changedRules(before, checked);
    await storeRules(tx, holder, after);
    await recordChange(tx, holder, { before: describeRules(before), after: describeRules(after) });
    return after;
  });
}

/**
 * Saves or removes the webhook of a holder, or rotates its secret. Returns a new secret, which is never shown again;
 * else null. Takes effect in every process within a second. The audit event contains only the host.
 * @throws AppError as `lock`; invalid_request for a forbidden address; not_found if there is no webhook
 */
export function changeGuardrailWebhook(db: Db, change: GuardrailWebhookChange, lock: Lock): Promise<string | null> {
  return inTransaction(db, async (tx) => {
    const holder = await lock(tx);
    const before = (await findGuardrails(tx, holder)).webhook;
    const { stored, secret } = changedWebhook(before, change, { ...holder, isSealing: await mayBeSealed(tx) });
    await storeWebhook(tx, holder, stored);
    await recordChange(tx, holder, {
      before: describeWebhook(before, holder),
      after: describeWebhook(stored, holder),
    });
    return secret;
  });
}

async function recordChange(
  tx: Db,
  { kind, id, event }: LockedHolder,
  change: Pick<NewAuditEvent, "before" | "after">,
): Promise<void> {
  await recordAuditEvent(tx, { ...event, ...change });
  await publish(tx, "keys", kind === "key" ? String(id) : undefined);
}

/** Returns the guardrails of one holder. */
export async function readGuardrails(
  db: Db,
  holder: GuardrailHolder,
): Promise<{ rules: GuardrailRule[]; webhook: GuardrailWebhook | null }> {
  const { rules, webhook } = await findGuardrails(db, holder);
  return { rules: readRules(rules), webhook: readWebhook(webhook, holder) };
}

/** Seals webhook addresses that an earlier release stored in plain text. Returns their number; safe to repeat. */
export async function sealGuardrailWebhooks(db: Db): Promise<number> {
  let count = 0;
  for (const kind of ["organisation", "key"] as const)
    for (const { id, webhook } of await findWebhooksInTheClear(db, kind)) {
      const sealed = withSealedAddress(webhook, { kind, id });
      if (sealed !== null) count += await replaceWebhook(db, { kind, id }, { from: webhook, to: sealed });
    }
  return count;
}
