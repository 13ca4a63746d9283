import type { Db } from "~/connection/db.server";
import { insertOwner, ownerWithoutPassword } from "./store";

/**
 * Creates the owner of an organisation. With a password hash the account is ready: verified, terms accepted. Without
 * one it waits for its set-up link.
 */
export function createOwner(
  db: Db,
  owner: { organisationId: number; email: string; passwordHash: string | null },
): Promise<{ id: number }> {
  return insertOwner(db, owner);
}

/**
 * Returns the owner who has never set a password, or null. `linkAgeSeconds` is null when no set-up link works any more.
 */
export function ownerToSetUp(db: Db): Promise<{ id: number; linkAgeSeconds: number | null } | null> {
  return ownerWithoutPassword(db);
}
