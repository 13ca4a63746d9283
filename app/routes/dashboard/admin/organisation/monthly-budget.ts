import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { setOrganisationBudget } from "~/domain/organisations/index.server";
import { formatUsd } from "~/values/money";
import { OrganisationBudgetForm } from "../organisations/organisation-form.schema";
import { organisationPage, ownOrganisation } from "./own-organisation";

const monthlyBudget = portalEndpoint({
  allow: "org_admin",
  page: "/dashboard/admin/organisation",
  POST: {
    body: OrganisationBudgetForm,
    run: async ({ actor, body }) => {
      const { monthly_budget: limit, org_id: requestedId } = body;
      await setOrganisationBudget(db(), actor, ownOrganisation(actor, requestedId), { limitNanoUsd: limit });
      return done({
        to: organisationPage(actor, requestedId),
        toast: "admin:done.monthlyBudget",
        answer: { monthly_budget: limit === null ? null : formatUsd(limit) },
      });
    },
  },
});

export const loader = monthlyBudget;
export const action = monthlyBudget;
