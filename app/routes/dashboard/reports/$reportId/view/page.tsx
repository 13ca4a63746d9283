import { useTranslation } from "react-i18next";
import { href, Link } from "react-router";
import { z } from "zod";
import { refusedFormOf } from "~/access/flash.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { listExports, readReport } from "~/domain/reports/index.server";
import { Id } from "~/http/body/fields";
import { CsvLink } from "~/ui/lists/list-parts";
import type { PageHandle } from "~/ui/page-handle";
import { PageHeader, Section } from "~/ui/page-parts";
import { ExportForm, ExportList } from "../../ExportList";
import { readQuestion } from "../../query.server";
import { ReportTable } from "../../ReportTable";
import { SCHEDULES, ScheduleCreate } from "../../ScheduleCreate";
import { usePeriod } from "../../use-period";
import { readReportView } from "../../view.server";
import type { Route } from "./+types/page";

export const handle: PageHandle = { hydrate: false };

export const loader = pageLoader(
  { allow: "viewer", params: z.object({ reportId: Id }) },
  async ({ actor, params, context }) => {
    const report = await readReport(db(), actor, params.reportId);
    const [view, exports] = await Promise.all([
      readReportView(db(), actor, readQuestion(report.question)),
      listExports(db(), actor),
    ]);
    const refused = refusedFormOf(context, SCHEDULES);
    return { report, view, refused, exports: exports.filter(({ reportId }) => reportId === report.id) };
  },
);

export default function ViewReport({ loaderData: { report, view, exports, refused } }: Route.ComponentProps) {
  const { t } = useTranslation("reports");
  const reportId = String(report.id);
  const actions = (
    <>
      <Link to={href("/dashboard/reports/:reportId/open", { reportId })} className="button button-small" reloadDocument>
        {t("edit")}
      </Link>
      <CsvLink to={href("/dashboard/reports/:reportId/export", { reportId })} />
    </>
  );
  return (
    <>
      <PageHeader
        back={{ to: href("/dashboard/reports"), label: t("title") }}
        title={report.name}
        sub={usePeriod(view)}
        actions={actions}
      />
      <Section flush={view.rows.length > 0} title={t("result")}>
        <ReportTable view={view} name={report.name} />
      </Section>
      <Section id="exports" title={t("export.title")}>
        <ExportForm reportId={report.id} />
      </Section>
      {exports.length === 0 ? null : (
        <Section flush title={t("export.files")}>
          <ExportList exports={exports} />
        </Section>
      )}
      <Section id="schedule" title={t("schedule.create")}>
        <ScheduleCreate reportId={report.id} zone={view.window.timeZone} refused={refused} />
      </Section>
    </>
  );
}
