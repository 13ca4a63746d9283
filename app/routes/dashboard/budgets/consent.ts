import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { consentToAlerts } from "~/domain/budgets/index.server";
import { CONSENT_VERSION } from "~/domain/budgets/shared";

/** Records the caller's consent to alerts about the budgets that they manage. */
const consent = portalEndpoint({
  allow: "department_admin",
  page: "/dashboard/budgets/alerts",
  POST: async ({ actor }) => {
    await consentToAlerts(db(), actor);
    return done({
      to: "/dashboard/budgets/alerts",
      toast: "budgets:consent.given",
      answer: { version: CONSENT_VERSION },
    });
  },
});

export const loader = consent;
export const action = consent;
