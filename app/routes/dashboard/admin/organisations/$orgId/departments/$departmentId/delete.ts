import { z } from "zod";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { deleteDepartment } from "~/domain/organisations/index.server";
import { Id } from "~/http/body/fields";

/** DELETE by POST, because HTML forms cannot send DELETE. */
const remove = portalEndpoint({
  params: z.object({ orgId: Id, departmentId: Id }),
  allow: "org_admin",
  page: "/dashboard/admin/organisation",
  POST: async ({ actor, params }) => {
    const { orgId: organisationId, departmentId } = params;
    await deleteDepartment(db(), actor, { organisationId, departmentId });
    const to = `/dashboard/admin/organisations/${organisationId}#departments`;
    return done({ to, toast: "admin:done.departmentDeleted" });
  },
});

export const loader = remove;
export const action = remove;
