import { z } from "zod";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { createExport, readReport } from "~/domain/reports/index.server";
import { EXPORT_FORMATS } from "~/domain/reports/shared";
import { Id } from "~/http/body/fields";
import { readQuestion } from "../query.server";

/** Starts writing a file of a report in the background. */
const endpoint = portalEndpoint({
  allow: "viewer",
  params: z.object({ reportId: Id }),
  page: "/dashboard/reports",
  POST: {
    body: z.object({ format: z.enum(EXPORT_FORMATS).default("csv") }),
    run: async ({ actor, params: { reportId }, body }) => {
      const { question } = await readReport(db(), actor, reportId);
      const asked = readQuestion(question);
      const id = await createExport(db(), actor, { reportId, asked, format: body.format });
      return done({
        to: `/dashboard/reports/${reportId}/view#exports`,
        toast: "reports:export.started",
        answer: { id },
      });
    },
  },
});
export const loader = endpoint;
export const action = endpoint;
