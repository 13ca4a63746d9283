import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { usageScopeOf } from "~/domain/usage/index.server";
import { usageAnswer } from "../usage/answer.server";
import { UsageQuery } from "../usage/query.server";
import { questionOf, readUsage } from "../usage/view.server";

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
