import { z } from "zod";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { proveFirst } from "~/access/prove-first.server";
import { inTransaction } from "~/bus.server";
import { db } from "~/db.server";
import { setRole } from "~/domain/identity/index.server";
import { ROLES } from "~/domain/identity/shared";
import { RevokeAdminKeys, UserParams, withdrawnAnswer } from "../../fields";
import { runsInstallation, tellRoleChanged } from "../tell-role.server";

const role = portalEndpoint({
  params: UserParams,
  allow: "department_admin",
  page: "/dashboard/admin/users",
  POST: {
    body: z.strictObject({ role: z.enum(ROLES), revoke_admin_keys: RevokeAdminKeys }),
    run: async ({ actor, params, body, request, context }) => {
      const here = { request, context };
      const { userId } = params;
      const { role, revoke_admin_keys: revokeAdminKeys } = body;
      if (runsInstallation(role)) proveFirst(here, { page: `/dashboard/admin/users/${userId}`, sent: body });
      const withdrawn = await inTransaction(db(), async (tx) => {
        const { before, withdrawn } = await setRole(tx, actor, userId, role, { revokeAdminKeys });
        if (before !== null) await tellRoleChanged(tx, here, actor, { userId, before, after: role });
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
