import type { Db } from "~/connection/db.server";
import { atLeast, type Role } from "~/domain/accounts/shared";
import type { NewAuditEvent } from "~/domain/activity/shared";
import { apiError } from "~/errors/app-error";
import { lockAdminKey, lockAuthor } from "./author-store";

/** The author of a key change, for the audit log. `keyId`: the admin key that was used. */
export type KeyAuthor = NewAuditEvent["by"] & { keyId?: number };

/** gw itself: the first start, and commands that the operator runs in a terminal. */
export const OPERATOR: KeyAuthor = { userId: null, label: "operator" };

/** The author of changes through the management API. */
export const authorOfAdminKey = (admin: { keyId: number; publicId: string }): KeyAuthor => ({
  userId: null,
  label: `admin key ${admin.publicId}`,
  keyId: admin.keyId,
});

/**
 * Locks the person who creates or rotates a key until the transaction ends, so that an operation that ends their rank
 * finds the new key too. Locked before any key, in the same order as a suspension.
 * @throws AppError account_status; forbidden for an admin key below org_admin
 */
export async function lockPersonalAuthor(tx: Db, by: KeyAuthor, kind: string): Promise<void> {
  if (by.userId === null) return;
  const person = await lockAuthor(tx, by.userId);
  if (person === null || person.status !== "active") throw apiError("account_status");
  if (kind === "admin" && !atLeast(person.role as Role, "org_admin")) throw apiError("forbidden");
}

/**
 * Returns the recipient of a new secret: the person, or the admin key together with the person who has its secret.
 * Locks the admin key until the transaction ends.
 * @throws AppError invalid_api_key, account_status when that key has ended in the meantime
 */
export async function recipientOf(
  tx: Db,
  by: KeyAuthor,
): Promise<{ issuedToId: number | null; issuedToKeyId: number | null }> {
  if (by.keyId === undefined) return { issuedToId: by.userId, issuedToKeyId: null };
  const key = await lockAdminKey(tx, by.keyId);
  if (key === null || key.status === "revoked") throw apiError("invalid_api_key");
  if (key.status !== "active" || (key.ownerStatus ?? "active") !== "active") throw apiError("account_status");
  return { issuedToId: key.issuedToId ?? key.userId, issuedToKeyId: by.keyId };
}
