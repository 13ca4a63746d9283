import { z } from "zod";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { setStatus } from "~/domain/people/index.server";
import { SETTABLE_STATUSES } from "~/domain/people/shared";
import { RevokeAdminKeys, UserParams, withdrawnAnswer } from "../../fields";

const status = portalEndpoint({
  params: UserParams,
  allow: "department_admin",
  page: "/dashboard/admin/users",
  POST: {
    body: z.strictObject({ status: z.enum(SETTABLE_STATUSES), revoke_admin_keys: RevokeAdminKeys }),
    run: async ({ actor, params, body }) => {
      const withdrawn = await setStatus(db(), actor, params.userId, body.status, {
        revokeAdminKeys: body.revoke_admin_keys,
      });
      return done({
        to: `/dashboard/admin/users/${params.userId}`,
        toast: "admin:done.status",
        answer: { status: body.status, ...withdrawnAnswer(withdrawn) },
      });
    },
  },
});

export const loader = status;
export const action = status;
