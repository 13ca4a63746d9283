import { z } from "zod";
import { done, portalEndpoint } from "~/access/portal-endpoint.server";
import { db } from "~/db.server";
import { setRole } from "~/domain/identity/index.server";
import { ROLES } from "~/domain/identity/shared";
import { RevokeAdminKeys, UserParams, withdrawnAnswer } from "../../fields";

const role = portalEndpoint({
  params: UserParams,
  allow: "department_admin",
  page: "/dashboard/admin/users",
  POST: {
    body: z.strictObject({ role: z.enum(ROLES), revoke_admin_keys: RevokeAdminKeys }),
    run: async ({ actor, params, body }) => {
      const withdrawn = await setRole(db(), actor, params.userId, body.role, {
        revokeAdminKeys: body.revoke_admin_keys,
      });
      return done({
        to: `/dashboard/admin/users/${params.userId}`,
        toast: "admin:done.role",
        answer: { role: body.role, ...withdrawnAnswer(withdrawn) },
      });
    },
  },
});

export const loader = role;
export const action = role;
