import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { z } from "zod";
import type { RefusedForm } from "~/access/flash.server";
import type { PersonDetail } from "~/domain/identity/index.server";
import { ROLES } from "~/domain/identity/shared";
import { formatUsd } from "~/money";
import { Button } from "~/ui/Button";
import { useDocumentFacts } from "~/ui/document-context";
import { SelectField, TextField } from "~/ui/fields";
import { moneyText } from "~/ui/format";
import { PortalForm } from "~/ui/PortalForm";
import { Section } from "~/ui/page-parts";
import { type FormValues, type PortalFormState, usePortalForm } from "~/ui/portal-form";
import {
  BillingConfigForm,
  BillingExemptForm,
  CreditLimitForm,
  DepartmentForm,
  MonthlyBudgetForm,
  OrganisationChoiceForm,
  RoleForm,
} from "./person-form.schema";
import { RevokeAdminKeysField } from "./RevokeAdminKeysField";

type View = PersonDetail & { refused: RefusedForm | null };

/** Every setting of a person as a form of its own, as far as the reader may change it. */
export function PersonForms({ view }: { view: View }) {
  const { t } = useTranslation(["admin", "credit"]);
  const { person, allowed, grantable, departments, organisations } = view;
  const { budget } = person;
  const { most: maximum, amount } = useMaxCredit(view);
  const { leftBehind } = view.consequences;
  const may = (operation: PersonDetail["allowed"][number]) => allowed.includes(operation);
  const departmentOptions = [
    { value: "", label: t("common.none") },
    ...departments.map(({ id, name }) => ({ value: String(id), label: name })),
  ];
  return (
    <Section title={t("person.settings")}>
      <div className="divide-y divide-line">
        {may("role") ? (
          <SmallForm
            view={view}
            name="role"
            schema={RoleForm}
            labels={{ role: t("person.role.title") }}
            values={{ role: person.role, revoke_admin_keys: "true" }}
            text={t("person.role.text")}
            button={t("person.role.button")}
          >
            {(form) => (
              <>
                <SelectField
                  {...form.field("role")}
                  options={ROLES.filter((role) => grantable.includes(role) || role === person.role).map((role) => ({
                    value: role,
                    label: t(`roles.${role}`),
                  }))}
                />
                <RevokeAdminKeysField of={leftBehind} form="role" values={form.values} />
              </>
            )}
          </SmallForm>
        ) : null}
        {may("department") ? (
          <SmallForm
            view={view}
            name="department"
            schema={DepartmentForm}
            labels={{ department_id: t("person.department.title") }}
            values={{ department_id: String(person.departmentId ?? "") }}
            text={t("person.department.text")}
            button={t("person.department.button")}
          >
            {(form) => <SelectField {...form.field("department_id")} options={departmentOptions} />}
          </SmallForm>
        ) : null}
        {may("billing-config") ? <BillingConfig view={view} /> : null}
        {may("monthly-budget") ? (
          <SmallForm
            view={view}
            name="monthly-budget"
            schema={MonthlyBudgetForm}
            labels={{ monthly_budget: t("person.budget.label") }}
            values={{ monthly_budget: plainUsd(budget?.period === "monthly" ? budget.limitNanoUsd : null) }}
            text={t("person.budget.text")}
            button={t("person.budget.button")}
          >
            {(form) => <TextField {...form.field("monthly_budget")} {...AMOUNT} />}
          </SmallForm>
        ) : null}
        {may("credit-limit") ? (
          <SmallForm
            view={view}
            name="credit-limit"
            schema={CreditLimitForm}
            labels={{ credit_limit: t("person.credit.label") }}
            values={{ credit_limit: plainUsd(person.creditLimitNanoUsd) }}
            text={t("person.credit.text")}
            button={t("person.credit.button")}
          >
            {(form) => (
              <TextField
                {...form.field("credit_limit")}
                {...AMOUNT}
                hint={maximum === null ? undefined : maximum > 0n ? t("credit:most", { amount }) : t("credit:none")}
                required
              />
            )}
          </SmallForm>
        ) : null}
        {may("billing-exempt") ? (
          <SmallForm
            view={view}
            name="billing-exempt"
            schema={BillingExemptForm}
            labels={{}}
            text={t(person.billingExempt ? "person.exempt.on" : "person.exempt.off")}
            button={t(person.billingExempt ? "person.exempt.turnOff" : "person.exempt.turnOn")}
          >
            {() => (
              <>
                <p className="font-strong">{t("person.exempt.title")}</p>
                <input type="hidden" name="billing_exempt" value={person.billingExempt ? "false" : "true"} />
              </>
            )}
          </SmallForm>
        ) : null}
        {may("org") && organisations.length > 1 ? (
          <SmallForm
            view={view}
            name="org"
            schema={OrganisationChoiceForm}
            labels={{ org_id: t("person.org.title") }}
            values={{ org_id: String(person.organisationId), revoke_admin_keys: "true" }}
            text={t("person.org.text")}
            button={t("person.org.button")}
          >
            {(form) => (
              <>
                <SelectField
                  {...form.field("org_id")}
                  options={organisations.map(({ id, name }) => ({ value: String(id), label: name }))}
                />
                <RevokeAdminKeysField of={leftBehind} form="org" values={form.values} />
              </>
            )}
          </SmallForm>
        ) : null}
      </div>
    </Section>
  );
}

function BillingConfig({ view }: { view: View }) {
  const { t } = useTranslation(["admin", "credit"]);
  const { person } = view;
  const { budget } = person;
  const nano = person.billingMode === "own" ? person.creditLimitNanoUsd : (budget?.limitNanoUsd ?? null);
  const { most: maximum, amount } = useMaxCredit(view);
  const credit = maximum === null ? "" : maximum > 0n ? t("credit:ownMost", { amount }) : t("credit:ownNone");
  return (
    <SmallForm
      view={view}
      name="billing-config"
      schema={BillingConfigForm}
      labels={{
        billing_mode: t("person.billing.mode"),
        spending_limit: t("person.billing.limit"),
        period: t("person.billing.period"),
      }}
      values={{ billing_mode: person.billingMode, spending_limit: plainUsd(nano), period: budget?.period ?? "monthly" }}
      text={t("person.billing.limitHint")}
      button={t("person.billing.button")}
    >
      {(form) => (
        <>
          <SelectField
            {...form.field("billing_mode")}
            options={[
              { value: "inherit", label: t("person.billing.inherit") },
              { value: "own", label: t("person.billing.own") },
            ]}
          />
          <div className="grid gap-3 sm:grid-cols-2">
            <TextField
              {...form.field("spending_limit")}
              {...AMOUNT}
              hint={`${t("common.amountHint")} ${credit}`.trim()}
            />
            <SelectField
              {...form.field("period")}
              options={[
                { value: "daily", label: t("person.billing.day") },
                { value: "monthly", label: t("person.billing.month") },
                { value: "rolling", label: t("person.billing.rolling") },
              ]}
            />
          </div>
        </>
      )}
    </SmallForm>
  );
}

/** The highest credit limit that the reader may give; null: any. */
function useMaxCredit({ mostCreditNanoUsd: maximum }: View): { most: bigint | null; amount: string } {
  const { language } = useDocumentFacts();
  return { most: maximum, amount: maximum === null ? "" : moneyText(maximum, language) };
}

const AMOUNT = { inputMode: "decimal", autoComplete: "off" } as const;

/** An amount as people type it: at least two places, no further zeros; empty: none. */
const plainUsd = (nano: bigint | null) => (nano === null ? "" : formatUsd(nano).replace(/(\.\d\d)(\d*?)0+$/, "$1$2"));

/** One setting: what it means, its field, its button. It goes to its own address and comes back with its problems. */
function SmallForm<Name extends string>({
  view,
  name,
  schema,
  labels,
  values,
  text,
  button,
  children,
}: {
  view: View;
  name: string;
  schema: z.ZodType;
  labels: Readonly<Record<Name, string>>;
  values?: FormValues;
  text: string;
  button: string;
  children: (form: PortalFormState<Name>) => ReactNode;
}) {
  const form = usePortalForm({
    id: name,
    action: `/dashboard/admin/users/${view.person.id}/${name}`,
    schema,
    labels,
    values,
    refused: view.refused,
  });
  return (
    <PortalForm form={form} className="grid gap-3 py-4 first:pt-0 last:pb-0">
      {children(form)}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p className="field-hint max-w-120">{text}</p>
        <Button small>{button}</Button>
      </div>
    </PortalForm>
  );
}
