import { useTranslation } from "react-i18next";
import { Legend } from "~/ui/charts/Legend";
import { StackedBars } from "~/ui/charts/StackedBars";
import { useDocumentFacts } from "~/ui/document-context";
import { wholeText } from "~/ui/format";
import { binOf } from "../overview/stack";
import type { RequestLogView } from "./view.server";

/** How many requests there were over time, and how many of them failed. */
export function RequestsChart({
  chart: { buckets, points },
  window,
}: {
  chart: NonNullable<RequestLogView["chart"]>;
  window: RequestLogView["window"];
}) {
  const { t } = useTranslation(["requestLog", "usage"]);
  const { language } = useDocumentFacts();
  const at = new Map(points.map((point) => [new Date(point.bucket).getTime(), point]));
  const found = buckets.map((bucket) => at.get(new Date(bucket).getTime()));
  const series = [
    { name: t("chart.answered"), values: found.map((point) => (point ? point.requests - point.errors : 0)) },
    { name: t("chart.failed"), values: found.map((point) => point?.errors ?? 0) },
  ];
  return (
    <>
      <p className="mb-3">
        <Legend names={series.map(({ name }) => name)} />
      </p>
      <StackedBars
        caption={t("chart.title")}
        first={t("usage:chart.time")}
        bins={buckets.map((bucket) => binOf(new Date(bucket), { language, ...window }))}
        series={series}
        format={(value) => wholeText(Math.round(value), language)}
      />
    </>
  );
}
