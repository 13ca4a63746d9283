import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { requestRun } from "~/jobs/index.server";

const page = "/dashboard/admin/billing/reconcile";

/** Starts the job that audits the ledger. */
const audit = portalEndpoint({
  allow: "platform_admin",
  page,
  POST: async ({ actor }) => {
    await requestRun(db(), actor, "audit-ledger");
    return done({ to: page, toast: "reconcile:requested" });
  },
});

export const loader = audit;
export const action = audit;
