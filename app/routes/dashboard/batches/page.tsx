import { useTranslation } from "react-i18next";
import { href, Link, useSearchParams } from "react-router";
import { z } from "zod";
import { pageLoader } from "~/access/portal/page-loader.server";
import { config } from "~/config.server";
import { db } from "~/connection/db.server";
import { listVisibleBatches } from "~/domain/batches/index.server";
import type { BatchView } from "~/domain/batches/shared";
import { orNothing } from "~/http/body/fields";
import { CodeSample } from "~/ui/CodeSample";
import { Money, RelativeTime } from "~/ui/Figures";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { useFilters } from "~/ui/lists/filters";
import { usePages } from "~/ui/lists/list-address";
import { FilterBar, Pager } from "~/ui/lists/list-parts";
import type { PageHandle } from "~/ui/page-handle";
import { EmptyState, Live, PageHeader, Section } from "~/ui/page-parts";
import type { Route } from "./+types/page";
import { BATCH_FILTERS } from "./filters";
import { Progress } from "./Progress";
import { StateBadge } from "./StateBadge";
import { sampleOf } from "./sample";

export const handle: PageHandle = { hydrate: false };

const PAGE_SIZE = 50;
/** `after`: the batch after which the page starts. */
const Query = z.object({ ...BATCH_FILTERS.query, after: orNothing(z.string().max(100)) });

export const loader = pageLoader({ allow: "viewer", query: Query }, async ({ actor, query }) => {
  const listQuery = { after: query.after ?? null, limit: PAGE_SIZE, state: query.state ?? null };
  const list = await listVisibleBatches(db(), actor, listQuery);
  return { ...list, sample: sampleOf(config().baseUrl), isOff: config().files.days === 0 };
});

export default function Batches({ loaderData: view }: Route.ComponentProps) {
  const { t } = useTranslation("batches");
  const [query] = useSearchParams();
  const { batches, hasMore, isOff } = view;
  const filters = useFilters(BATCH_FILTERS, view);
  const isEmpty = batches.length === 0 && !query.has("after") && filters.chips.length === 0;
  return (
    <>
      <PageHeader title={t("title")} sub={t("subtitle")} />
      {isEmpty ? null : <FilterBar filters={filters} clear={href("/dashboard/batches")} />}
      <Section flush={batches.length > 0}>
        <Live name="batches">
          <DataTable
            name="batches"
            caption={t("title")}
            rows={batches}
            rowKey={({ id }) => id}
            columns={useColumns()}
            empty={
              isEmpty ? (
                <EmptyState title={t("empty")}>{t(isOff ? "emptyOff" : "emptyText")}</EmptyState>
              ) : (
                <EmptyState title={t("nothing")}>{t("nothingText")}</EmptyState>
              )
            }
          />
        </Live>
        <Pager {...usePages(hasMore ? (batches.at(-1)?.id ?? null) : null)} />
      </Section>
      {isEmpty && !isOff ? <CodeSample id="batch-sample" name={t("sample")} text={view.sample} /> : null}
    </>
  );
}

function useColumns(): Column<BatchView>[] {
  const { t } = useTranslation("batches");
  return [
    {
      id: "batch",
      header: t("col.batch"),
      cell: ({ id }) => (
        <Link
          to={href("/dashboard/batches/:batchId", { batchId: id })}
          title={id}
          className="mono block max-w-44 truncate font-strong hover:text-accent"
        >
          {id}
        </Link>
      ),
    },
    { id: "state", header: t("col.state"), cell: ({ state }) => <StateBadge state={state} /> },
    { id: "progress", header: t("col.progress"), cell: (batch) => <Progress of={batch} /> },
    {
      id: "cost",
      header: t("col.cost"),
      align: "end",
      cell: ({ chargedNanoUsd }) => <Money nano={chargedNanoUsd} />,
    },
    { id: "created", header: t("col.created"), cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    {
      id: "endpoint",
      header: t("col.endpoint"),
      optional: true,
      cell: ({ endpoint }) => <span className="mono">{endpoint}</span>,
    },
    { id: "key", header: t("col.key"), optional: true, cell: ({ keyName }) => keyName },
  ];
}
