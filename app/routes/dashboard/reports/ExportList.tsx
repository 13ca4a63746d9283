import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { EXPORT_FORMATS, EXPORT_KEPT_DAYS, type ExportStatus, type ReportExport } from "~/domain/reports/shared";
import { Button } from "~/ui/Button";
import { Count, DateTime } from "~/ui/Figures";
import { SelectField } from "~/ui/forms/fields";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { Badge, type BadgeKind } from "~/ui/page-parts";
import { useByteFormat } from "./byte-format";
import { DownloadLink, ProblemNote, ReportName } from "./cells";

/** The form that requests a file of a report. */
export function ExportForm({ reportId }: { reportId: number }) {
  const { t } = useTranslation("reports");
  return (
    <form
      method="post"
      action={href("/dashboard/reports/:reportId/exports", { reportId: String(reportId) })}
      className="flex flex-wrap items-end gap-3"
    >
      <SelectField
        name="format"
        label={t("export.format")}
        hint={t("export.hint", { days: EXPORT_KEPT_DAYS })}
        options={EXPORT_FORMATS.map((value) => ({ value, label: t(`export.formats.${value}`) }))}
      />
      <Button>{t("export.start")}</Button>
    </form>
  );
}

const KINDS: Record<ExportStatus, BadgeKind> = {
  queued: "plain",
  running: "info",
  done: "good",
  failed: "bad",
  cancelled: "plain",
};

/** A failed or cancelled export has no file, so its rows and bytes are not shown. */
const hasContent = ({ status }: ReportExport): boolean => status !== "cancelled" && status !== "failed";

/** The reader's own exports, with their files. */
export function ExportList({ exports }: { exports: ReportExport[] }) {
  const { t } = useTranslation("reports");
  return (
    <DataTable
      name="exports"
      caption={t("export.title")}
      columns={useColumns()}
      rows={exports}
      rowKey={({ id }) => id}
      empty={<p className="px-4 py-3.5 text-ink-3">{t("export.empty")}</p>}
    />
  );
}

function useColumns(): Column<ReportExport>[] {
  const { t } = useTranslation("reports");
  const size = useByteFormat();
  return [
    {
      id: "name",
      header: t("export.report"),
      cell: ({ name }) => <ReportName name={name} />,
    },
    { id: "format", header: t("export.format"), cell: ({ format }) => t(`export.formats.${format}`), optional: true },
    { id: "status", header: t("export.status"), cell: (row) => <Status of={row} /> },
    {
      id: "rows",
      header: t("export.rows"),
      align: "end",
      cell: (row) => (hasContent(row) ? <Count value={row.rows} /> : "–"),
    },
    {
      id: "size",
      header: t("export.size"),
      align: "end",
      cell: (row) => (hasContent(row) ? size(Number(row.bytes)) : "–"),
      optional: true,
    },
    {
      id: "created",
      header: t("export.created"),
      cell: ({ createdAt }) => <DateTime at={createdAt} />,
      optional: true,
    },
    {
      id: "actions",
      header: <span className="sr-only">{t("list.actions")}</span>,
      align: "end",
      cell: (row) => <Actions of={row} />,
    },
  ];
}

function Status({ of: { status, percent, problem } }: { of: ReportExport }) {
  const { t } = useTranslation("reports");
  return (
    <>
      <Badge kind={KINDS[status]}>
        {status === "running" ? t("export.percent", { percent }) : t(`export.state.${status}`)}
      </Badge>
      <ProblemNote problem={problem} />
    </>
  );
}

function Actions({ of: { id, status, name } }: { of: ReportExport }) {
  const { t } = useTranslation("reports");
  if (status === "done") return <DownloadLink exportId={id} name={name} />;
  if (status !== "queued" && status !== "running") return null;
  return (
    <form method="post" action={href("/dashboard/reports/exports/:jobId/cancel", { jobId: id })}>
      <Button small>{t("export.cancel")}</Button>
    </form>
  );
}
