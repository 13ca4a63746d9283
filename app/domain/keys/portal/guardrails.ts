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
import { lockForChange, refuseRevoked } from "../change";
import { recordKeyEvent } from "../key-events";
import { visibleKey } from "./read";
import { mayNotChange, rightsOn } from "./rights";

/**
 * Adds a guardrail to a key within the actor's scope, or removes one; those of the organisation always apply.
 * @throws AppError not_found; forbidden for an actor who may not change the key's limits; conflict for a revoked key;
 *   as `changeGuardrails`
 */
export const changeKeyGuardrails = (
  db: Db,
  actor: Actor,
  keyId: number,
  change: GuardrailChange,
): Promise<GuardrailRule[]> => changeGuardrails(db, actor, change, (tx) => lockedKey(tx, actor, keyId));

/**
 * Saves, rotates the secret of, or removes the webhook that checks requests of a key before they are sent; the
 * organisation's webhook is always called.
 * @throws AppError as `changeKeyGuardrails` does for the key; as `changeGuardrailWebhook`
 */
export const changeKeyGuardrailWebhook = (
  db: Db,
  actor: Actor,
  keyId: number,
  change: GuardrailWebhookChange,
): Promise<string | null> => changeGuardrailWebhook(db, change, (tx) => lockedKey(tx, actor, keyId));

async function lockedKey(tx: Db, actor: Actor, keyId: number): Promise<LockedHolder> {
  const seen = await visibleKey(tx, actor, keyId);
  if (!rightsOn(actor, seen).limits) throw mayNotChange();
  const key = await lockForChange(tx, seen, { id: seen.id });
  refuseRevoked(key);
  return { kind: "key", id: key.id, event: { ...recordKeyEvent(key, authorOf(actor)), action: "key.guardrails" } };
}

/** The guardrails of a key: its own, and the organisation's, which also apply. */
type KeyGuardrails = {
  name: string;
  publicId: string;
  organisationId: number;
  rules: GuardrailRule[];
  inherited: GuardrailRule[];
  webhook: GuardrailWebhook | null;
  inheritedWebhook: GuardrailWebhook | null;
  /** Whether the actor may change the key's own guardrails. */
  mayChange: boolean;
};

/** Returns the guardrails of a key within the actor's scope. @throws AppError not_found */
export async function readKeyGuardrails(db: Db, actor: Actor, keyId: number): Promise<KeyGuardrails> {
  const key = await visibleKey(db, actor, keyId);
  const { name, publicId, organisationId } = key;
  const [own, inherited] = await Promise.all([
    readGuardrails(db, { kind: "key", id: key.id }),
    readGuardrails(db, { kind: "organisation", id: organisationId }),
  ]);
  return {
    name,
    publicId,
    organisationId,
    ...own,
    inherited: inherited.rules,
    inheritedWebhook: inherited.webhook,
    mayChange: key.status !== "revoked" && rightsOn(actor, key).limits,
  };
}
