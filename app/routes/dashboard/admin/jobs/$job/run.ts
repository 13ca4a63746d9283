import { z } from "zod";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { requestRun } from "~/jobs/index.server";
import { JobName } from "../job-name";

const run = portalEndpoint({
  params: z.object({ job: JobName }),
  allow: "platform_admin",
  page: "/dashboard/admin/jobs",
  POST: async ({ actor, params }) => {
    await requestRun(db(), actor, params.job);
    return done({ to: "/dashboard/admin/jobs", toast: "jobs:requested" });
  },
});

export const loader = run;
export const action = run;
