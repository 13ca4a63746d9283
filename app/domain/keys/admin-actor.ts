import type { Db } from "~/connection/db.server";
import { type Actor, atLeast, type Role } from "~/domain/accounts/shared";
import { findSecretHolder } from "./author-store";

/**
 * Returns the actor that an admin key represents for people and organisations: the person who saw its secret, in the
 * key's organisation, with the rank of an organisation admin there even if their own is higher. Reads the database for
 * every call, so that the key loses its power together with the person's rank. `address`: network address of the
 * request, for the audit log. `nobodys`: no person saw the secret. `not_admin`: that person is not an active admin of
 * the organisation (owners and platform admins are admins of each).
 */
export async function actorOfAdminKey(
  db: Db,
  admin: { keyId: number; publicId: string; organisationId: number },
  address: string,
): Promise<Actor | "nobodys" | "not_admin"> {
  const holder = await findSecretHolder(db, admin.keyId);
  if (holder === null) return "nobodys";
  const { status, organisationId } = holder;
  const role = holder.role as Role;
  const isHome = organisationId === admin.organisationId;
  if (status !== "active" || !atLeast(role, isHome ? "org_admin" : "platform_admin")) return "not_admin";
  return {
    userId: holder.userId,
    sessionId: 0,
    email: holder.email,
    name: holder.name,
    role: "org_admin",
    organisationId: admin.organisationId,
    departmentId: isHome ? holder.departmentId : null,
    adminMode: true,
    adminOrganisationId: null,
    language: holder.language ?? "en",
    address,
    adminKey: admin.publicId,
  };
}
