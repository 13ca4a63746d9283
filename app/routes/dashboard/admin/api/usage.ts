import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { readPerson } from "~/domain/people/index.server";
import { questionOf, readUsage, usageAnswer, usageScopeOf } from "~/domain/usage/index.server";
import { PersonUsageQuery } from "../../../usage-query.server";

const usage = portalEndpoint({
  query: PersonUsageQuery,
  allow: "department_admin",
  GET: async ({ actor, query: { user_id, ...query } }) => {
    const { person } = await readPerson(db(), actor, user_id);
    // Usage of the person in other organisations or departments belongs to the administrators there.
    const scope = { ...usageScopeOf({ ...actor, adminMode: true }), userIds: [person.id] };
    const question = await questionOf(db(), actor, { scope, query });
    return { user_id: person.id, ...usageAnswer(question, await readUsage(db(), question)) };
  },
});

export const loader = usage;
export const action = usage;
