import type { Db } from "~/connection/db.server";
import { type Actor, atLeast, type Role } from "~/domain/accounts/shared";
import { apiError } from "~/errors/app-error";
import { findOrganisation, type OrganisationRow } from "./organisation-store";

/**
 * Returns an organisation that the actor may administer: any for owners and platform admins, their own for its admins.
 * @throws AppError forbidden below `minimum`; not_found, the same for a foreign, a closed and a missing one.
 */
export async function requireAccessibleOrganisation(
  db: Db,
  actor: Actor,
  organisationId: number,
  minimum: Role = "org_admin",
): Promise<OrganisationRow> {
  if (!atLeast(actor.role, minimum)) throw apiError("forbidden");
  const isAllowed = atLeast(actor.role, "platform_admin") || organisationId === actor.organisationId;
  const organisation = isAllowed ? await findOrganisation(db, organisationId) : null;
  if (organisation === null) throw noSuchOrganisation();
  return organisation;
}

export const noSuchOrganisation = () => apiError("not_found", { key: "rejections:noOrganisation" });
