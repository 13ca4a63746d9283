import { z } from "zod";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/db.server";
import { setOrganisation } from "~/domain/identity/index.server";
import { Id } from "~/http/fields";
import { RevokeAdminKeys, UserParams, withdrawnAnswer } from "../../fields";

const org = portalEndpoint({
  params: UserParams,
  allow: "platform_admin",
  page: "/dashboard/admin/users",
  POST: {
    body: z.strictObject({ org_id: Id, revoke_admin_keys: RevokeAdminKeys }),
    run: async ({ actor, params, body }) => {
      const withdrawn = await setOrganisation(db(), actor, params.userId, body.org_id, {
        revokeAdminKeys: body.revoke_admin_keys,
      });
      return done({
        to: `/dashboard/admin/users/${params.userId}`,
        toast: "admin:done.org",
        answer: { org_id: body.org_id, ...withdrawnAnswer(withdrawn) },
      });
    },
  },
});

export const loader = org;
export const action = org;
