import { useTranslation } from "react-i18next";
import { Legend } from "~/ui/charts/Legend";
import { StackedBars } from "~/ui/charts/StackedBars";
import { useDocumentFacts } from "~/ui/document-context";
import { wholeText } from "~/ui/format";
import { binOf } from "../overview/stack";
import type { RequestLogView } from "./view.server";

/** How many requests there were over time, how many of them failed, and how many were refused before they reached a supplier. */
export function RequestsChart({
  chart: { buckets, points, rejections },
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
    ...(rejections === null ? [] : [{ name: t("chart.rejected"), values: rejections }]),
  ];
  return (
    <>
      <div className="mb-3">
        <Legend names={series.map(({ name }) => name)} />
      </div>
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
