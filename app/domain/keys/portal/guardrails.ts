import { inTransaction, publish } from "~/bus.server";
import type { Db } from "~/db.server";
import { recordAuditEvent } from "~/domain/activity/index.server";
import { changedRules, describeRules } from "~/domain/guardrails/index.server";
import type { GuardrailChange, GuardrailRule } from "~/domain/guardrails/shared";
import { type Actor, authorOf } from "~/domain/identity/shared";
import { lockForChange, refuseRevoked } from "../change";
import { recordKeyEvent } from "../key-settings";
import { changeKeyGuardrailRules, findKeyGuardrails } from "../store";
import { visibleKey } from "./read";
import { mayNotChange, rightsOn } from "./rights";

/**
 * Adds a guardrail to a key within the actor's scope, or removes one; those of the organisation hold in any case. Two at once both
 * count. In force everywhere within a second. In the audit log, without the words and patterns themselves.
 * @throws AppError not_found; forbidden for somebody who may not change the key's limits; conflict for a revoked key;
 *   invalid_input for a rule that cannot be used, or one too many
 */
export function changeKeyGuardrails(
  db: Db,
  actor: Actor,
  keyId: number,
  change: GuardrailChange,
): Promise<GuardrailRule[]> {
  return inTransaction(db, async (tx) => {
    const seen = await visibleKey(tx, actor, keyId);
    if (!rightsOn(actor, seen).limits) throw mayNotChange();
    const key = await lockForChange(tx, seen, { id: seen.id });
    refuseRevoked(key);
    const before = (await findKeyGuardrails(tx, key.id)).own;
    const after = changedRules(before, change);
    await changeKeyGuardrailRules(tx, key.id, after);
    await recordAuditEvent(tx, {
      ...recordKeyEvent(key, authorOf(actor)),
      action: "key.guardrails",
      before: describeRules(before),
      after: describeRules(after),
    });
    await publish(tx, "keys", String(key.id));
    return after;
  });
}

/**
 * The guardrails of a key within the actor's scope: its own, and the organisation's, which hold as well. `mayChange`: whether the
 * actor may change the key's own.
 * @throws AppError not_found
 */
export async function readKeyGuardrails(
  db: Db,
  actor: Actor,
  keyId: number,
): Promise<{ name: string; rules: GuardrailRule[]; inherited: GuardrailRule[]; mayChange: boolean }> {
  const key = await visibleKey(db, actor, keyId);
  const { own, organisation } = await findKeyGuardrails(db, key.id);
  const mayChange = key.status !== "revoked" && rightsOn(actor, key).limits;
  return { name: key.name, rules: own, inherited: organisation, mayChange };
}
