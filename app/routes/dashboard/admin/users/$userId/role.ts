import { requireRecentProof } from "~/access/actor.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { inTransaction } from "~/connection/bus.server";
import { db } from "~/connection/db.server";
import { setRole } from "~/domain/people/index.server";
import { emailRoleChanged, runsInstallation } from "~/routes/role-emails.server";
import { UserParams, withdrawnAnswer } from "../../fields";
import { RoleForm } from "./person-form.schema";

const role = portalEndpoint({
  params: UserParams,
  allow: "department_admin",
  page: "/dashboard/admin/users",
  POST: {
    body: RoleForm,
    run: async ({ actor, params, body, request, context }) => {
      const here = { request, context };
      const { userId } = params;
      const { role, revoke_admin_keys: revokeAdminKeys } = body;
      if (runsInstallation(role)) requireRecentProof(context);
      const withdrawn = await inTransaction(db(), async (tx) => {
        const { before, withdrawn } = await setRole(tx, actor, userId, role, { revokeAdminKeys });
        if (before !== null) await emailRoleChanged(tx, here, actor, { userId, before, after: role });
        return withdrawn;
      });
      return done({
        to: `/dashboard/admin/users/${userId}`,
        toast: "admin:done.role",
        answer: { role: body.role, ...withdrawnAnswer(withdrawn) },
      });
    },
  },
});

export const loader = role;
export const action = role;
