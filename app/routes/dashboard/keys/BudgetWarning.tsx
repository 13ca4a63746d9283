import { useTranslation } from "react-i18next";
import { moneyText } from "~/ui/format";
import type { FormValues } from "~/ui/forms/portal-form";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { parseWrittenUsd } from "~/values/money";
import { checked } from "./form-values";
import type { PolicyChoices } from "./PolicyFields";

/**
 * Warns if a key's budget does not cover one call of the most expensive model that it may call; otherwise renders
 * nothing.
 */
export function BudgetWarning({ values, models }: { values: FormValues; models: PolicyChoices["models"] }) {
  const { t } = useTranslation("keys");
  const { language } = useDocumentFacts();
  const budget = parseWrittenUsd(values.budget_limit ?? "");
  if (budget === null || budget < 0n || values.fit_output === "true") return null;
  const allowed = checked(values, "model:");
  const dearest = models
    .filter(({ id }) => allowed.length === 0 || allowed.includes("auto") || allowed.includes(id))
    .reduce<PolicyChoices["models"][number] | null>(
      (highest, each) => (each.maxCallNanoUsd > (highest?.maxCallNanoUsd ?? budget) ? each : highest),
      null,
    );
  if (dearest === null) return null;
  return (
    <p className="rounded-lg border border-line bg-sunken px-3.5 py-2.5 text-ink-2" role="status">
      {t("form.tooSmall", { model: dearest.id, amount: moneyText(dearest.maxCallNanoUsd, language) })}
    </p>
  );
}
