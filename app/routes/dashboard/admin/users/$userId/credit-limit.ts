import { requireRecentProof } from "~/access/actor.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { setCreditLimit } from "~/domain/people/index.server";
import { formatUsd } from "~/values/money";
import { UserParams } from "../../fields";
import { CreditLimitForm } from "./person-form.schema";

const creditLimit = portalEndpoint({
  params: UserParams,
  allow: "org_admin",
  page: "/dashboard/admin/users",
  POST: {
    body: CreditLimitForm,
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
