import { db } from "~/connection/db.server";
import { readOrganisation } from "~/domain/organisations/index.server";
import { actorOf } from "./actor";
import { manageEndpoint } from "./endpoint";
import { organisationAnswer } from "./person-answers";

/** The organisations that a key can access: its own. */
const organisations = manageEndpoint({
  GET: async (call) => {
    const actor = await actorOf(call);
    const { view } = await readOrganisation(db(), actor, actor.organisationId);
    return { data: [organisationAnswer(view)], next_cursor: null };
  },
});

export const loader = organisations;
export const action = organisations;
