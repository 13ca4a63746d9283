import { useTranslation } from "react-i18next";
import { href } from "react-router";
import type { ScheduleRun } from "~/domain/reports/shared";
import { Button } from "~/ui/Button";
import { Count, DateTime, Duration } from "~/ui/Figures";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { Badge } from "~/ui/page-parts";
import { useByteFormat } from "./byte-format";
import { DownloadLink, ProblemNote, ReportName } from "./cells";

/** The runs of the reader's own schedules, newest first. */
export function RunList({ runs }: { runs: ScheduleRun[] }) {
  const { t } = useTranslation("reports");
  return (
    <DataTable
      name="schedule-runs"
      caption={t("run.title")}
      columns={useColumns()}
      rows={runs}
      rowKey={({ id }) => id}
      empty={null}
    />
  );
}

const KINDS = { running: "info", done: "good", failed: "bad" } as const;

function useColumns(): Column<ScheduleRun>[] {
  const { t } = useTranslation("reports");
  const size = useByteFormat();
  return [
    {
      id: "name",
      header: t("export.report"),
      cell: ({ name }) => <ReportName name={name} />,
    },
    { id: "period", header: t("run.period"), cell: ({ period }) => <DateTime at={period} /> },
    {
      id: "status",
      header: t("export.status"),
      cell: ({ status, problem }) => (
        <>
          <Badge kind={KINDS[status]}>{t(`export.state.${status}`)}</Badge>
          <ProblemNote problem={problem} />
        </>
      ),
    },
    { id: "rows", header: t("export.rows"), align: "end", cell: ({ rows }) => <Count value={rows} />, optional: true },
    { id: "size", header: t("export.size"), align: "end", cell: ({ bytes }) => size(Number(bytes)), optional: true },
    {
      id: "duration",
      header: t("run.duration"),
      align: "end",
      cell: ({ durationMs }) => (durationMs === null ? "–" : <Duration ms={durationMs} />),
      optional: true,
    },
    {
      id: "actions",
      header: <span className="sr-only">{t("list.actions")}</span>,
      align: "end",
      cell: (run) => <Actions of={run} />,
    },
  ];
}

function Actions({ of: { id, exportId, name, status, reviewedAt } }: { of: ScheduleRun }) {
  const { t } = useTranslation("reports");
  return (
    <span className="flex justify-end gap-2">
      {exportId === null ? null : <DownloadLink exportId={exportId} name={name} />}
      {status === "running" ? null : reviewedAt === null ? (
        <form method="post" action={href("/dashboard/reports/schedule-runs/:runId/review", { runId: String(id) })}>
          <Button small>{t("run.review")}</Button>
        </form>
      ) : (
        <Badge>{t("run.isReviewed")}</Badge>
      )}
    </span>
  );
}
