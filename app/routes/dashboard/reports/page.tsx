import { useTranslation } from "react-i18next";
import { pageAction } from "~/access/portal/page-action.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { createReport, listExports, listReports, listScheduleRuns, listSchedules } from "~/domain/reports/index.server";
import { Id, orNothing } from "~/http/body/fields";
import type { PageHandle } from "~/ui/page-handle";
import { PageHeader, Section } from "~/ui/page-parts";
import type { Route } from "./+types/page";
import { Builder } from "./Builder";
import { ExportList } from "./ExportList";
import { canonicalQuestion, ReportQuery } from "./query.server";
import { ReportList } from "./ReportList";
import { ReportTable } from "./ReportTable";
import { RunList } from "./RunList";
import { NewReportForm } from "./report-form.schema";
import { SaveReport } from "./SaveReport";
import { ScheduleList } from "./ScheduleList";
import { usePeriod } from "./use-period";
import { readReportView } from "./view.server";

export const handle: PageHandle = { hydrate: false };

const PAGE_SIZE = 50;
const Query = ReportQuery.safeExtend({ after: orNothing(Id) });

export const loader = pageLoader({ allow: "viewer", query: Query }, async ({ actor, query, url }) => {
  const { after, ...question } = query;
  const [list, exports, schedules, runs, view] = await Promise.all([
    listReports(db(), actor, { beforeId: after ?? null, limit: PAGE_SIZE }),
    listExports(db(), actor),
    listSchedules(db(), actor),
    listScheduleRuns(db(), actor),
    readReportView(db(), actor, question),
  ]);
  return {
    ...list,
    exports,
    schedules,
    runs,
    view,
    question: canonicalQuestion(url.search),
    hasDepartment: actor.departmentId !== null,
  };
});

export const action = pageAction({ allow: "viewer", body: NewReportForm }, async ({ actor, body }) => {
  const question = canonicalQuestion(body.question);
  const id = await createReport(db(), actor, { ...body, question });
  return { to: `/dashboard/reports/${id}/view`, toast: "reports:saved", answer: { id } };
});

export default function Reports({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("reports");
  const { view, question, reports, exports, schedules, runs, nextBeforeId, hasDepartment } = loaderData;
  return (
    <>
      <PageHeader title={t("title")} sub={t("subtitle")} />
      <Section title={t("build")} aside={usePeriod(view)}>
        <Builder view={view} />
      </Section>
      <Section title={t("result")} flush={view.rows.length > 0}>
        <ReportTable view={view} name={t("result")} />
      </Section>
      <Section title={t("save.title")} id="save">
        <SaveReport question={question} hasDepartment={hasDepartment} refused={actionData?.form} />
      </Section>
      <Section title={t("list.title")} id="saved" flush={reports.length > 0}>
        <ReportList reports={reports} nextBeforeId={nextBeforeId} />
      </Section>
      {schedules.length === 0 ? null : (
        <Section id="schedules" title={t("schedule.title")} flush>
          <ScheduleList schedules={schedules} />
        </Section>
      )}
      {runs.length === 0 ? null : (
        <Section id="runs" title={t("run.title")} flush>
          <RunList runs={runs} />
        </Section>
      )}
      {exports.length === 0 ? null : (
        <Section id="exports" title={t("export.files")} flush>
          <ExportList exports={exports} />
        </Section>
      )}
    </>
  );
}
