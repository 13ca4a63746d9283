import { z } from "zod";
import { requireRecentProof } from "~/access/actor.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { hardDelete } from "~/domain/people/index.server";
import { RevokeAdminKeys, UserParams, withdrawnAnswer } from "../../fields";

const remove = portalEndpoint({
  params: UserParams,
  allow: "org_admin",
  page: "/dashboard/admin/users",
  POST: {
    /** `confirm`: the person's email address. */
    body: z.strictObject({ confirm: z.string().max(320), revoke_admin_keys: RevokeAdminKeys }),
    run: async ({ actor, params, body, context }) => {
      requireRecentProof(context);
      const withdrawn = await hardDelete(db(), actor, params.userId, body.confirm, {
        revokeAdminKeys: body.revoke_admin_keys,
      });
      const answer = withdrawnAnswer(withdrawn);
      return done({ to: "/dashboard/admin/users", toast: "admin:done.hardDelete", answer });
    },
  },
});

export const loader = remove;
export const action = remove;
