import { useTranslation } from "react-i18next";
import { href } from "react-router";
import type { RefusedForm } from "~/access/flash.server";
import { BUDGET_PERIODS, type BudgetLimit } from "~/domain/accounting/shared";
import { Button } from "~/ui/Button";
import { moneyText } from "~/ui/format";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { plainUsd } from "~/values/money";
import type { BudgetPageRow } from "./list.server";

/** A limit in words, such as "$5.00 a month". */
export function useLimitText(): (limit: BudgetLimit | null) => string {
  const { t } = useTranslation("budgetTree");
  const { language } = useDocumentFacts();
  return (limit) =>
    limit === null || limit.limitNanoUsd === null
      ? t("limit.none")
      : t(`limit.${limit.period}`, { amount: moneyText(limit.limitNanoUsd, language) });
}

/** The limit of a row; those who may change it open its form. */
export function LimitField({
  row: { kind, id, name, budget, isShown, isEditable },
  isOpen,
  refused,
}: {
  row: BudgetPageRow;
  isOpen: boolean;
  /** The form of this row that was just rejected. */
  refused: RefusedForm | null;
}) {
  const { t } = useTranslation(["budgetTree", "keys"]);
  const text = useLimitText()(budget);
  if (!isShown) return <span className="text-ink-3">{t("limit.hidden")}</span>;
  if (!isEditable) return <span className="tabular-nums">{text}</span>;
  const was = budget === null || budget.limitNanoUsd === null ? "" : plainUsd(budget.limitNanoUsd);
  const period = budget?.period ?? "monthly";
  const sent = refused?.sent ?? {};
  const problem = refused?.fields.budget_limit ?? refused?.fields.budget_period;
  const label = t("limitOf", { name });
  return (
    <details open={isOpen || refused !== null} className="min-w-36">
      <summary className="cursor-pointer whitespace-nowrap tabular-nums hover:text-accent">
        {text} <span className="sr-only">{`${t("change")}: ${name}`}</span>
      </summary>
      <form method="post" action={href("/dashboard/budgets/limit")} className="grid gap-2 pt-2">
        <input type="hidden" name="kind" value={kind} />
        <input type="hidden" name="id" value={id} />
        <input type="hidden" name="was_limit" value={was} />
        <input type="hidden" name="was_period" value={period} />
        <input
          name="budget_limit"
          defaultValue={sent.budget_limit ?? was}
          aria-label={label}
          aria-invalid={problem === undefined ? undefined : true}
          title={label}
          placeholder={t("limit.none")}
          inputMode="decimal"
          autoComplete="off"
          className="field field-small w-full"
        />
        {kind === "organisation" ? null : (
          <select
            name="budget_period"
            defaultValue={sent.budget_period ?? period}
            aria-label={t("periodOf", { name })}
            className="field field-small w-full"
          >
            {BUDGET_PERIODS.map((value) => (
              <option key={value} value={value}>
                {t(`keys:form.periods.${value}`)}
              </option>
            ))}
          </select>
        )}
        {problem === undefined ? null : <p className="whitespace-normal text-bad text-xs">{problem}</p>}
        <div>
          <Button small>{t("save")}</Button>
        </div>
      </form>
    </details>
  );
}
