import { z } from "zod";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { removeMember } from "~/domain/organisations/index.server";
import { Id } from "~/http/body/fields";

const remove = portalEndpoint({
  params: z.object({ projectId: Id, userId: Id }),
  allow: "department_admin",
  page: "/dashboard/admin/projects",
  POST: async ({ actor, params }) => {
    const { keysRemoved } = await removeMember(db(), actor, params.projectId, params.userId);
    return done({
      to: `/dashboard/admin/projects/${params.projectId}`,
      toast: "admin:done.memberRemoved",
      answer: { removed_keys: keysRemoved },
    });
  },
});

export const loader = remove;
export const action = remove;
