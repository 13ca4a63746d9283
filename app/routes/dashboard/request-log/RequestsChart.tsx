import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { Legend } from "~/ui/charts/Legend";
import { StackedBars } from "~/ui/charts/StackedBars";
import { wholeText } from "~/ui/format";
import { addressWith, spanOfBar } from "~/ui/lists/list-address";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { binOf } from "../chart-series";
import type { LogChart } from "./chart.server";
import type { RequestLogView } from "./view.server";

const PARTS = ["answered", "failed", "interrupted", "rejected"] as const;
/** The log's outcome filter for each part of the chart. */
const OUTCOMES = { answered: null, failed: "error", interrupted: "interrupted", rejected: "rejected" } as const;

/** Number of requests over time: answered, failed, and rejected before they reached a supplier. */
export function RequestsChart({ chart, window }: { chart: LogChart; window: RequestLogView["window"] }) {
  const { t } = useTranslation(["requestLog", "usage"]);
  const { language } = useDocumentFacts();
  const [query] = useSearchParams();
  const parts = PARTS.flatMap((part) => (chart[part] === null ? [] : [{ part, values: chart[part] }]));
  const series = parts.map(({ part, values }) => ({
    name: t(part === "interrupted" ? "outcome.interrupted" : `chart.${part}`),
    values,
    colour: part === "failed" ? "var(--bad)" : undefined,
  }));
  return (
    <>
      <div className="mb-3">
        <Legend names={series.map(({ name }) => name)} colours={series.map(({ colour }) => colour)} />
      </div>
      <StackedBars
        caption={t("chart.title")}
        first={t("usage:chart.time")}
        bins={chart.buckets.map((bucket) => binOf(new Date(bucket), { language, ...window }))}
        series={series}
        format={(value) => wholeText(Math.round(value), language)}
        linkOf={(bar, index) =>
          addressWith(query, {
            ...spanOfBar(chart.buckets[bar] as Date, window),
            after: null,
            outcome: query.get("outcome") ?? OUTCOMES[parts[index]?.part ?? "answered"],
          })
        }
      />
    </>
  );
}

/** Whether there is nothing to draw. */
export const isEmptyChart = (chart: LogChart): boolean =>
  PARTS.every((part) => (chart[part] ?? []).every((count) => count === 0));
