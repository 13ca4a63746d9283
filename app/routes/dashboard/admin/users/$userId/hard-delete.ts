import { z } from "zod";
import { requireRecentProof } from "~/access/actor.server";
import { done, portalEndpoint } from "~/access/portal-endpoint.server";
import { db } from "~/db.server";
import { hardDelete } from "~/domain/identity/index.server";
import { UserParams } from "../../fields";

const remove = portalEndpoint({
  params: UserParams,
  allow: "org_admin",
  page: "/dashboard/admin/users",
  POST: {
    /** `confirm`: the person's e-mail address. */
    body: z.strictObject({ confirm: z.string().max(320) }),
    run: async ({ actor, params, body, context }) => {
      requireRecentProof(context);
      await hardDelete(db(), actor, params.userId, body.confirm);
      return done({ to: "/dashboard/admin/users", toast: "admin:done.hardDelete" });
    },
  },
});

export const loader = remove;
export const action = remove;
