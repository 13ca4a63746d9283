import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { setOrganisation } from "~/domain/people/index.server";
import { UserParams, withdrawnAnswer } from "../../fields";
import { OrganisationChoiceForm } from "./person-form.schema";

const org = portalEndpoint({
  params: UserParams,
  allow: "platform_admin",
  page: "/dashboard/admin/users",
  POST: {
    body: OrganisationChoiceForm,
    run: async ({ actor, params, body }) => {
      const withdrawn = await setOrganisation(db(), actor, params.userId, body.org_id, {
        revokeAdminKeys: body.revoke_admin_keys,
      });
      return done({
        to: `/dashboard/admin/users/${params.userId}`,
        toast: "admin:done.org",
        answer: { org_id: body.org_id, ...withdrawnAnswer(withdrawn) },
      });
    },
  },
});

export const loader = org;
export const action = org;
