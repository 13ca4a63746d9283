import { z } from "zod";
import { done, portalEndpoint } from "~/access/portal-endpoint.server";
import { db } from "~/db.server";
import { setBillingUser } from "~/domain/organisations/index.server";
import { Id, IdOrNone } from "../fields";
import { organisationPage, ownOrganisation } from "./own-organisation";

const billingUser = portalEndpoint({
  allow: "org_admin",
  page: "/dashboard/admin/organisation",
  POST: {
    body: z.strictObject({ billing_user_id: IdOrNone, org_id: Id.optional() }),
    run: async ({ actor, body }) => {
      await setBillingUser(db(), actor, ownOrganisation(actor, body.org_id), body.billing_user_id);
      return done({
        to: organisationPage(actor, body.org_id),
        toast: "admin:done.billingUser",
        answer: { billing_user_id: body.billing_user_id },
      });
    },
  },
});

export const loader = billingUser;
export const action = billingUser;
