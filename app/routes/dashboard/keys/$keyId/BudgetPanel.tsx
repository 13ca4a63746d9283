import { useTranslation } from "react-i18next";
import { BudgetGauge } from "~/ui/BudgetGauge";
import { Countdown, Money } from "~/ui/Figures";
import { moneyText } from "~/ui/format";
import { Section } from "~/ui/page-parts";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { TooSmall } from "../../budgets/TooSmall";
import type { KeyPageView } from "./view.server";

/** The budget of a key: spent, held and available amounts, next reset, and whether it lasts until then. */
export function BudgetPanel({ view: { key, forecast, spend, outOfMoney } }: { view: KeyPageView }) {
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
          {forecast === null || availableNanoUsd === 0n
            ? null
            : forecast.runsOutAt === null
              ? t("budget.lasts")
              : t("budget.runsOut", { date: day(forecast.runsOutAt) })}
        </p>
        {outOfMoney === null || outOfMoney.tooSmall === null || outOfMoney.scope !== "key" ? null : (
          <TooSmall
            keyId={key.id}
            {...outOfMoney.tooSmall}
            raise={key.rights.limits ? `/dashboard/budgets?edit=key-${key.id}` : null}
            mayShorten={key.rights.limits && key.metadata.fit_output !== "true"}
          />
        )}
      </div>
    </Section>
  );
}
