import { db } from "~/connection/db.server";
import { listDepartments } from "~/domain/organisations/index.server";
import { actorOf } from "./actor";
import { manageEndpoint } from "./endpoint";
import { departmentAnswer } from "./part-answers";

/** The departments of the key's organisation, by name. */
const departments = manageEndpoint({
  GET: async (call) => {
    const actor = await actorOf(call);
    const rows = await listDepartments(db(), actor, actor.organisationId);
    return { data: rows.map(departmentAnswer), next_cursor: null };
  },
});

export const loader = departments;
export const action = departments;
