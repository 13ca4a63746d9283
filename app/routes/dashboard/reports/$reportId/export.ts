import { z } from "zod";
import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { askedBy, headerOf, lineOf, type ReportQuestion, readReport, reportRows } from "~/domain/reports/index.server";
import { csvResponse } from "~/http/body/csv";
import { Id } from "~/http/body/fields";
import type { CsvCell } from "~/values/csv";
import { readQuestion } from "../query.server";

const endpoint = portalEndpoint({
  allow: "viewer",
  params: z.object({ reportId: Id }),
  GET: async ({ actor, params }) => {
    const { id, question } = await readReport(db(), actor, params.reportId);
    const asked = askedBy(actor, readQuestion(question), new Date());
    return csvResponse(`report-${id}.csv`, headerOf(asked), linesOf(asked));
  },
});

async function* linesOf(asked: ReportQuestion): AsyncGenerator<CsvCell[][], void, undefined> {
  for await (const rows of reportRows(db(), asked)) yield rows.map((row) => lineOf(asked, row));
}

export const loader = endpoint;
export const action = endpoint;
