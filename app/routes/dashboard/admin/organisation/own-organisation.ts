import { type Actor, atLeast } from "~/domain/identity/shared";

/** The organisation that a form without a choice is about: the one that a platform admin looks at, or the actor's own. */
export const ownOrganisation = (actor: Actor, asked?: number): number =>
  asked ?? (atLeast(actor.role, "platform_admin") ? actor.adminOrganisationId : null) ?? actor.organisationId;

/** Where that organisation's page is. */
export const organisationPage = (actor: Actor, asked?: number): string =>
  `/dashboard/admin/organisations/${ownOrganisation(actor, asked)}`;
