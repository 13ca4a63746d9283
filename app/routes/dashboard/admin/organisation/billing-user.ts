import { requireRecentProof } from "~/access/actor.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { inTransaction } from "~/connection/bus.server";
import { db } from "~/connection/db.server";
import { setBillingUser } from "~/domain/organisations/index.server";
import { emailNominee } from "../email-nominee.server";
import { BillingUserForm } from "../organisations/organisation-form.schema";
import { organisationPage, ownOrganisation } from "./own-organisation";

const billingUser = portalEndpoint({
  allow: "org_admin",
  page: "/dashboard/admin/organisation",
  POST: {
    body: BillingUserForm,
    run: async ({ actor, body, context }) => {
      // Paying with one's own wallet starts at once; any other owner is asked first.
      if (body.billing_user_id === actor.userId) requireRecentProof(context);
      const { billingUserId, nominatedUserId } = await inTransaction(db(), async (tx) => {
        const change = await setBillingUser(tx, actor, ownOrganisation(actor, body.org_id), body.billing_user_id);
        await emailNominee(tx, actor, change.asked);
        return change;
      });
      return done({
        to: organisationPage(actor, body.org_id),
        toast: nominatedUserId === null ? "admin:done.billingUser" : "admin:done.payerAsked",
        answer: { billing_user_id: billingUserId, nominated_user_id: nominatedUserId },
      });
    },
  },
});

export const loader = billingUser;
export const action = billingUser;
