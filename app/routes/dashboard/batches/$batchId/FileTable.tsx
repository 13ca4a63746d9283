import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { CopyText } from "~/ui/CopyText";
import { DateTime } from "~/ui/Figures";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { useByteFormat } from "../../reports/byte-format";
import type { BatchFileView } from "./batch-files.server";

/** The files of a batch, with a download link while they are stored. */
export function FileTable({ batchId, files }: { batchId: string; files: readonly BatchFileView[] }) {
  const { t } = useTranslation("batches");
  const size = useByteFormat();
  const end = "end" as const;
  const columns: Column<BatchFileView>[] = [
    { id: "file", header: t("files.file"), cell: ({ file }) => t(`files.${file}`) },
    {
      id: "size",
      header: t("files.size"),
      align: end,
      cell: ({ kept }) => (kept === null ? t("files.gone") : size(kept.bytes)),
    },
    {
      id: "until",
      header: t("files.until"),
      cell: ({ kept }) => (kept === null ? "–" : <DateTime at={kept.until} />),
    },
    { id: "id", header: t("files.id"), cell: ({ id }) => <CopyText text={id} what={t("files.id")} />, optional: true },
    {
      id: "actions",
      header: <span className="sr-only">{t("files.actions")}</span>,
      align: end,
      cell: ({ file, kept }) =>
        kept === null ? null : (
          <a
            href={`${href("/dashboard/batches/:batchId/download", { batchId })}?file=${file}`}
            download
            aria-label={t("files.downloadOf", { file: t(`files.${file}`) })}
            className="button button-small"
          >
            {t("files.download")}
          </a>
        ),
    },
  ];
  return (
    <DataTable
      name="batch-files"
      caption={t("files.title")}
      rows={files}
      rowKey={({ file }) => file}
      columns={columns}
    />
  );
}
