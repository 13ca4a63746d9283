import { useTranslation } from "react-i18next";
import { BudgetGauge } from "~/ui/BudgetGauge";
import { Countdown, Money } from "~/ui/Figures";
import { moneyText } from "~/ui/format";
import { Section } from "~/ui/page-parts";
import { useDocumentFacts } from "~/ui/shell/document-context";
import type { KeyPageView } from "./view.server";

/** The budget of a key: spent, held and available amounts, next reset, and whether it lasts until then. */
export function BudgetPanel({ view: { key, runOut, spend } }: { view: KeyPageView }) {
  const { t } = useTranslation("keys");
  const { language } = useDocumentFacts();
  const { budget } = key;
  if (budget === null || budget.limitNanoUsd === null) {
    const month = spend.points.reduce((sum, { nanoUsd }) => sum + nanoUsd, 0n);
    return (
      <Section title={t("budget.title.none")}>
        <div className="grid gap-2">
          <p className="figure">
            <Money nano={month} />
          </p>
          <p className="text-ink-2">
            {t("budget.none")}{" "}
            {key.rights.limits && key.status !== "revoked" ? (
              <button type="button" className="link cursor-pointer" {...{ command: "show-modal", commandfor: "edit" }}>
                {t("budget.setOne")}
              </button>
            ) : null}
          </p>
        </div>
      </Section>
    );
  }
  const { spentNanoUsd, heldNanoUsd, limitNanoUsd, availableNanoUsd, resetsAt, period } = budget;
  const day = (at: Date) =>
    new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(new Date(at));
  const resets = t(period === "rolling" ? "budget.rollingOldest" : "budget.resets", { when: "" }).trim();
  return (
    <Section
      title={t(`budget.title.${period}`)}
      aside={
        <span>
          {resets} {t("budget.in")} <Countdown to={resetsAt} />
        </span>
      }
    >
      <div className="grid gap-3">
        <BudgetGauge spentNano={spentNanoUsd} heldNano={heldNanoUsd} limitNano={limitNanoUsd} />
        <p className="text-ink-2">
          <b className="font-strong text-ink">{moneyText(availableNanoUsd ?? 0n, language)}</b> {t("budget.available")}.{" "}
          {runOut === null
            ? null
            : runOut.kind === "lasts"
              ? t("budget.lasts")
              : t("budget.runsOut", { date: day(runOut.at) })}
        </p>
      </div>
    </Section>
  );
}
