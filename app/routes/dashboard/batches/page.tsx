import { useTranslation } from "react-i18next";
import { href, Link, useSearchParams } from "react-router";
import { pageLoader } from "~/access/portal/page-loader.server";
import { config } from "~/config.server";
import { db } from "~/connection/db.server";
import { listVisibleBatches } from "~/domain/batches/index.server";
import { BATCH_STATES, type BatchState, type BatchView } from "~/domain/batches/shared";
import { CodeSample } from "~/ui/CodeSample";
import { Money, RelativeTime } from "~/ui/Figures";
import { FilterSelect } from "~/ui/forms/FilterFields";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { addressWith, useChips } from "~/ui/lists/list-address";
import { FilterBar, Pager } from "~/ui/lists/list-parts";
import type { PageHandle } from "~/ui/page-handle";
import { EmptyState, Live, PageHeader, Section } from "~/ui/page-parts";
import { isOneOf } from "~/values/one-of";
import type { Route } from "./+types/page";
import { Progress } from "./Progress";
import { BatchQuery } from "./query.server";
import { StateBadge } from "./StateBadge";
import { sampleOf } from "./sample";

export const handle: PageHandle = { hydrate: false };

const PAGE_SIZE = 50;

export const loader = pageLoader({ allow: "viewer", query: BatchQuery }, async ({ actor, query }) => {
  const ask = { after: query.after ?? null, limit: PAGE_SIZE, state: query.state ?? null };
  const list = await listVisibleBatches(db(), actor, ask);
  return { ...list, sample: sampleOf(config().baseUrl), isOff: config().files.days === 0 };
});

export default function Batches({ loaderData: view }: Route.ComponentProps) {
  const { t } = useTranslation("batches");
  const [query] = useSearchParams();
  const { batches, hasMore, isOff } = view;
  const chips = useChips({ state: [t("col.state"), (value) => (isState(value) ? t(`state.${value}`) : value)] });
  const isEmpty = batches.length === 0 && !query.has("after") && chips.length === 0;
  return (
    <>
      <PageHeader title={t("title")} sub={t("subtitle")} />
      {isEmpty ? null : (
        <FilterBar chips={chips} clear={href("/dashboard/batches")}>
          <FilterSelect
            name="state"
            label={t("col.state")}
            first={t("anyState")}
            options={BATCH_STATES.map((state) => [state, t(`state.${state}`)])}
          />
        </FilterBar>
      )}
      <Section flush={batches.length > 0}>
        <Live name="batches">
          <DataTable
            name="batches"
            caption={t("title")}
            rows={batches}
            rowKey={({ id }) => id}
            marked
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
        <Pager
          newer={query.has("after") ? addressWith(query, { after: null }) : null}
          older={hasMore ? addressWith(query, { after: batches.at(-1)?.id ?? null }) : null}
        />
      </Section>
      {isEmpty && !isOff ? <CodeSample id="batch-sample" name={t("sample")} text={view.sample} /> : null}
    </>
  );
}

function useColumns(): Column<BatchView>[] {
  const { t } = useTranslation("batches");
  return [
    {
      ...{ id: "batch", header: t("col.batch") },
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
    { ...{ id: "state", header: t("col.state") }, cell: ({ state }) => <StateBadge state={state} /> },
    { ...{ id: "progress", header: t("col.progress") }, cell: (batch) => <Progress of={batch} /> },
    {
      ...{ id: "cost", header: t("col.cost"), align: "end" },
      cell: ({ chargedNanoUsd }) => <Money nano={chargedNanoUsd} />,
    },
    { ...{ id: "created", header: t("col.created") }, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    {
      ...{ id: "endpoint", header: t("col.endpoint"), optional: true },
      cell: ({ endpoint }) => <span className="mono">{endpoint}</span>,
    },
    { ...{ id: "key", header: t("col.key"), optional: true }, cell: ({ keyName }) => keyName },
  ];
}

const isState = isOneOf<BatchState>(BATCH_STATES);
