import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { createDepartment } from "~/domain/organisations/index.server";
import { OrganisationParams } from "../../fields";
import { DepartmentForm } from "../organisation-form.schema";

const departments = portalEndpoint({
  params: OrganisationParams,
  allow: "org_admin",
  page: "/dashboard/admin/organisation",
  POST: {
    body: DepartmentForm,
    run: async ({ actor, params, body }) => {
      const { id } = await createDepartment(db(), actor, params.orgId, body.name);
      const to = `/dashboard/admin/organisations/${params.orgId}#departments`;
      return done({ to, toast: "admin:done.departmentCreated", answer: { id } });
    },
  },
});

export const loader = departments;
export const action = departments;
