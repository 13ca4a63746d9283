import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { Money, Percent, Tokens } from "~/ui/Figures";
import { type Column, ColumnChoice, DataTable } from "~/ui/lists/DataTable";
import { useFilters } from "~/ui/lists/filters";
import { FilterBar } from "~/ui/lists/list-parts";
import type { PageHandle } from "~/ui/page-handle";
import { EmptyState, PageHeader, Section } from "~/ui/page-parts";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { amountOf, type PriceField, shownUnits } from "../../_public/catalogue-view/shared";
import type { Route } from "./+types/page";
import { MODEL_FILTERS } from "./filters";
import { ModelBadges } from "./ModelBadges";
import { modelPath } from "./paths";
import { ModelsQuery } from "./query.server";
import { SpreadCell } from "./SpreadCell";
import { type ModelsView, readModelsPage } from "./view.server";

export const handle: PageHandle = { hydrate: false };

export const loader = pageLoader({ allow: "viewer", query: ModelsQuery }, ({ actor, query }) =>
  readModelsPage(db(), actor, query),
);

export default function Models({ loaderData: view }: Route.ComponentProps) {
  const { t } = useTranslation("modelPages");
  const columns = useColumns();
  const filters = useFilters(MODEL_FILTERS, view);
  return (
    <>
      <PageHeader title={t("title")} sub={t("sub", { shown: view.models.length, count: view.total })} />
      <FilterBar filters={filters} clear="/dashboard/models" aside={<ColumnChoice name="models" columns={columns} />} />
      <Section flush={view.models.length > 0}>
        <DataTable
          name="models"
          caption={t("title")}
          columns={columns}
          rows={view.models}
          rowKey={({ model }) => model.id}
          empty={
            <EmptyState title={view.total === 0 ? t("none") : t("nothing")}>
              {view.total === 0 ? t("noneText") : t("nothingText")}
            </EmptyState>
          }
        />
      </Section>
      <p className="mt-3 text-ink-3">{t("trafficNote")}</p>
    </>
  );
}

type Row = ModelsView["models"][number];

function useColumns(): Column<Row>[] {
  const { t } = useTranslation("modelPages");
  const { language } = useDocumentFacts();
  const end = "end" as const;
  const price = (field: PriceField): Column<Row> => ({
    id: field,
    header: t(`price.${field}`),
    align: end,
    optional: true,
    value: ({ model }) => Math.max(0, ...model.routes.map((route) => Number(route.price[field]))) || null,
    cell: ({ model }) => amountOf(model, field, language),
  });
  return [
    {
      id: "model",
      header: t("col.model"),
      value: ({ model }) => model.id,
      cell: ({ model }) => (
        <Link
          to={modelPath(model.id)}
          title={model.id}
          className="block max-w-72 truncate font-strong hover:text-accent"
        >
          {model.id}
        </Link>
      ),
    },
    {
      id: "capability",
      header: t("col.capability"),
      optional: true,
      value: ({ model }) => model.capability,
      cell: ({ model }) => (
        <span className="flex flex-wrap gap-1">
          <ModelBadges model={model} />
        </span>
      ),
    },
    price("inputPerMtok"),
    price("outputPerMtok"),
    {
      id: "other",
      header: t("col.other"),
      align: end,
      cell: ({ model }) => {
        const others = shownUnits(model.capability, [model]).filter(({ field }) => !field.endsWith("PerMtok"));
        return others.length === 0 ? (
          <None />
        ) : (
          others.map(({ field }) => (
            <span key={field} className="grid leading-snug">
              {amountOf(model, field, language)}
              <span className="text-xs text-ink-3">{t(`price.${field}`)}</span>
            </span>
          ))
        );
      },
    },
    {
      id: "firstByte",
      header: t("col.firstByte"),
      align: end,
      optional: true,
      first: "asc",
      value: ({ traffic }) => traffic?.firstByte?.p50,
      cell: ({ traffic }) => <SpreadCell spread={traffic?.firstByte} />,
    },
    {
      id: "success",
      header: t("col.success"),
      align: end,
      optional: true,
      value: ({ traffic }) => traffic?.successRate,
      cell: ({ traffic }) => (traffic === null ? <None /> : <Percent share={traffic.successRate} />),
    },
    { id: "regions", header: t("col.regions"), cell: ({ model }) => model.regions.join(", ") },
    {
      id: "spent",
      header: t("col.spent"),
      align: end,
      cell: ({ model, spentNanoUsd }) =>
        spentNanoUsd === 0n ? (
          <None />
        ) : (
          <Link to={`/dashboard/usage?model=${encodeURIComponent(model.id)}`} className="hover:text-accent">
            <Money nano={spentNanoUsd} />
          </Link>
        ),
    },
    { ...price("cachedInputPerMtok"), optional: "off" },
    {
      id: "context",
      header: t("col.context"),
      align: end,
      optional: "off",
      cell: ({ model }) => (model.contextTokens === null ? <None /> : <Tokens count={model.contextTokens} />),
    },
  ];
}

const None = () => <span className="text-ink-3">–</span>;
