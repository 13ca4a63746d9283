import { useTranslation } from "react-i18next";
import { href } from "react-router";
import type { ReportSchedule } from "~/domain/reports/shared";
import { Button } from "~/ui/Button";
import { dateFormat } from "~/ui/format";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { Badge } from "~/ui/page-parts";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { ReportName } from "./cells";

/** The reader's own schedules, with the next run in each schedule's time zone. */
export function ScheduleList({ schedules }: { schedules: ReportSchedule[] }) {
  const { t } = useTranslation("reports");
  return (
    <DataTable
      name="schedules"
      caption={t("schedule.title")}
      columns={useColumns()}
      rows={schedules}
      rowKey={({ id }) => id}
      empty={null}
    />
  );
}

function useColumns(): Column<ReportSchedule>[] {
  const { t } = useTranslation("reports");
  const { language } = useDocumentFacts();
  const at = (moment: Date, timeZone: string) =>
    dateFormat(language, { timeZone, dateStyle: "medium", timeStyle: "short" }).format(new Date(moment));
  return [
    {
      id: "name",
      header: t("export.report"),
      cell: ({ name }) => <ReportName name={name} />,
    },
    {
      id: "cron",
      header: t("schedule.cadence"),
      cell: ({ cron, zone }) => (
        <>
          <code>{cron}</code> <span className="text-ink-3">{zone}</span>
        </>
      ),
      optional: true,
    },
    {
      id: "next",
      header: t("schedule.next"),
      cell: ({ next, zone, disabledBecause }) =>
        disabledBecause === null ? (
          <span className="grid">
            {next.map((moment) => (
              <span key={String(moment)}>{at(moment, zone)}</span>
            ))}
          </span>
        ) : (
          <Badge kind={disabledBecause === "no_access" ? "bad" : "plain"}>
            {t(`schedule.because.${disabledBecause}`)}
          </Badge>
        ),
    },
    { id: "format", header: t("export.format"), cell: ({ format }) => t(`export.formats.${format}`), optional: true },
    {
      id: "actions",
      header: <span className="sr-only">{t("list.actions")}</span>,
      align: "end",
      cell: ({ id, disabledBecause }) =>
        disabledBecause === null ? (
          <form
            method="post"
            action={href("/dashboard/reports/schedules/:scheduleId/disable", { scheduleId: String(id) })}
          >
            <Button small>{t("schedule.disable")}</Button>
          </form>
        ) : null,
    },
  ];
}
