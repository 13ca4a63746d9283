import type { Db } from "~/db.server";
import { type Actor, atLeast, type Role } from "~/domain/identity/shared";
import { findSecretHolder } from "./author-store";

/**
 * As whom an admin key administers people and organisations: as the person who was told its secret, in the key's organisation
 * and with the rank of an organisation admin there, however high their own is. Asked of the database for every call, so
 * that a rank that has ended ends what the key may do. `address`: network address of the request, for the audit log.
 * `nobodys`: no person was told the secret. `not_admin`: that person is not an active admin of the organisation (those who
 * run the installation are admins of each).
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
