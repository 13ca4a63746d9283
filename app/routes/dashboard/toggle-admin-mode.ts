import { z } from "zod";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { cameFrom } from "~/access/safe-next";
import { db } from "~/connection/db.server";
import { setAdminView } from "~/domain/accounts/index.server";
import { Flag } from "~/http/body/fields";

/** Switches between the scope of an admin's role and their own data. Without a value it toggles. */
const toggle = portalEndpoint({
  allow: "department_admin",
  page: "/dashboard",
  POST: {
    body: z.strictObject({ admin_mode: Flag.optional() }),
    run: async ({ actor, body, request }) => {
      const adminMode = body.admin_mode ?? !actor.adminMode;
      await setAdminView(db(), actor, { adminMode, adminOrganisationId: actor.adminOrganisationId });
      const back = cameFrom(request, "/dashboard");
      // Administration pages exist only in the admin view.
      const to = !adminMode && back.startsWith("/dashboard/admin") ? "/dashboard" : back;
      return done({
        to,
        toast: adminMode ? "admin:done.adminModeOn" : "admin:done.adminModeOff",
        answer: { admin_mode: adminMode },
      });
    },
  },
});

export const loader = toggle;
export const action = toggle;
