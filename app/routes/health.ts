import { db } from "~/db.server";
import { admissionClosedBecause } from "~/domain/accounting/index.server";
import { healthEndpoint } from "~/http/health";
import { lateJobs, silentBecause } from "~/jobs/index.server";

const health = healthEndpoint({
  obstacle: () => admissionClosedBecause() ?? silentBecause(),
  lateJobs: () => lateJobs(db()),
});

export const loader = health;
export const action = health;
