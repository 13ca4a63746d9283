import type { Db } from "~/connection/db.server";
import { type Actor, atLeast } from "~/domain/accounts/shared";
import { organisationNames, organisationsByName } from "./switch-store";

export type OrganisationChoice = { id: number; name: string };

const MAX_COUNT = 200;

/**
 * Returns the choices of the dashboard's organisation switch: the actor's own organisation, and for platform admins all
 * organisations by name, at most 200, always including the selected one.
 */
export async function organisationsForSwitch(db: Db, actor: Actor): Promise<OrganisationChoice[]> {
  const currentId = actor.adminOrganisationId ?? actor.organisationId;
  if (!atLeast(actor.role, "platform_admin")) return organisationNames(db, [actor.organisationId]);
  const all = await organisationsByName(db, MAX_COUNT);
  return all.some(({ id }) => id === currentId) ? all : [...(await organisationNames(db, [currentId])), ...all];
}
