import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { createSchedule, readReport } from "~/domain/reports/index.server";
import { readQuestion } from "./query.server";
import { ScheduleForm } from "./schedule-form.schema";

/** Schedules a report, which is then written and sent repeatedly. */
const endpoint = portalEndpoint({
  allow: "viewer",
  page: "/dashboard/reports",
  POST: {
    body: ScheduleForm,
    run: async ({ actor, body }) => {
      const { report_id: reportId, cadence, cron, zone, format } = body;
      const { question } = await readReport(db(), actor, reportId);
      const report = { ...readQuestion(question), zone };
      const how = { cadence, cron, zone, format, byMail: body.by_mail, byWebhook: body.by_webhook };
      const id = await createSchedule(db(), actor, { reportId, asked: report, ...how });
      return done({ to: "/dashboard/reports#schedules", toast: "reports:schedule.created", answer: { id } });
    },
  },
});
export const loader = endpoint;
export const action = endpoint;
