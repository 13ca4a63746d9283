import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Legend } from "~/ui/charts/Legend";
import { StackedBars } from "~/ui/charts/StackedBars";
import { moneyText } from "~/ui/format";
import { requestLogAddress, spanOfBar } from "~/ui/lists/list-address";
import { Section } from "~/ui/page-parts";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { stackOf } from "../../chart-series";
import type { KeyPageView } from "./view.server";

/** A key's spending in 30 days, by model, with the currently held amount on top of today. */
export function SpendPanel({ view: { key, spend, holds } }: { view: KeyPageView }) {
  const { t } = useTranslation(["keys", "dashboard"]);
  const { language } = useDocumentFacts();
  const log = `/dashboard/request-log?key=${key.id}`;
  const total = spend.points.reduce((sum, { nanoUsd }) => sum + nanoUsd, 0n);
  const requests = spend.points.reduce((sum, point) => sum + point.requests, 0);
  if (requests === 0) {
    return (
      <Section title={t("spend.title")}>
        <p className="text-ink-2">{t("spend.empty")}</p>
      </Section>
    );
  }
  const { bins, series } = stackOf(spend.buckets, spend.points, {
    language,
    timeZone: "UTC",
    bucket: "day",
    others: t("spend.others"),
  });
  const heldPart =
    holds.heldNanoUsd > 0n ? { name: t("budget.held"), value: Number(holds.heldNanoUsd) / 1e9 } : undefined;
  return (
    <Section
      title={t("spend.title")}
      aside={
        <span className="flex flex-wrap gap-x-5">
          <Legend names={series.map(({ name }) => name)} held={heldPart?.name} />
          <span className="tabular-nums">{t("spend.total", { amount: moneyText(total, language) })}</span>
          <Link to={log} className="hover:text-ink">
            {t("dashboard:recent.all")}
          </Link>
        </span>
      }
    >
      <StackedBars
        caption={t("spend.table")}
        bins={bins}
        series={series}
        held={heldPart}
        linkOf={(bar, part) => {
          const model = spend.points.find((point) => point.model === series[part]?.name)?.model;
          const span = spanOfBar(spend.buckets[bar] as Date, { bucket: "day", timeZone: "UTC" });
          return requestLogAddress(new URLSearchParams({ key: String(key.id), ...(model && { model }) }), span);
        }}
        format={(usd) => moneyText(BigInt(Math.round(usd * 1e9)), language)}
      />
    </Section>
  );
}
