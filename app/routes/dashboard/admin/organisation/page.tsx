import { redirect } from "react-router";
import { requireRole } from "~/access/actor.server";
import type { PageHandle } from "~/ui/page-handle";
import type { Route } from "./+types/page";
import { organisationPage } from "./own-organisation";

/** A stable path to the actor's own organisation, without its id. */
export const handle: PageHandle = { hydrate: false };

export function loader({ context }: Route.LoaderArgs) {
  return redirect(organisationPage(requireRole(context, "org_admin")), 303);
}

export default function OwnOrganisation() {
  return null;
}
