import { z } from "zod";
import { done, portalEndpoint } from "~/access/portal-endpoint.server";
import { db } from "~/db.server";
import { setOrganisation } from "~/domain/identity/index.server";
import { Id, UserParams } from "../../fields";

const org = portalEndpoint({
  params: UserParams,
  allow: "platform_admin",
  page: "/dashboard/admin/users",
  POST: {
    body: z.strictObject({ org_id: Id }),
    run: async ({ actor, params, body }) => {
      await setOrganisation(db(), actor, params.userId, body.org_id);
      return done({
        to: `/dashboard/admin/users/${params.userId}`,
        toast: "admin:done.org",
        answer: { org_id: body.org_id },
      });
    },
  },
});

export const loader = org;
export const action = org;
