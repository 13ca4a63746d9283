import { useTranslation } from "react-i18next";
import { Legend } from "~/ui/charts/Legend";
import { StackedBars } from "~/ui/charts/StackedBars";
import { moneyText } from "~/ui/format";
import { requestLogAddress, spanOfBar } from "~/ui/lists/list-address";
import { Section } from "~/ui/page-parts";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { stackOf } from "../chart-series";
import type { OverviewView } from "./view.server";

/** Spending over time, with a colour for each of the models with the highest cost. */
export function SpendChart({ view: { usage, models, range, tz, timeZone, underWay } }: { view: OverviewView }) {
  const { t } = useTranslation("dashboard");
  const { language } = useDocumentFacts();
  const bucket = range === "24h" ? "hour" : "day";
  const title = t(`chart.title.${bucket}`);
  const heldPart = { name: t("chart.held"), value: Number(underWay.heldNanoUsd) / 1e9 };
  if (usage.figures.requests.now === 0 && heldPart.value === 0) {
    return (
      <Section title={title}>
        <p className="text-ink-2">{t("chart.empty")}</p>
      </Section>
    );
  }
  const points = models.flatMap(({ model, line }) =>
    line.map((nanoUsd, index) => ({ bucket: usage.buckets[index] as Date, model, nanoUsd })),
  );
  const { bins, series } = stackOf(usage.buckets, points, { language, timeZone, bucket, others: t("chart.others") });
  return (
    <Section
      title={title}
      aside={
        <span className="flex flex-wrap gap-x-5 gap-y-1">
          <Legend names={series.map(({ name }) => name)} held={heldPart.value > 0 ? heldPart.name : undefined} />
          <span className="tabular-nums">{t("chart.total", { amount: moneyText(usage.totalNanoUsd, language) })}</span>
        </span>
      }
    >
      <StackedBars
        caption={t("chart.table")}
        first={t("chart.time")}
        bins={bins}
        series={series}
        held={heldPart}
        linkOf={(bar, part) => {
          const model = models.find((each) => each.model === series[part]?.name)?.model ?? null;
          return requestLogAddress(new URLSearchParams({ tz }), {
            ...spanOfBar(usage.buckets[bar] as Date, { bucket, timeZone }),
            model,
          });
        }}
        format={(usd) => moneyText(BigInt(Math.round(usd * 1e9)), language)}
      />
    </Section>
  );
}
