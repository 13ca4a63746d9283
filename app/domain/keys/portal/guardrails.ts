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
import { lockForChange, refuseRevoked } from "../change";
import { recordKeyEvent } from "../key-settings";
import {
  changeKeyGuardrailRules,
  changeStoredKeyGuardrailWebhook,
  findKeyGuardrails,
  findKeyGuardrailWebhooks,
  findKeyWebhooksInTheClear,
  type KeyRow,
  replaceKeyGuardrailWebhook,
} from "../store";
import { visibleKey } from "./read";
import { mayNotChange, rightsOn } from "./rights";

/**
 * Adds a guardrail to a key within the actor's scope, or removes one; those of the organisation hold in any case. Two at once both
 * count. In force everywhere within a second. In the audit log, without the words and patterns themselves.
 * @throws AppError not_found; forbidden for somebody who may not change the key's limits; conflict for a revoked key;
 *   invalid_input for a rule that cannot be used, or one too many; rate_limit_exceeded
 */
export async function changeKeyGuardrails(
  db: Db,
  actor: Actor,
  keyId: number,
  change: GuardrailChange,
): Promise<GuardrailRule[]> {
  const checked = await checkedChange(db, actor, change);
  return inTransaction(db, async (tx) => {
    const key = await lockedKey(tx, actor, keyId);
    const before = (await findKeyGuardrails(tx, key.id)).own;
    const after = changedRules(before, checked);
    await changeKeyGuardrailRules(tx, key.id, after);
    await noteChange(tx, actor, key, { before: describeRules(before), after: describeRules(after) });
    return after;
  });
}

/**
 * Saves the webhook that requests of a key are shown to before they are sent, rotates its secret, or removes it; the organisation's is
 * asked in any case. Answers the secret where there is another one: nobody is shown it again. In force everywhere within a second. In
 * the audit log by its host.
 * @throws AppError as `changeKeyGuardrails`; invalid_request for an address that may not be called; not_found where there is none
 */
export function changeKeyGuardrailWebhook(
  db: Db,
  actor: Actor,
  keyId: number,
  change: GuardrailWebhookChange,
): Promise<string | null> {
  return inTransaction(db, async (tx) => {
    const key = await lockedKey(tx, actor, keyId);
    const before = (await findKeyGuardrailWebhooks(tx, key.id)).own;
    const holder = { kind: "key", id: key.id } as const;
    const { stored, secret } = changedWebhook(before, change, {
      ...holder,
      isSealing: await mayBeSealed(tx),
    });
    await changeStoredKeyGuardrailWebhook(tx, key.id, stored);
    await noteChange(tx, actor, key, {
      before: describeWebhook(before, holder),
      after: describeWebhook(stored, holder),
    });
    return secret;
  });
}

/** Seals the addresses of webhooks that an earlier release has stored in the clear. Returns how many; safe to repeat. */
export async function sealKeyWebhooks(db: Db): Promise<number> {
  let count = 0;
  for (const { id, webhook } of await findKeyWebhooksInTheClear(db)) {
    const sealed = withSealedAddress(webhook, { kind: "key", id });
    if (sealed !== null) count += await replaceKeyGuardrailWebhook(db, id, { from: webhook, to: sealed });
  }
  return count;
}

/** A key whose guardrails the actor may change, locked. @throws AppError as `changeKeyGuardrails` */
async function lockedKey(tx: Db, actor: Actor, keyId: number): Promise<KeyRow> {
  const seen = await visibleKey(tx, actor, keyId);
  if (!rightsOn(actor, seen).limits) throw mayNotChange();
  const key = await lockForChange(tx, seen, { id: seen.id });
  refuseRevoked(key);
  return key;
}

type Change = Record<"before" | "after", Readonly<Record<string, unknown>>>;

async function noteChange(tx: Db, actor: Actor, key: KeyRow, change: Change): Promise<void> {
  await recordAuditEvent(tx, { ...recordKeyEvent(key, authorOf(actor)), action: "key.guardrails", ...change });
  await publish(tx, "keys", String(key.id));
}

/** The guardrails of a key: its own, and the organisation's, which hold as well. */
type KeyGuardrails = {
  name: string;
  publicId: string;
  organisationId: number;
  rules: GuardrailRule[];
  inherited: GuardrailRule[];
  webhook: GuardrailWebhook | null;
  inheritedWebhook: GuardrailWebhook | null;
  /** Whether the actor may change the key's own. */
  mayChange: boolean;
};

/** The guardrails of a key within the actor's scope. @throws AppError not_found */
export async function readKeyGuardrails(db: Db, actor: Actor, keyId: number): Promise<KeyGuardrails> {
  const key = await visibleKey(db, actor, keyId);
  const [rules, webhooks] = await Promise.all([findKeyGuardrails(db, key.id), findKeyGuardrailWebhooks(db, key.id)]);
  const { name, publicId, organisationId } = key;
  return {
    ...{ name, publicId, organisationId, rules: rules.own, inherited: rules.organisation },
    webhook: readWebhook(webhooks.own, { kind: "key", id: key.id }),
    inheritedWebhook: readWebhook(webhooks.organisation, { kind: "organisation", id: organisationId }),
    mayChange: key.status !== "revoked" && rightsOn(actor, key).limits,
  };
}
