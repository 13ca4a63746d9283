import { inTransaction, publish } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { recordAuditEvent } from "~/domain/activity/index.server";
import { type KeyAuthor, lockPersonalAuthor, OPERATOR, recipientOf } from "./authors";
import { lockForChange, refuseRevoked } from "./change";
import type { IssuedKey } from "./issue";
import { recordKeyEvent } from "./key-events";
import { generateSecret, shownParts } from "./secrets/secret";
import { hashOfSecret } from "./secrets/secret-hash";
import { findKey, type KeyRef, type OrgScope, rotateKeyRow } from "./store";

/**
 * Gives a key a new secret. The previous secret works for `overlapSeconds` more (0: not at all); a secret that was
 * still in an earlier overlap ends now. Limits, budget and id do not change.
 * @throws AppError not_found; conflict for a revoked key; account_status, invalid_api_key for an author who was just
 *   suspended or revoked.
 */
export async function rotateKey(
  db: Db,
  scope: OrgScope,
  ref: KeyRef,
  { overlapSeconds }: { overlapSeconds: number },
  by: KeyAuthor = OPERATOR,
): Promise<IssuedKey & { rotatedAt: Date; previousValidUntil: Date }> {
  const secret = generateSecret();
  const shown = shownParts(secret);
  return inTransaction(db, async (tx) => {
    await lockPersonalAuthor(tx, by, (await findKey(tx, scope, ref))?.kind ?? "inference");
    const key = await lockForChange(tx, scope, ref);
    refuseRevoked(key);
    const recipient = await recipientOf(tx, by);
    const now = new Date();
    const previousValidUntil = new Date(now.getTime() + overlapSeconds * 1000);
    await rotateKeyRow(tx, scope, key.id, {
      secretHmac: hashOfSecret(secret),
      secretPrefix: shown.prefix,
      secretLast4: shown.last4,
      previousValidUntil,
      now,
      ...recipient,
    });
    await recordAuditEvent(tx, {
      ...recordKeyEvent(key, by),
      action: "key.rotate",
      before: { secret_hint: `${key.secretPrefix}…${key.secretLast4}` },
      after: { secret_hint: `${shown.prefix}…${shown.last4}`, previous_valid_until: previousValidUntil.toISOString() },
    });
    await publish(tx, "keys", String(key.id));
    return {
      id: key.id,
      publicId: key.publicId,
      secret,
      name: key.name,
      created: key.createdAt,
      rotatedAt: now,
      previousValidUntil,
    };
  });
}
