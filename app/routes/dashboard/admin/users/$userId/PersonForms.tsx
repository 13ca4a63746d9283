import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { z } from "zod";
import type { RefusedForm } from "~/access/flash.server";
import { ROLES } from "~/domain/accounts/shared";
import type { PersonDetail } from "~/domain/people/index.server";
import { Button } from "~/ui/Button";
import { SelectField } from "~/ui/forms/fields";
import { PortalForm } from "~/ui/forms/PortalForm";
import { type FormValues, type PortalFormState, usePortalForm } from "~/ui/forms/portal-form";
import { Section } from "~/ui/page-parts";
import { BillingForm } from "./BillingForm";
import { BillingExemptForm, DepartmentForm, OrganisationChoiceForm, RoleForm } from "./person-form.schema";
import { RevokeAdminKeysField } from "./RevokeAdminKeysField";

type View = PersonDetail & { refused: RefusedForm | null };

/** All settings of a person that the reader may change, each with its own form. */
export function PersonForms({ view }: { view: View }) {
  const { t } = useTranslation("admin");
  const { person, allowed, grantable, departments, organisations } = view;
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
        {may("billing-config") ? <BillingForm view={view} /> : null}
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

/** A form for one setting: explanation, field and button. Its path is its own, and it shows its own errors. */
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
