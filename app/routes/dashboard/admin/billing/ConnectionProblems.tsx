import { useTranslation } from "react-i18next";
import type { ConnectionProblem } from "~/domain/billing/shared";
import { DateTime } from "~/ui/Figures";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { EmptyState } from "~/ui/page-parts";

/** Errors of the payment processor's key or webhook endpoint, and their remedies. */
export function ConnectionProblems({ problems }: { problems: readonly ConnectionProblem[] }) {
  const { t } = useTranslation("billing");
  const columns: Column<ConnectionProblem>[] = [
    { id: "problem", header: t("admin.problem"), wrap: true, cell: ({ kind }) => t(`admin.connectionKinds.${kind}`) },
    {
      id: "details",
      header: t("admin.details"),
      wrap: true,
      cell: ({ detail }) => <code className="text-xs text-ink-3 break-words">{detail}</code>,
    },
    { id: "since", header: t("admin.since"), cell: ({ since }) => <DateTime at={since} /> },
  ];
  return (
    <DataTable
      name="payment-connection"
      caption={t("admin.connection")}
      columns={columns}
      rows={problems}
      rowKey={({ kind }) => kind}
      empty={<EmptyState title={t("admin.noConnectionProblems")} />}
    />
  );
}
