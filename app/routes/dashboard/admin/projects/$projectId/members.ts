import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { addMember } from "~/domain/organisations/index.server";
import { ProjectParams } from "../../fields";
import { MemberForm } from "../project-form.schema";

const members = portalEndpoint({
  params: ProjectParams,
  allow: "department_admin",
  page: "/dashboard/admin/projects",
  POST: {
    body: MemberForm,
    run: async ({ actor, params, body }) => {
      await addMember(db(), actor, params.projectId, { email: body.email });
      return done({ to: `/dashboard/admin/projects/${params.projectId}`, toast: "admin:done.memberAdded" });
    },
  },
});

export const loader = members;
export const action = members;
