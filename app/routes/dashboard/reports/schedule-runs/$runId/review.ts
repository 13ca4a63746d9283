import { z } from "zod";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { reviewRun } from "~/domain/reports/index.server";
import { Id } from "~/http/body/fields";

const PAGE = "/dashboard/reports";

const endpoint = portalEndpoint({
  allow: "viewer",
  params: z.object({ runId: Id }),
  page: PAGE,
  POST: async ({ actor, params }) => {
    await reviewRun(db(), actor, params.runId);
    return done({ to: `${PAGE}#runs`, toast: "reports:run.reviewed" });
  },
});
export const loader = endpoint;
export const action = endpoint;
