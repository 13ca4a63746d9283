import { useTranslation } from "react-i18next";
import { href, Link } from "react-router";
import { RelativeTime } from "~/ui/Figures";
import { moneyText } from "~/ui/format";
import { Gauge } from "~/ui/Gauge";
import { Section } from "~/ui/page-parts";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { shareOf } from "./share";
import type { OverviewView, ScopeBudget } from "./view.server";

/** The budgets with the highest utilisation, with currently held amounts. */
export function BudgetList({ view: { budgets } }: { view: OverviewView }) {
  const { t } = useTranslation("dashboard");
  return (
    <Section
      title={t("budgets.title")}
      aside={
        <Link to={href("/dashboard/budgets")} className="hover:text-ink">
          {t("budgets.all")}
        </Link>
      }
    >
      {budgets.length === 0 ? <p className="text-ink-2">{t("budgets.none")}</p> : null}
      <ul className="grid grid-cols-1 gap-4">
        {budgets.map((budget) => (
          <Row key={`${budget.scope}-${budget.id}`} {...budget} />
        ))}
      </ul>
    </Section>
  );
}

function Row({ scope, id, name, budget }: ScopeBudget) {
  const { t } = useTranslation("dashboard");
  const { language } = useDocumentFacts();
  const { spentNanoUsd, heldNanoUsd, limitNanoUsd, resetsAt } = budget;
  const text = (nano: bigint) => moneyText(nano, language);
  return (
    <li className="grid grid-cols-1 gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        {scope === "key" ? (
          <Link
            to={`/dashboard/keys/${id}`}
            className="min-w-0 max-w-full truncate font-strong hover:text-accent"
            title={name}
          >
            {name}
          </Link>
        ) : (
          <Link to={href("/dashboard/budgets")} className="font-strong hover:text-accent">
            {t(`budgets.scope.${scope}`)}
          </Link>
        )}
        <span className="text-ink-2 tabular-nums">
          {text(spentNanoUsd)} <span className="text-ink-3">/ {text(limitNanoUsd ?? 0n)}</span>
        </span>
      </div>
      <Gauge
        spent={shareOf(spentNanoUsd, limitNanoUsd)}
        held={shareOf(heldNanoUsd, limitNanoUsd)}
        label={t("budgets.gauge", {
          spent: text(spentNanoUsd),
          held: text(heldNanoUsd),
          limit: text(limitNanoUsd ?? 0n),
        })}
      />
      <p className="flex flex-wrap justify-between gap-x-3 text-xs text-ink-3">
        <span>{heldNanoUsd > 0n ? t("budgets.held", { amount: text(heldNanoUsd) }) : null}</span>
        <span>
          {t("budgets.resets", { when: "" }).trim()} <RelativeTime at={resetsAt} />
        </span>
      </p>
    </li>
  );
}
