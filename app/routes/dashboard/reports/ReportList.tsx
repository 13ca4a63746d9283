import { useTranslation } from "react-i18next";
import { href, Link } from "react-router";
import type { SavedReport } from "~/domain/reports/shared";
import { ConfirmDialog } from "~/ui/ConfirmDialog";
import { DialogButton } from "~/ui/Dialog";
import { DateTime } from "~/ui/Figures";
import { TextField } from "~/ui/forms/fields";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { usePages } from "~/ui/lists/list-address";
import { Pager } from "~/ui/lists/list-parts";
import { Badge, EmptyState } from "~/ui/page-parts";

/** The saved reports that the reader may open. */
export function ReportList({ reports, nextBeforeId }: { reports: SavedReport[]; nextBeforeId: number | null }) {
  const { t } = useTranslation("reports");
  const columns = useColumns();
  return (
    <>
      <DataTable
        name="reports"
        caption={t("list.title")}
        columns={columns}
        rows={reports}
        rowKey={({ id }) => id}
        empty={<EmptyState title={t("list.empty")}>{t("list.emptyText")}</EmptyState>}
      />
      <Pager {...usePages(nextBeforeId)} />
      {reports
        .filter(({ canChange }) => canChange)
        .map((report) => (
          <Changes key={report.id} report={report} />
        ))}
    </>
  );
}

function useColumns(): Column<SavedReport>[] {
  const { t } = useTranslation("reports");
  const params = ({ id }: SavedReport) => ({ reportId: String(id) });
  return [
    {
      id: "name",
      header: t("save.name"),
      cell: (report) => (
        <Link
          to={href("/dashboard/reports/:reportId/view", params(report))}
          className="block max-w-72 truncate font-strong hover:text-accent"
          title={report.name}
        >
          {report.name}
        </Link>
      ),
    },
    {
      id: "visibility",
      header: t("save.visibility"),
      cell: (row) => <Badge>{t(`visibility.${row.visibility}`)}</Badge>,
    },
    { id: "owner", header: t("list.owner"), cell: ({ owner }) => owner, optional: true },
    { id: "updated", header: t("list.updated"), cell: ({ updatedAt }) => <DateTime at={updatedAt} />, optional: true },
    {
      id: "actions",
      header: <span className="sr-only">{t("list.actions")}</span>,
      align: "end",
      cell: (report) => (
        <span className="flex justify-end gap-2">
          <a href={href("/dashboard/reports/:reportId/open", params(report))} className="button button-small">
            {t("edit")}
          </a>
          <a
            href={href("/dashboard/reports/:reportId/export", params(report))}
            download
            className="button button-small"
          >
            CSV
          </a>
          {report.canChange ? (
            <>
              <DialogButton dialog={`rename-${report.id}`} small>
                {t("rename")}
              </DialogButton>
              <DialogButton dialog={`delete-${report.id}`} small>
                {t("delete")}
              </DialogButton>
            </>
          ) : null}
        </span>
      ),
    },
  ];
}

function Changes({ report }: { report: SavedReport }) {
  const { t } = useTranslation("reports");
  const params = { reportId: String(report.id) };
  return (
    <>
      <ConfirmDialog
        id={`rename-${report.id}`}
        title={t("renameTitle", { name: report.name })}
        action={href("/dashboard/reports/:reportId/rename", params)}
        values={{ version: report.version }}
        confirm={t("rename")}
        danger={false}
      >
        <TextField
          id={`name-${report.id}`}
          name="name"
          label={t("save.name")}
          defaultValue={report.name}
          maxLength={120}
          autoComplete="off"
          required
        />
      </ConfirmDialog>
      <ConfirmDialog
        id={`delete-${report.id}`}
        title={t("deleteTitle", { name: report.name })}
        action={href("/dashboard/reports/:reportId/delete", params)}
        consequences={t("deleteText")}
        confirm={t("delete")}
      />
    </>
  );
}
