import { z } from "zod";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { readReport } from "~/domain/reports/index.server";
import { Id } from "~/http/body/fields";

/** Redirects to the builder with the question of a saved report. */
const endpoint = portalEndpoint({
  allow: "viewer",
  params: z.object({ reportId: Id }),
  GET: async ({ actor, params }) => {
    const { question } = await readReport(db(), actor, params.reportId);
    const location = question === "" ? "/dashboard/reports" : `/dashboard/reports?${question}`;
    return done({ to: location, answer: { location } });
  },
});
export const loader = endpoint;
export const action = endpoint;
