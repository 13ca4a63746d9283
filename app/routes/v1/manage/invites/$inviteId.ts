import { db } from "~/connection/db.server";
import { inviteById, revokeInvite } from "~/domain/organisations/index.server";
import { actorOf } from "../actor";
import { manageEndpoint } from "../endpoint";
import { inviteAnswer } from "../invite-answers";
import { idOf } from "../person-requests";

const invite = manageEndpoint({
  GET: async (call) => {
    const actor = await actorOf(call);
    return inviteAnswer(await inviteById(db(), actor, idOf(call.params, "inviteId")));
  },
  DELETE: async (call) => {
    const actor = await actorOf(call);
    const inviteId = idOf(call.params, "inviteId");
    await revokeInvite(db(), actor, inviteId);
    return inviteAnswer(await inviteById(db(), actor, inviteId));
  },
});

export const loader = invite;
export const action = invite;
