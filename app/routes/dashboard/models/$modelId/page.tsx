import { useTranslation } from "react-i18next";
import { href, Link } from "react-router";
import { pageLoader } from "~/access/portal/page-loader.server";
import { config } from "~/config.server";
import { db } from "~/connection/db.server";
import { CopyButton } from "~/ui/CopyButton";
import { Count, DateTime, Money, Percent, Tokens } from "~/ui/Figures";
import { decimalUsdText } from "~/ui/format";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import type { PageHandle } from "~/ui/page-handle";
import { Badge, Columns, DetailList, EmptyState, PageHeader, Section } from "~/ui/page-parts";
import { Snippets } from "~/ui/Snippets";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { type ShownPrice, shownUnits } from "../../../_public/catalogue-view/shared";
import { ModelBadges } from "../ModelBadges";
import { ModelParams } from "../query.server";
import { SpreadCell } from "../SpreadCell";
import { type ModelView, readModelPage } from "../view.server";
import type { Route } from "./+types/page";
import { AutoRole } from "./AutoRole";
import { OtherPrices } from "./OtherPrices";

export const handle: PageHandle = { hydrate: false };

export const loader = pageLoader({ allow: "viewer", params: ModelParams }, ({ actor, params }) =>
  readModelPage(db(), actor, { modelId: params.modelId, baseUrl: config().baseUrl }),
);

export default function ModelPage({ loaderData: view }: Route.ComponentProps) {
  const { t } = useTranslation("modelPages");
  const { model } = view;
  return (
    <>
      <PageHeader
        title={model.id}
        back={{ to: href("/dashboard/models"), label: t("title") }}
        sub={t("by", { owner: model.ownedBy })}
        tags={<ModelBadges model={model} />}
        actions={<CopyButton of={model.id} what={model.id} />}
      />
      <Section title={t("suppliers.title")} aside={t("suppliers.text")} flush>
        <Suppliers view={view} />
      </Section>
      <OtherPrices routes={view.routes} />
      <Columns>
        <div>
          <Section title={t("try.title")} aside={t("try.text")}>
            <Snippets name="try" samples={view.samples} />
          </Section>
          <Section title={t("auto.title")} aside={t("auto.text")}>
            <AutoRole role={view.role} />
          </Section>
        </div>
        <div>
          <Section title={t("limits.title")}>
            <DetailList
              rows={[
                [t("col.context"), <TokenLimit key="context" count={model.contextTokens} />],
                [t("limits.output"), <TokenLimit key="output" count={model.maxOutputTokens} />],
                [t("col.regions"), model.regions.join(", ")],
              ]}
            />
          </Section>
          <Section title={t("own.title")}>
            <OwnUsage view={view} />
          </Section>
        </div>
      </Columns>
      <Section title={t("history.title")} aside={t("history.text")} flush={view.history.length > 0}>
        <PriceHistory view={view} />
      </Section>
    </>
  );
}

const None = () => <span className="text-ink-3">–</span>;

const TokenLimit = ({ count }: { count: number | null }) => (count === null ? <None /> : <Tokens count={count} />);

function usePriceColumns<Row extends { price: ShownPrice }>({ model }: ModelView): Column<Row>[] {
  const { t } = useTranslation("modelPages");
  const { language } = useDocumentFacts();
  return shownUnits(model.capability, [model]).map(({ field }) => ({
    id: field,
    header: t(`price.${field}`),
    align: "end" as const,
    cell: ({ price }) => decimalUsdText(price[field], language),
  }));
}

/** The suppliers of the model, in the order of attempts. */
function Suppliers({ view }: { view: ModelView }) {
  const { t } = useTranslation("modelPages");
  type Row = ModelView["routes"][number] & { place: number };
  const end = "end" as const;
  const prices = usePriceColumns<Row>(view);
  const sample: Column<Row> = {
    id: "sample",
    header: t("suppliers.sample"),
    align: end,
    optional: true,
    cell: ({ sampleNanoUsd }) => <Money nano={sampleNanoUsd} />,
  };
  const columns: Column<Row>[] = [
    {
      id: "supplier",
      header: t("suppliers.supplier"),
      wrap: true,
      cell: ({ place, supplier, region, isDraining, keepsNothing }) => (
        <span className="flex flex-wrap items-center gap-x-2">
          <span className="text-ink-3 tabular-nums">{place}</span>
          <span className="font-strong">{supplier}</span>
          <Badge>{region}</Badge>
          {keepsNothing ? (
            <Badge kind="good" title={t("zdr.supplier")}>
              {t("zdr.short")}
            </Badge>
          ) : null}
          {isDraining ? <Badge kind="held">{t("suppliers.draining")}</Badge> : null}
        </span>
      ),
    },
    ...prices,
    ...(view.model.capability === "chat" ? [sample] : []),
    {
      id: "firstByte",
      header: t("col.firstByte"),
      align: end,
      cell: ({ traffic }) => <SpreadCell spread={traffic?.firstByte} />,
    },
    {
      id: "latency",
      header: t("col.latency"),
      align: end,
      cell: ({ traffic }) => <SpreadCell spread={traffic?.latency} />,
    },
    {
      id: "success",
      header: t("col.success"),
      align: end,
      cell: ({ traffic }) => (traffic === null ? <None /> : <Percent share={traffic.successRate} />),
    },
  ];
  return (
    <DataTable
      name="model-suppliers"
      caption={t("suppliers.title")}
      columns={columns}
      rows={view.routes.map((route, index) => ({ ...route, place: index + 1 }))}
      rowKey={({ place }) => place}
    />
  );
}

function OwnUsage({ view: { own, model } }: { view: ModelView }) {
  const { t } = useTranslation("modelPages");
  if (own === null) return <EmptyState title={t("own.none")}>{t("own.noneText")}</EmptyState>;
  const query = `?model=${encodeURIComponent(model.id)}`;
  return (
    <>
      <DetailList
        rows={[
          [t("own.spent"), <Money key="spent" nano={own.chargedNanoUsd} />],
          [t("own.requests"), <Count key="requests" value={own.requests} />],
          [t("own.input"), <Tokens key="input" count={own.inputTokens} />],
          [t("own.output"), <Tokens key="output" count={own.outputTokens} />],
        ]}
      />
      <p className="mt-3 flex gap-4">
        <Link to={`/dashboard/usage${query}`} className="link">
          {t("own.usage")}
        </Link>
        <Link to={`/dashboard/request-log${query}`} className="link">
          {t("own.log")}
        </Link>
      </p>
    </>
  );
}

function PriceHistory({ view }: { view: ModelView }) {
  const { t } = useTranslation("modelPages");
  type Row = ModelView["history"][number];
  const columns: Column<Row>[] = [
    {
      id: "from",
      header: t("history.from"),
      cell: ({ from }) => (
        <span className="flex flex-wrap items-center gap-x-2">
          <DateTime at={from} />
          {from > new Date() ? <Badge kind="held">{t("history.planned")}</Badge> : null}
        </span>
      ),
    },
    {
      id: "supplier",
      header: t("suppliers.supplier"),
      cell: ({ supplier, region }) => `${supplier} · ${region}`,
    },
    ...usePriceColumns<Row>(view),
  ];
  return (
    <DataTable
      name="price-history"
      caption={t("history.title")}
      columns={columns}
      rows={view.history}
      rowKey={(price) => view.history.indexOf(price)}
      empty={<EmptyState title={t("history.none")}>{t("history.noneText")}</EmptyState>}
    />
  );
}
