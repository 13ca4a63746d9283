import { useTranslation } from "react-i18next";
import type { Batch } from "~/domain/batches/shared";
import { Count } from "~/ui/Figures";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { Badge, Section } from "~/ui/page-parts";

type Row = Batch["processing"][number];

/** Suppliers that process lines of a batch as their own batches; renders nothing if each line is a call. */
export function SupplierLines({ processing }: { processing: readonly Row[] }) {
  const { t } = useTranslation("batches");
  if (processing.length === 0) return null;
  const columns: Column<Row>[] = [
    { id: "supplier", header: t("suppliers.supplier"), cell: ({ supplier }) => supplier },
    {
      id: "state",
      header: t("col.state"),
      wrap: true,
      cell: ({ status, reason }) => (
        <>
          <Badge kind={status === "refused" ? "held" : status === "ended" ? "good" : "info"}>
            {t(`suppliers.state.${status}`)}
          </Badge>
          {reason === null ? null : (
            <span lang="en" className="block text-xs text-ink-3 wrap-anywhere">
              {reason}
            </span>
          )}
        </>
      ),
    },
    {
      id: "lines",
      header: t("suppliers.lines"),
      align: "end",
      cell: ({ lines }) => <Count value={lines} />,
    },
  ];
  return (
    <Section title={t("suppliers.title")} aside={t("suppliers.text")} flush>
      <DataTable
        name="batch-suppliers"
        caption={t("suppliers.title")}
        rows={processing}
        rowKey={(row) => processing.indexOf(row)}
        columns={columns}
      />
    </Section>
  );
}
