import { useTranslation } from "react-i18next";
import type { RefusedForm } from "~/access/flash.server";
import type { BudgetView } from "~/domain/accounting/shared";
import { BudgetGauge } from "~/ui/BudgetGauge";
import { Button } from "~/ui/Button";
import { Money, RelativeTime } from "~/ui/Figures";
import { SelectField, TextField } from "~/ui/forms/fields";
import { PortalForm } from "~/ui/forms/PortalForm";
import { usePortalForm } from "~/ui/forms/portal-form";
import { plainUsd } from "~/values/money";
import { BudgetForm } from "./budget-form.schema";

/** State of a budget: spent, held and available amounts, and the end of the period. */
export function BudgetState({ budget, small }: { budget: BudgetView; small?: boolean }) {
  const { t } = useTranslation("budgets");
  const { limitNanoUsd, spentNanoUsd, heldNanoUsd, availableNanoUsd, resetsAt } = budget;
  return (
    <div className="grid gap-1.5">
      <BudgetGauge spentNano={spentNanoUsd} heldNano={heldNanoUsd} limitNano={limitNanoUsd} small={small} />
      <p className="flex flex-wrap gap-x-3 text-2xs text-ink-3">
        {availableNanoUsd === null ? null : (
          <span>
            {t("part.left")} <Money nano={availableNanoUsd} />
          </span>
        )}
        {resetsAt === null ? null : (
          <span>
            {t("part.resets")} <RelativeTime at={resetsAt} />
          </span>
        )}
      </p>
    </div>
  );
}

/** Sets the budget of a department or a project. */
export function BudgetFields({
  id,
  action,
  budget,
  refused,
}: {
  id: string;
  action: string;
  budget: BudgetView | null;
  refused: RefusedForm | null;
}) {
  const { t } = useTranslation(["budgets", "keys"]);
  const form = usePortalForm({
    id,
    action,
    schema: BudgetForm,
    labels: { budget_limit: t("part.limit"), budget_period: t("part.period") },
    values: {
      budget_limit: budget?.limitNanoUsd == null ? "" : plainUsd(budget.limitNanoUsd),
      budget_period: budget?.period ?? "monthly",
    },
    refused,
  });
  const periods = (["daily", "monthly", "rolling"] as const).map((value) => ({
    value,
    label: t(`keys:form.periods.${value}`),
  }));
  return (
    <PortalForm form={form} className="grid gap-3">
      <TextField {...form.field("budget_limit")} inputMode="decimal" autoComplete="off" hint={t("part.hint")} />
      <SelectField {...form.field("budget_period")} options={periods} />
      <div>
        <Button small>{t("part.save")}</Button>
      </div>
    </PortalForm>
  );
}
