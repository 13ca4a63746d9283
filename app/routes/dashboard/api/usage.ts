import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { questionOf, readUsage, usageAnswer, usageScopeOf } from "~/domain/usage/index.server";
import { UsageQuery } from "../../usage-query.server";

const usage = portalEndpoint({
  query: UsageQuery,
  allow: "viewer",
  GET: async ({ actor, query }) => {
    const question = await questionOf(db(), actor, { scope: usageScopeOf(actor), query });
    return usageAnswer(question, await readUsage(db(), question));
  },
});

export const loader = usage;
export const action = usage;
