import { z } from "zod";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { deleteDepartment, renameDepartment } from "~/domain/organisations/index.server";
import { Id } from "~/http/body/fields";
import { DepartmentForm } from "../../organisation-form.schema";

const department = portalEndpoint({
  params: z.object({ orgId: Id, departmentId: Id }),
  allow: "org_admin",
  page: "/dashboard/admin/organisation",
  POST: {
    body: DepartmentForm,
    run: async ({ actor, params, body }) => {
      const { orgId: organisationId, departmentId } = params;
      await renameDepartment(db(), actor, { organisationId, departmentId }, body.name);
      const to = `/dashboard/admin/organisations/${organisationId}#departments`;
      return done({ to, toast: "admin:done.departmentRenamed" });
    },
  },
  DELETE: async ({ actor, params }) => {
    const { orgId: organisationId, departmentId } = params;
    await deleteDepartment(db(), actor, { organisationId, departmentId });
    return { deleted: departmentId };
  },
});

export const loader = department;
export const action = department;
