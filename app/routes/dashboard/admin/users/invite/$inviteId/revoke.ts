import { z } from "zod";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { revokeInvite } from "~/domain/organisations/index.server";
import { Id } from "~/http/body/fields";

const revoke = portalEndpoint({
  params: z.object({ inviteId: Id }),
  allow: "department_admin",
  page: "/dashboard/admin/users/invite",
  POST: async ({ actor, params }) => {
    await revokeInvite(db(), actor, params.inviteId);
    return done({ to: "/dashboard/admin/users/invite", toast: "admin:done.inviteRevoked" });
  },
});

export const loader = revoke;
export const action = revoke;
