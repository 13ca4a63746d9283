import { useTranslation } from "react-i18next";
import { StackedBars } from "~/ui/charts/StackedBars";
import { dateFormat, moneyText } from "~/ui/format";
import { Section } from "~/ui/page-parts";
import { useDocumentFacts } from "~/ui/shell/document-context";
import type { AutorouterView } from "./view.server";

/** Savings by day. A day with a more expensive choice is drawn at zero; its amount is included in the total. */
export function SavingsChart({ days }: { days: AutorouterView["report"]["days"] }) {
  const { t } = useTranslation("autorouter");
  const { language } = useDocumentFacts();
  if (days.every(({ requests }) => requests === 0)) return null;
  const short = dateFormat(language, { timeZone: "UTC", day: "numeric", month: "short" });
  const long = dateFormat(language, { timeZone: "UTC", dateStyle: "long" });
  return (
    <Section title={t("chart.title")}>
      <StackedBars
        caption={t("chart.title")}
        first={t("chart.day")}
        bins={days.map(({ day }) => ({ label: short.format(new Date(day)), long: long.format(new Date(day)) }))}
        series={[
          { name: t("col.saved"), values: days.map(({ savedNanoUsd }) => Math.max(0, Number(savedNanoUsd) / 1e9)) },
        ]}
        format={(usd) => moneyText(BigInt(Math.round(usd * 1e9)), language)}
      />
    </Section>
  );
}
