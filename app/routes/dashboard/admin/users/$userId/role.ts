import { z } from "zod";
import { done, portalEndpoint } from "~/access/portal-endpoint.server";
import { db } from "~/db.server";
import { setRole } from "~/domain/identity/index.server";
import { ROLES } from "~/domain/identity/shared";
import { UserParams } from "../../fields";

const role = portalEndpoint({
  params: UserParams,
  allow: "department_admin",
  page: "/dashboard/admin/users",
  POST: {
    body: z.strictObject({ role: z.enum(ROLES) }),
    run: async ({ actor, params, body }) => {
      await setRole(db(), actor, params.userId, body.role);
      return done({
        to: `/dashboard/admin/users/${params.userId}`,
        toast: "admin:done.role",
        answer: { role: body.role },
      });
    },
  },
});

export const loader = role;
export const action = role;
