import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { AdminModel } from "~/domain/catalogue/shared";
import { Tokens } from "~/ui/Figures";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { Badge } from "~/ui/page-parts";
import { ADMIN_MODELS, Nothing, SourceBadge } from "./shared";

/** Models with their suppliers; models without a price are marked. */
export function ModelTable({ models }: { models: readonly AdminModel[] }) {
  const { t } = useTranslation("adminModels");
  const { t: tPages } = useTranslation("modelPages");
  const end = "end" as const;
  const limit = (count: number) => (count === 0 ? <span className="text-ink-3">–</span> : <Tokens count={count} />);
  const columns: Column<AdminModel>[] = [
    {
      id: "model",
      header: t("col.model"),
      cell: ({ id }) => (
        <Link
          to={`${ADMIN_MODELS}?tab=prices&q=${encodeURIComponent(id)}`}
          title={id}
          className="block max-w-72 truncate font-strong hover:text-accent"
        >
          {id}
        </Link>
      ),
    },
    {
      id: "capability",
      header: t("col.capability"),
      cell: ({ capability }) => <Badge kind="info">{tPages(`capability.${capability}`)}</Badge>,
    },
    {
      id: "suppliers",
      header: t("tab.suppliers"),
      wrap: true,
      cell: ({ suppliers, unpriced }) => (
        <span className="flex flex-wrap items-center gap-1">
          {suppliers.length === 0 ? <Badge kind="held">{t("notServed")}</Badge> : suppliers.join(", ")}
          {unpriced > 0 ? <Badge kind="bad">{t("noPrice")}</Badge> : null}
        </span>
      ),
    },
    { id: "context", header: t("col.context"), align: end, cell: ({ contextTokens }) => limit(contextTokens) },
    { id: "output", header: t("col.output"), align: end, cell: ({ maxOutputTokens }) => limit(maxOutputTokens) },
    { id: "source", header: t("col.source"), cell: ({ source }) => <SourceBadge source={source} /> },
  ];
  return (
    <DataTable
      name="admin-models"
      caption={t("tab.models")}
      columns={columns}
      rows={models}
      rowKey={({ id }) => id}
      empty={<Nothing />}
    />
  );
}
