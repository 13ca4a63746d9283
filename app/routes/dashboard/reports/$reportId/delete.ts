import { z } from "zod";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { deleteReport } from "~/domain/reports/index.server";
import { Id } from "~/http/body/fields";

const PAGE = "/dashboard/reports";

const endpoint = portalEndpoint({
  allow: "viewer",
  params: z.object({ reportId: Id }),
  page: PAGE,
  POST: async ({ actor, params }) => {
    await deleteReport(db(), actor, params.reportId);
    return done({ to: PAGE, toast: "reports:deleted" });
  },
});
export const loader = endpoint;
export const action = endpoint;
