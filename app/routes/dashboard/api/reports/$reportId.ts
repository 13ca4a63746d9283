import { z } from "zod";
import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { askedBy, measuresAnswer, readReport, readResult, rowAnswer } from "~/domain/reports/index.server";
import { Id } from "~/http/body/fields";
import { readQuestion } from "../../reports/query.server";

const MAX_ROWS = 1_000;

const endpoint = portalEndpoint({
  allow: "viewer",
  params: z.object({ reportId: Id }),
  GET: async ({ actor, params }) => {
    const { question, ...report } = await readReport(db(), actor, params.reportId);
    const reportQuestion = askedBy(actor, readQuestion(question), new Date());
    const { rows, isCut, total } = await readResult(db(), reportQuestion, MAX_ROWS);
    return {
      id: report.id,
      name: report.name,
      visibility: report.visibility,
      version: report.version,
      question: Object.fromEntries(new URLSearchParams(question)),
      from: reportQuestion.window.from,
      to: reportQuestion.window.to,
      time_zone: reportQuestion.window.timeZone,
      group: reportQuestion.group,
      interval: reportQuestion.interval,
      total: measuresAnswer(reportQuestion, total),
      rows: rows.map((row) => rowAnswer(reportQuestion, row)),
      truncated: isCut,
    };
  },
});
export const loader = endpoint;
export const action = endpoint;
