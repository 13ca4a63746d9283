import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { setDepartment } from "~/domain/people/index.server";
import { UserParams, withdrawnAnswer } from "../../fields";
import { DepartmentForm } from "./person-form.schema";

const department = portalEndpoint({
  params: UserParams,
  allow: "org_admin",
  page: "/dashboard/admin/users",
  POST: {
    body: DepartmentForm,
    run: async ({ actor, params, body }) => {
      const withdrawn = await setDepartment(db(), actor, params.userId, body.department_id);
      return done({
        to: `/dashboard/admin/users/${params.userId}`,
        toast: "admin:done.department",
        answer: { department_id: body.department_id, ...withdrawnAnswer(withdrawn) },
      });
    },
  },
});

export const loader = department;
export const action = department;
