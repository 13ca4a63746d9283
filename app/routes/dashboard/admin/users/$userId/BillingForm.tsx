import { useTranslation } from "react-i18next";
import type { RefusedForm } from "~/access/flash.server";
import type { PersonDetail } from "~/domain/people/index.server";
import { Button } from "~/ui/Button";
import { moneyText } from "~/ui/format";
import { SelectField, TextField } from "~/ui/forms/fields";
import { PortalForm } from "~/ui/forms/PortalForm";
import { usePortalForm } from "~/ui/forms/portal-form";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { plainUsd } from "~/values/money";
import { BillingConfigForm } from "./person-form.schema";

/** The payer of a person, their spending limit, and the credit limit of their own wallet, in one form. */
export function BillingForm({ view }: { view: PersonDetail & { refused: RefusedForm | null } }) {
  const { t } = useTranslation(["admin", "credit"]);
  const { language } = useDocumentFacts();
  const { person, mostCreditNanoUsd: maximum } = view;
  const { budget } = person;
  const form = usePortalForm({
    id: "billing-config",
    action: `/dashboard/admin/users/${person.id}/billing-config`,
    schema: BillingConfigForm,
    labels: {
      billing_mode: t("person.billing.mode"),
      spending_limit: t("person.billing.limit"),
      period: t("person.billing.period"),
      credit_limit: t("person.billing.creditLimit"),
    },
    values: {
      billing_mode: person.billingMode,
      spending_limit: orEmpty(budget?.limitNanoUsd ?? null),
      period: budget?.period ?? "monthly",
      credit_limit: orEmpty(person.creditLimitNanoUsd),
    },
    refused: view.refused,
  });
  const maxCredit =
    maximum === null
      ? undefined
      : maximum > 0n
        ? t("credit:most", { amount: moneyText(maximum, language) })
        : t("credit:none");
  return (
    <PortalForm form={form} className="grid gap-3 py-4 first:pt-0 last:pb-0">
      <p className="font-strong">{t("person.billing.title")}</p>
      <SelectField
        {...form.field("billing_mode")}
        options={[
          { value: "inherit", label: t("person.billing.inherit") },
          { value: "own", label: t("person.billing.own") },
        ]}
      />
      <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
        <fieldset className="grid content-start gap-3">
          <legend className="mb-1 font-strong">{t("person.billing.budget")}</legend>
          <p className="field-hint">{t("person.billing.budgetText")}</p>
          <TextField {...form.field("spending_limit")} {...AMOUNT} />
          <SelectField
            {...form.field("period")}
            options={[
              { value: "daily", label: t("person.billing.day") },
              { value: "monthly", label: t("person.billing.month") },
              { value: "rolling", label: t("person.billing.rolling") },
            ]}
          />
        </fieldset>
        <fieldset className="grid content-start gap-3">
          <legend className="mb-1 font-strong">{t("person.billing.credit")}</legend>
          <p className="field-hint">{t("person.billing.creditText")}</p>
          <TextField {...form.field("credit_limit")} {...AMOUNT} hint={maxCredit} required />
        </fieldset>
      </div>
      <div className="flex justify-end">
        <Button small>{t("person.billing.button")}</Button>
      </div>
    </PortalForm>
  );
}

const AMOUNT = { inputMode: "decimal", autoComplete: "off" } as const;

/** Formats an amount for a field: at least two decimals, no further zeros; empty if null. */
const orEmpty = (nano: bigint | null) => (nano === null ? "" : plainUsd(nano));
