import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Money } from "~/ui/Figures";
import { percentText, wholeText } from "~/ui/format";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { Badge } from "~/ui/page-parts";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { modelPath } from "../../models/paths";
import type { Beside, ListPriceLine } from "./list-prices.server";
import { Nothing } from "./shared";

/** Prices beside the providers' list prices, and the difference for the traffic so far. */
export function ListPriceTable({ lines }: { lines: readonly ListPriceLine[] }) {
  const { t } = useTranslation("adminModels");
  const { language } = useDocumentFacts();
  const end = "end" as const;
  const part = (name: "input" | "output"): Column<ListPriceLine> => ({
    id: name,
    header: t(`listPrice.${name}`),
    align: end,
    cell: ({ own, list }) => (
      <div className="grid justify-items-end gap-0.5">
        <Money nano={own === null ? null : own[`${name}NanoUsd`]} />
        {list === null ? null : <ListPart of={list[name]} isPriced={own !== null} />}
      </div>
    ),
  });
  const columns: Column<ListPriceLine>[] = [
    {
      id: "model",
      header: t("col.model"),
      wrap: true,
      cell: ({ modelId, supplier, region, list }) => (
        <div className="grid min-w-40 max-w-64 leading-snug [overflow-wrap:anywhere]">
          <Link to={modelPath(modelId)} className="font-strong hover:text-accent">
            {modelId}
          </Link>
          <span className="text-xs text-ink-3">
            {supplier} · {region}
          </span>
          {list === null ? <span className="text-xs text-ink-3">{t("listPrice.unlisted")}</span> : null}
        </div>
      ),
    },
    part("input"),
    part("output"),
    {
      id: "charged",
      header: t("listPrice.charged"),
      align: end,
      cell: ({ traffic }) =>
        traffic === null ? (
          "–"
        ) : (
          <div className="grid justify-items-end gap-0.5">
            <Money nano={traffic.chargedNanoUsd} />
            <span className="text-xs text-ink-3">
              {t("listPrice.requests", { count: traffic.requests, shown: wholeText(traffic.requests, language) })}
            </span>
          </div>
        ),
    },
    {
      id: "atList",
      header: t("listPrice.atList"),
      align: end,
      cell: ({ traffic, list }) =>
        traffic === null || traffic.atListNanoUsd === null ? (
          "–"
        ) : (
          <span title={list?.isLeast ? t("listPrice.leastText") : undefined}>
            {list?.isLeast ? "≥ " : null}
            <Money nano={traffic.atListNanoUsd} />
          </span>
        ),
    },
    {
      id: "difference",
      header: t("listPrice.difference"),
      align: end,
      cell: ({ traffic, list }) =>
        traffic === null || traffic.atListNanoUsd === null ? (
          "–"
        ) : (
          <div className="grid justify-items-end gap-0.5">
            <span>
              {list?.isLeast ? "≤ " : null}
              <Money nano={traffic.chargedNanoUsd - traffic.atListNanoUsd} />
            </span>
            <Share of={traffic.share} />
          </div>
        ),
    },
  ];
  return (
    <DataTable
      name="admin-list-prices"
      caption={t("tab.list")}
      columns={columns}
      rows={lines}
      rowKey={({ id }) => id}
      empty={<Nothing />}
    />
  );
}

function ListPart({ of: { listNanoUsd, share }, isPriced }: { of: Beside; isPriced: boolean }) {
  const { t } = useTranslation("adminModels");
  return (
    <span className="flex items-baseline gap-1.5 text-xs text-ink-3">
      {t("listPrice.list")} <Money nano={listNanoUsd} muted />
      {isPriced ? <Share of={share} /> : null}
    </span>
  );
}

/** A price above the list price is good for the operator, one below costs the operator money. */
function Share({ of: share }: { of: number | null }) {
  const { language } = useDocumentFacts();
  if (share === null) return null;
  return (
    <Badge kind={share < 0 ? "bad" : share > 0 ? "good" : "plain"}>
      {`${share > 0 ? "+" : ""}${percentText(share, language)}`}
    </Badge>
  );
}
