import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { revokeAlertConsent } from "~/domain/budgets/index.server";

/** Revokes the caller's consent. Also for people who no longer manage a budget. */
const revoke = portalEndpoint({
  allow: "viewer",
  page: "/dashboard/budgets/alerts",
  POST: async ({ actor }) => {
    await revokeAlertConsent(db(), actor);
    return done({ to: "/dashboard/budgets/alerts", toast: "budgets:consent.revoked" });
  },
});

export const loader = revoke;
export const action = revoke;
