import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { RefusedForm } from "~/access/flash.server";
import type { PersonDetail } from "~/domain/identity/index.server";
import { ROLES } from "~/domain/identity/shared";
import { formatUsd } from "~/money";
import { Button } from "~/ui/Button";
import { useDocumentFacts } from "~/ui/document-context";
import { SelectField } from "~/ui/fields";
import { FormProblem } from "~/ui/form-parts";
import { moneyText } from "~/ui/format";
import { Section } from "~/ui/page-parts";
import { TextField } from "~/ui/TextField";
import { RevokeAdminKeysField } from "./RevokeAdminKeysField";

type View = PersonDetail & { refused: RefusedForm | null; draft: Readonly<Record<string, string>> | null };

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
          <SmallForm view={view} name="role" text={t("person.role.text")} button={t("person.role.button")}>
            {(problems) => (
              <>
                <SelectField
                  name="role"
                  label={t("person.role.title")}
                  defaultValue={view.draft?.role ?? person.role}
                  problem={problems.role}
                  options={ROLES.filter((role) => grantable.includes(role) || role === person.role).map((role) => ({
                    value: role,
                    label: t(`roles.${role}`),
                  }))}
                />
                <RevokeAdminKeysField of={leftBehind} form="role" />
              </>
            )}
          </SmallForm>
        ) : null}
        {may("department") ? (
          <SmallForm
            view={view}
            name="department"
            text={t("person.department.text")}
            button={t("person.department.button")}
          >
            {(problems) => (
              <SelectField
                name="department_id"
                label={t("person.department.title")}
                defaultValue={person.departmentId === null ? "" : String(person.departmentId)}
                problem={problems.department_id}
                options={departmentOptions}
              />
            )}
          </SmallForm>
        ) : null}
        {may("billing-config") ? <BillingConfig view={view} /> : null}
        {may("monthly-budget") ? (
          <SmallForm
            view={view}
            name="monthly-budget"
            text={t("person.budget.text")}
            button={t("person.budget.button")}
          >
            {(problems) => (
              <Amount
                name="monthly_budget"
                label={t("person.budget.label")}
                nano={budget?.period === "monthly" ? budget.limitNanoUsd : null}
                problem={problems.monthly_budget}
              />
            )}
          </SmallForm>
        ) : null}
        {may("credit-limit") ? (
          <SmallForm view={view} name="credit-limit" text={t("person.credit.text")} button={t("person.credit.button")}>
            {(problems) => (
              <Amount
                name="credit_limit"
                label={t("person.credit.label")}
                nano={person.creditLimitNanoUsd}
                problem={problems.credit_limit}
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
          <SmallForm view={view} name="org" text={t("person.org.text")} button={t("person.org.button")}>
            {(problems) => (
              <>
                <SelectField
                  name="org_id"
                  label={t("person.org.title")}
                  defaultValue={String(person.organisationId)}
                  problem={problems.org_id}
                  options={organisations.map(({ id, name }) => ({ value: String(id), label: name }))}
                />
                <RevokeAdminKeysField of={leftBehind} form="org" />
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
      text={t("person.billing.limitHint")}
      button={t("person.billing.button")}
    >
      {(problems) => (
        <>
          <SelectField
            name="billing_mode"
            label={t("person.billing.mode")}
            defaultValue={person.billingMode}
            problem={problems.billing_mode}
            options={[
              { value: "inherit", label: t("person.billing.inherit") },
              { value: "own", label: t("person.billing.own") },
            ]}
          />
          <div className="grid gap-3 sm:grid-cols-2">
            <Amount
              name="spending_limit"
              label={t("person.billing.limit")}
              nano={nano}
              problem={problems.spending_limit}
              hint={`${t("common.amountHint")} ${credit}`.trim()}
            />
            <SelectField
              name="period"
              label={t("person.billing.period")}
              defaultValue={budget?.period ?? "monthly"}
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

function Amount({
  nano,
  ...field
}: {
  name: string;
  label: string;
  nano: bigint | null;
  problem?: string;
  hint?: string;
  required?: boolean;
}) {
  return (
    <TextField {...field} inputMode="decimal" autoComplete="off" defaultValue={nano === null ? "" : plainUsd(nano)} />
  );
}

/** An amount as people type it: at least two places, no further zeros. */
const plainUsd = (nano: bigint) => formatUsd(nano).replace(/(\.\d\d)(\d*?)0+$/, "$1$2");

/** One setting: what it means, its field, its button. It goes to its own address and comes back with its problems. */
function SmallForm({
  view,
  name,
  text,
  button,
  children,
}: {
  view: View;
  name: string;
  text: string;
  button: string;
  children: (problems: Readonly<Record<string, string>>) => ReactNode;
}) {
  const action = `/dashboard/admin/users/${view.person.id}/${name}`;
  const refused = view.refused?.action === action ? view.refused : null;
  return (
    <form method="post" action={action} className="grid gap-3 py-4 first:pt-0 last:pb-0">
      {refused && Object.keys(refused.fields).length === 0 ? <FormProblem text={refused.message} /> : null}
      {children(refused?.fields ?? {})}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p className="field-hint max-w-120">{text}</p>
        <Button small>{button}</Button>
      </div>
    </form>
  );
}
