import { z } from "zod";
import { requireRecentProof } from "~/access/actor.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/db.server";
import { setCreditLimit } from "~/domain/identity/index.server";
import { Usd } from "~/http/fields";
import { formatUsd } from "~/money";
import { UserParams } from "../../fields";

const creditLimit = portalEndpoint({
  params: UserParams,
  allow: "org_admin",
  page: "/dashboard/admin/users",
  POST: {
    body: z.strictObject({ credit_limit: Usd }),
    run: async ({ actor, params, body, context }) => {
      requireRecentProof(context);
      await setCreditLimit(db(), actor, params.userId, body.credit_limit);
      return done({
        to: `/dashboard/admin/users/${params.userId}`,
        toast: "admin:done.creditLimit",
        answer: { credit_limit: formatUsd(body.credit_limit) },
      });
    },
  },
});

export const loader = creditLimit;
export const action = creditLimit;
