import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { questionOf, readUsage, usageAnswer, usageScopeOf } from "~/domain/usage/index.server";
import { UsageQuery } from "../../../usage-query.server";

const dashboard = portalEndpoint({
  query: UsageQuery,
  allow: "department_admin",
  GET: async ({ actor, query }) => {
    const scope = usageScopeOf({ ...actor, adminMode: true });
    const [models, users] = await Promise.all([
      questionOf(db(), actor, { scope, query: { ...query, group: query.group ?? "model" } }),
      questionOf(db(), actor, { scope, query: { ...query, group: "user" } }),
    ]);
    const [byModel, byUser] = await Promise.all([readUsage(db(), models), readUsage(db(), users)]);
    return { ...usageAnswer(models, byModel), users: usageAnswer(users, byUser).groups };
  },
});

export const loader = dashboard;
export const action = dashboard;
