import type { Db } from "~/db.server";
import type { NewAuditEvent } from "~/domain/activity/shared";
import { atLeast, type Role } from "~/domain/identity/shared";
import { apiError } from "~/errors/app-error";
import { keepAdminKey, keepPerson } from "./author-store";

/** Who changes a key, for the audit log. `keyId`: the admin key by which it happens. */
export type KeyAuthor = NewAuditEvent["by"] & { keyId?: number };

/** gw itself: the first start, and what the operator does at the terminal. */
export const OPERATOR: KeyAuthor = { userId: null, label: "operator" };

/** The author of what the management API does. */
export const authorOfAdminKey = (admin: { keyId: number; publicId: string }): KeyAuthor => ({
  userId: null,
  label: `admin key ${admin.publicId}`,
  keyId: admin.keyId,
});

/**
 * Keeps a person who makes or rotates a key as they are until the transaction ends, so that what ends with their rank finds
 * that key too. Taken before any key is locked, in the order of a suspension.
 * @throws AppError account_status; forbidden for an admin key below org_admin
 */
export async function keepPersonalAuthor(tx: Db, by: KeyAuthor, kind: string): Promise<void> {
  if (by.userId === null) return;
  const person = await keepPerson(tx, by.userId);
  if (person === null || person.status !== "active") throw apiError("account_status");
  if (kind === "admin" && !atLeast(person.role as Role, "org_admin")) throw apiError("forbidden");
}

/**
 * Whom a new secret is told to: the person, or the admin key with the person who has its secret. An admin key is kept as it
 * is until the transaction ends.
 * @throws AppError invalid_api_key, account_status when that key has ended in the meantime
 */
export async function recipientOf(
  tx: Db,
  by: KeyAuthor,
): Promise<{ issuedToId: number | null; issuedToKeyId: number | null }> {
  if (by.keyId === undefined) return { issuedToId: by.userId, issuedToKeyId: null };
  const key = await keepAdminKey(tx, by.keyId);
  if (key === null || key.status === "revoked") throw apiError("invalid_api_key");
  if (key.status !== "active" || (key.ownerStatus ?? "active") !== "active") throw apiError("account_status");
  return { issuedToId: key.issuedToId ?? key.userId, issuedToKeyId: by.keyId };
}
