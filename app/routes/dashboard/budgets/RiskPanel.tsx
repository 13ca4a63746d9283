import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { BudgetGauge } from "~/ui/BudgetGauge";
import { RelativeTime } from "~/ui/Figures";
import { Badge, Section } from "~/ui/page-parts";
import type { BudgetPageView } from "./list.server";

/** The budgets that reject next: those with the least left, relative to their forecast. */
export function RiskPanel({ view: { risk } }: { view: BudgetPageView }) {
  const { t } = useTranslation("budgetTree");
  return (
    <Section
      title={t("risk")}
      aside={
        <Link to="?state=runs_out&sort=risk" className="hover:text-ink">
          {t("byRisk")}
        </Link>
      }
    >
      {risk.length === 0 ? <p className="text-ink-2">{t("noRisk")}</p> : null}
      <ul className="grid gap-4 md:grid-cols-3">
        {risk.map(({ kind, id, name, budget, state, forecast, tooSmall }) => (
          <li key={`${kind}-${id}`} className="grid min-w-0 content-start gap-1">
            <Link to={`?edit=${kind}-${id}`} className="truncate font-strong hover:text-accent" title={name}>
              {name}
            </Link>
            <span className="text-2xs text-ink-3">{t(`kind.${kind}`)}</span>
            {budget === null ? null : (
              <BudgetGauge
                small
                spentNano={budget.spentNanoUsd}
                heldNano={budget.heldNanoUsd}
                limitNano={budget.limitNanoUsd}
              />
            )}
            <span className="text-held-ink text-xs">
              {state === "out" || !forecast?.runsOutAt ? (
                <Badge kind={state === "out" && tooSmall === null ? "bad" : "held"}>{t(`state.${state}`)}</Badge>
              ) : (
                <>
                  {t("runsOut")} <RelativeTime at={forecast.runsOutAt} />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
