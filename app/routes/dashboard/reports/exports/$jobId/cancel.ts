import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { cancelExport } from "~/domain/reports/index.server";
import { ExportParams } from "../params";

const PAGE = "/dashboard/reports";

const endpoint = portalEndpoint({
  allow: "viewer",
  params: ExportParams,
  page: PAGE,
  POST: async ({ actor, params }) => {
    await cancelExport(db(), actor, params.jobId);
    return done({ to: `${PAGE}#exports`, toast: "reports:export.cancelled" });
  },
});
export const loader = endpoint;
export const action = endpoint;
