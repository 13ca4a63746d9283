import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/db.server";
import { revokeAlertConsent } from "~/domain/budgets/index.server";

/** The caller takes back their consent. Open to those who manage nothing any more. */
const revoke = portalEndpoint({
  allow: "viewer",
  page: "/dashboard/budgets",
  POST: async ({ actor }) => {
    await revokeAlertConsent(db(), actor);
    return done({ to: "/dashboard/budgets", toast: "budgets:consent.revoked" });
  },
});

export const loader = revoke;
export const action = revoke;
