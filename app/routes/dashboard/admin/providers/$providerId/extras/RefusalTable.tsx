import { useTranslation } from "react-i18next";
import type { LearnedRefusal } from "~/domain/catalogue/shared";
import { DateTime } from "~/ui/Figures";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { EmptyState } from "~/ui/page-parts";

/**
 * Request fields that a supplier has rejected for its models, with the profile that omits the same fields permanently.
 */
export function RefusalTable({ refusals }: { refusals: readonly LearnedRefusal[] }) {
  const { t } = useTranslation("adminModels");
  const columns: Column<LearnedRefusal>[] = [
    {
      id: "model",
      header: t("extras.refused.model"),
      wrap: true,
      cell: ({ model }) => <span className="mono">{model}</span>,
    },
    {
      id: "field",
      header: t("extras.refused.field"),
      cell: ({ field }) => <span className="mono">{field}</span>,
    },
    { id: "words", header: t("extras.refused.words"), wrap: true, cell: ({ words }) => words },
    { id: "times", header: t("extras.refused.times"), align: "end", cell: ({ refused }) => refused },
    { id: "until", header: t("extras.refused.until"), cell: ({ expiresAt }) => <DateTime at={expiresAt} /> },
    {
      id: "profile",
      header: t("extras.refused.profile"),
      cell: ({ profile }) => (profile === null ? "–" : <span className="mono">profile: {profile}</span>),
    },
  ];
  return (
    <DataTable
      name="learned-refusals"
      caption={t("extras.refused.caption")}
      columns={columns}
      rows={refusals}
      rowKey={({ model, field }) => `${model} ${field}`}
      empty={<EmptyState title={t("extras.refused.nothing")}>{t("extras.refused.nothingText")}</EmptyState>}
    />
  );
}
