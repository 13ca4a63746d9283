import { useTranslation } from "react-i18next";
import { moneyText, wholeText } from "~/ui/format";
import type { FormValues } from "~/ui/forms/portal-form";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { parseWrittenUsd } from "~/values/money";
import { checked } from "./form-values";

/** The effects of the settings of a key, as sentences. */
export function Consequences({ values }: { values: FormValues }) {
  const { t } = useTranslation("keys");
  const { language } = useDocumentFacts();
  const models = checked(values, "model:");
  const regions = checked(values, "region:");
  const budget = parseWrittenUsd(values.budget_limit ?? "");
  const rpm = Number(values.rate_limit_rpm);
  const period = values.budget_period as "daily" | "monthly" | "rolling";
  const says = [
    values.kind === "admin" ? t("form.says.admin") : null,
    models.length === 0
      ? t("form.says.allModels")
      : t("form.says.models", { count: models.length, list: list(models) }),
    regions.length === 0 ? t("form.says.allRegions") : t("form.says.regions", { list: list(regions) }),
    budget === null || budget < 0n
      ? t("form.says.noBudget")
      : t("form.says.budget", { amount: moneyText(budget, language), period: t(`form.says.period.${period}`) }),
    Number.isInteger(rpm) && rpm > 0 ? t("form.says.rpm", { rpm: wholeText(rpm, language) }) : t("form.says.noRpm"),
    values.expires_at ? t("form.says.expires", { date: dateText(values.expires_at, language) }) : t("form.says.never"),
  ];
  return (
    <ul className="grid gap-2.5" aria-live="polite">
      {says
        .filter((sentence) => sentence !== null)
        .map((sentence) => (
          <li key={sentence} className="grid grid-cols-[auto_1fr] gap-2.5">
            <span aria-hidden="true" className="mt-[0.55em] size-1.5 rounded-full bg-accent" />
            {sentence}
          </li>
        ))}
    </ul>
  );
}

const MAX_NAMES = 4;

const list = (names: readonly string[]): string =>
  names.length <= MAX_NAMES ? names.join(", ") : `${names.slice(0, MAX_NAMES).join(", ")} …`;

function dateText(value: string, language: string): string {
  const date = new Date(`${value}${value.length <= 16 ? "Z" : ""}`);
  if (Number.isNaN(date.getTime())) return value;
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" }).format(date);
}
