import { personOf } from "~/access/actor.server";
import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { legalStatus } from "~/domain/accounts/index.server";
import { apiError } from "~/errors/app-error";

/** Whether the current user has accepted the current legal documents; also available before acceptance. */
const endpoint = portalEndpoint({
  allow: "anyone",
  async GET({ context }) {
    const person = personOf(context);
    if (person === null) throw apiError("authentication_required");
    const { accepted, current, acceptedVersion, acceptedAt } = await legalStatus(db(), person.actor.userId);
    return { accepted, current_version: current, accepted_version: acceptedVersion, accepted_at: acceptedAt };
  },
});
export const loader = endpoint;
export const action = endpoint;
