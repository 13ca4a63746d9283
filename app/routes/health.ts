import { db } from "~/connection/db.server";
import { admissionClosedBecause, postingLagMs } from "~/domain/accounting/index.server";
import { healthEndpoint } from "~/http/server/health";
import { lateJobs, silentBecause } from "~/jobs/index.server";

const health = healthEndpoint({
  obstacle: () => admissionClosedBecause() ?? silentBecause(),
  lateJobs: () => lateJobs(db()),
  postingLagMs,
});

export const loader = health;
export const action = health;
