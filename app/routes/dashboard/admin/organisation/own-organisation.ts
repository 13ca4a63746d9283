import { type Actor, atLeast } from "~/domain/accounts/shared";

/** Returns the organisation of a form without a choice: the one that a platform admin views, or the actor's own. */
export const ownOrganisation = (actor: Actor, requestedId?: number): number =>
  requestedId ?? (atLeast(actor.role, "platform_admin") ? actor.adminOrganisationId : null) ?? actor.organisationId;

/** Returns the path of that organisation's page. */
export const organisationPage = (actor: Actor, requestedId?: number): string =>
  `/dashboard/admin/organisations/${ownOrganisation(actor, requestedId)}`;
