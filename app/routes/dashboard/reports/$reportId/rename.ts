import { z } from "zod";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { renameReport } from "~/domain/reports/index.server";
import { Id } from "~/http/body/fields";
import { RenameReportForm } from "../report-form.schema";

const PAGE = "/dashboard/reports";

const endpoint = portalEndpoint({
  allow: "viewer",
  params: z.object({ reportId: Id }),
  page: PAGE,
  POST: {
    body: RenameReportForm,
    run: async ({ actor, params, body }) => {
      await renameReport(db(), actor, { id: params.reportId, name: body.name, version: body.version ?? null });
      return done({ to: PAGE, toast: "reports:renamed" });
    },
  },
});
export const loader = endpoint;
export const action = endpoint;
