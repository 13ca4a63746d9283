import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import type { UsageCounters, UsageMetric, UsagePoint } from "~/domain/usage/shared";
import { Legend } from "~/ui/charts/Legend";
import { StackedBars } from "~/ui/charts/StackedBars";
import { moneyText, wholeText } from "~/ui/format";
import { requestLogAddress, spanOfBar } from "~/ui/lists/list-address";
import { EmptyState } from "~/ui/page-parts";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { binOf, rejectedSeries } from "../chart-series";
import { tokensOf } from "./UsageCards";
import { useGroupName } from "./use-group-name";
import type { UsagePageView } from "./view.server";

/** One measure over time: a colour for each of the groups with the highest cost, and one for the rest. */
export function UsageChart({ view, timeZone }: { view: UsagePageView; timeZone: string }) {
  const { t } = useTranslation("usage");
  const { language } = useDocumentFacts();
  const nameOf = useGroupName(view.group);
  const [query] = useSearchParams();
  const { usage, window, metric, group } = view;
  const { buckets, bins, charted, groups } = usage;
  if (metric === "rejections") return <RejectionsChart view={view} timeZone={timeZone} />;
  const line = (points: readonly UsagePoint[]) => {
    const values = new Map(points.map((point) => [new Date(point.bucket).getTime(), measured(point, metric)]));
    return buckets.map((bucket) => values.get(new Date(bucket).getTime()) ?? 0n);
  };
  const lines = charted.map(({ group: id, name, points }) => ({ name: nameOf(id, name), values: line(points) }));
  const others = line(bins).map((all, index) =>
    lines.reduce((remaining, { values }) => remaining - (values[index] ?? 0n), all),
  );
  if (groups.length > charted.length) lines.push({ name: t("chart.others"), values: others });
  const format = (value: bigint) => (metric === "cost" ? moneyText(value, language) : wholeText(value, language));
  const total = measured(usage.total, metric);
  return (
    <>
      <p className="mb-3 flex flex-wrap justify-between gap-x-5 gap-y-1">
        <Legend names={lines.map(({ name }) => name)} />
        <span className="text-ink-2 tabular-nums">{t("chart.total", { amount: format(total) })}</span>
      </p>
      <StackedBars
        caption={t("chart.table", { metric: t(`metric.${metric}`), by: t(`by.${group}`) })}
        first={t("chart.time")}
        bins={buckets.map((bucket) => binOf(new Date(bucket), { language, timeZone, bucket: window.bucket }))}
        series={lines.map(({ name, values }) => ({ name, values: values.map(Number) }))}
        format={(value) => format(BigInt(Math.round(value)))}
        linkOf={(bar, part) => {
          const id = charted[part]?.group;
          const one = id === undefined || id === null || id === "" ? {} : { [group]: String(id) };
          const outcome = metric === "errors" ? "error" : null;
          return requestLogAddress(query, { ...spanOfBar(buckets[bar] as Date, window), ...one, outcome });
        }}
      />
    </>
  );
}

/** Requests that were rejected before a supplier was called: a colour for each of the most frequent reasons. */
function RejectionsChart({ view: { usage, window }, timeZone }: { view: UsagePageView; timeZone: string }) {
  const { t } = useTranslation("usage");
  const { language } = useDocumentFacts();
  const [query] = useSearchParams();
  const { buckets, rejected } = usage;
  if (rejected === null) return <EmptyState title={t("uncounted")}>{t("uncountedText")}</EmptyState>;
  if (rejected.now === 0) return <EmptyState title={t("noneRejected")}>{t("noneRejectedText")}</EmptyState>;
  const series = rejectedSeries(rejected, t("chart.others"));
  const format = (value: number) => wholeText(Math.round(value), language);
  return (
    <>
      <p className="mb-3 flex flex-wrap justify-between gap-x-5 gap-y-1">
        <Legend names={series.map(({ name }) => name)} />
        <span className="text-ink-2 tabular-nums">{t("chart.total", { amount: format(rejected.now) })}</span>
      </p>
      <StackedBars
        caption={t("chart.rejections")}
        first={t("chart.time")}
        bins={buckets.map((bucket) => binOf(new Date(bucket), { language, timeZone, bucket: window.bucket }))}
        series={series}
        format={format}
        linkOf={(bar, part) => {
          const code = rejected.codes.length > part && series[part]?.name === rejected.codes[part]?.code;
          return requestLogAddress(query, {
            ...spanOfBar(buckets[bar] as Date, window),
            outcome: "rejected",
            code: code ? (rejected.codes[part]?.code ?? null) : null,
          });
        }}
      />
    </>
  );
}

function measured(counters: UsageCounters, metric: Exclude<UsageMetric, "rejections">): bigint {
  switch (metric) {
    case "cost":
      return counters.chargedNanoUsd;
    case "requests":
      return BigInt(counters.requests);
    case "tokens":
      return tokensOf(counters);
    case "errors":
      return BigInt(counters.errors);
  }
}
