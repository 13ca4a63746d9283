import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Button } from "~/ui/Button";
import { DateTime } from "~/ui/Figures";
import { decimalUsdText } from "~/ui/format";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { Badge } from "~/ui/page-parts";
import { useDocumentFacts } from "~/ui/shell/document-context";
import type { PriceField, ShownPrice } from "../../../_public/catalogue-view/shared";
import { modelPath } from "../../models/paths";
import { Hidden } from "../Hidden";
import { ADMIN_MODELS, Nothing, type PriceLine, SET_PRICE, SourceBadge } from "./shared";

const OTHERS = ["cachedInputPerMtok", "perRequest", "perSecond", "perMchar"] as const;

/** The price of each route, in the order of attempts. */
export function PriceTable({ prices }: { prices: readonly PriceLine[] }) {
  const { t } = useTranslation("adminModels");
  return (
    <DataTable
      name="admin-prices"
      caption={t("tab.prices")}
      columns={usePriceColumns()}
      rows={prices}
      rowKey={({ id }) => id}
      empty={<Nothing />}
    />
  );
}

function usePriceColumns(): Column<PriceLine>[] {
  const { t } = useTranslation("adminModels");
  const { t: tPages } = useTranslation("modelPages");
  const { language } = useDocumentFacts();
  const end = "end" as const;
  const amount = (field: PriceField): Column<PriceLine> => ({
    id: field,
    header: tPages(`price.${field}`),
    align: end,
    cell: ({ price }) =>
      price === null || Number(price[field]) === 0 ? <None /> : decimalUsdText(price[field], language),
  });
  return [
    {
      id: "model",
      header: t("col.model"),
      wrap: true,
      cell: ({ id, modelId, upstreamModel, supplier, source, profile }) => (
        <div className="grid min-w-40 max-w-64 leading-snug">
          <Link to={modelPath(modelId)} className="font-strong hover:text-accent [overflow-wrap:anywhere]">
            {modelId}
          </Link>
          {upstreamModel === modelId ? null : (
            <span className="text-xs text-ink-3 [overflow-wrap:anywhere]">{upstreamModel}</span>
          )}
          {profile === null ? null : (
            <span className="text-xs text-ink-3 [overflow-wrap:anywhere]">{t("profile.shown", { profile })}</span>
          )}
          {source === "portal" ? (
            <a
              href={`${ADMIN_MODELS}?tab=prices&edit=${id}#price`}
              className="relative mt-1 justify-self-start link text-xs"
            >
              {t("price.change")}
              <Hidden> {t("price.editOf", { model: modelId, supplier })}</Hidden>
            </a>
          ) : null}
        </div>
      ),
    },
    { id: "supplier", header: t("col.supplier"), cell: ({ supplier, region }) => `${supplier} · ${region}` },
    amount("inputPerMtok"),
    amount("outputPerMtok"),
    {
      id: "other",
      header: tPages("col.other"),
      align: end,
      cell: ({ price, parts }) => {
        const others = OTHERS.filter((field) => price !== null && Number(price[field]) > 0 && isOwn(field, price));
        if (price === null) return <Badge kind="bad">{t("noPrice")}</Badge>;
        if (others.length === 0 && parts.length === 0) return <None />;
        return (
          <>
            {others.map((field) => (
              <span key={field} className="grid leading-snug">
                {decimalUsdText(price[field], language)}
                <span className="text-xs text-ink-3">{tPages(`price.${field}`)}</span>
              </span>
            ))}
            {parts.length === 0 ? null : (
              <span className="mt-1 flex flex-wrap justify-end gap-1">
                {parts.map((part) => (
                  <Badge key={part}>{t(`price.has.${part}`)}</Badge>
                ))}
              </span>
            )}
          </>
        );
      },
    },
    {
      id: "since",
      header: t("col.since"),
      cell: ({ since, next }) => (
        <span className="flex flex-wrap items-center gap-1.5">
          {since === null ? <None /> : <DateTime at={since} dateOnly />}
          {next === null ? null : (
            <Badge kind="held">
              {tPages("history.planned")} <DateTime at={next} dateOnly />
            </Badge>
          )}
        </span>
      ),
    },
    {
      id: "order",
      header: t("col.order"),
      cell: (line) => (line.source === "portal" ? <Order of={line} /> : <FixedOrder of={line} />),
    },
  ];
}

const FixedOrder = ({ of: { priority, weight, source } }: { of: PriceLine }) => (
  <span className="flex items-center gap-2">
    {priority} / {weight} <SourceBadge source={source} />
  </span>
);

/** Saved with Enter or with the button; both work without script. */
function Order({ of: { id, modelId, supplier, priority, weight } }: { of: PriceLine }) {
  const { t } = useTranslation("adminModels");
  const target = { model: modelId, supplier };
  const field = (name: "priority" | "weight", value: number, maximum: number) => (
    <input
      name={name}
      type="number"
      min={0}
      max={maximum}
      required
      defaultValue={value}
      aria-label={t(`order.${name}`, target)}
      title={t(`order.${name}Hint`)}
      className="field field-small w-14 tabular-nums"
    />
  );
  return (
    <form
      method="post"
      action={`${SET_PRICE}/${id}/order`}
      className="flex flex-wrap items-center justify-end gap-1.5 sm:flex-nowrap"
    >
      {field("priority", priority, 1_000)}
      {field("weight", weight, 1_000_000)}
      <Button small>
        {t("act.save")}
        <Hidden> {t("order.of", target)}</Hidden>
      </Button>
    </form>
  );
}

/** Without a price of its own, cached input has the price of other input. */
const isOwn = (field: (typeof OTHERS)[number], price: ShownPrice): boolean =>
  field !== "cachedInputPerMtok" || price.cachedInputPerMtok !== price.inputPerMtok;

const None = () => <span className="text-ink-3">–</span>;
