import { config } from "~/config.server";
import type { Actor } from "~/domain/accounts/shared";
import { actorOfAdminKey } from "~/domain/keys/index.server";
import { apiError } from "~/errors/app-error";
import type { ManageCall } from "~/http/manage-endpoint";
import { clientAddress } from "~/http/server/client-address";
import { connectionOf } from "~/http/server/connection";

const REFUSED = {
  nobodys: "This admin key was not created by a person, so it can manage keys only. Create an admin key in the portal.",
  not_admin: "The person who created this admin key is not an active admin of its organisation.",
};

/**
 * Returns the actor of a call that administers people and organisations; it depends on the person who created the admin
 * key.
 * @throws AppError permission_denied unless that person is an active admin of the organisation
 */
export async function actorOf({ admin, request, db }: Pick<ManageCall, "admin" | "request" | "db">): Promise<Actor> {
  const incoming = connectionOf(request)?.incoming;
  const address = incoming === undefined ? "" : clientAddress(incoming, config().trustProxy);
  const actor = await actorOfAdminKey(db, admin, address);
  if (typeof actor === "string") throw apiError("permission_denied", { userMessage: REFUSED[actor] });
  return actor;
}
