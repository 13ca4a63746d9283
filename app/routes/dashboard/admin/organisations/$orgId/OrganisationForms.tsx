import { useTranslation } from "react-i18next";
import { href } from "react-router";
import type { RefusedForm } from "~/access/flash.server";
import type { RefusedHere } from "~/access/portal/page-action.server";
import type { PayerReason as PayerReasonName } from "~/domain/payers/shared";
import { BudgetGauge } from "~/ui/BudgetGauge";
import { Button, LinkButton } from "~/ui/Button";
import { ConfirmDialog } from "~/ui/ConfirmDialog";
import { DialogButton } from "~/ui/Dialog";
import { SelectField, TextField } from "~/ui/forms/fields";
import { FormStack } from "~/ui/forms/form-parts";
import { PortalForm } from "~/ui/forms/PortalForm";
import { usePortalForm } from "~/ui/forms/portal-form";
import { PayerReason } from "~/ui/PayerReason";
import { Section } from "~/ui/page-parts";
import { plainUsd } from "~/values/money";
import {
  BillingUserForm,
  OrganisationBudgetForm,
  OrganisationForm,
  OrganisationSettingsForm,
} from "../organisation-form.schema";

type Organisation = {
  id: number;
  name: string;
  slug: string;
  billingExempt: boolean;
  billingUserId: number | null;
  portalDomain: string | null;
  brandName: string | null;
  accentColour: string | null;
  supportEmail: string | null;
};
type Stats = {
  people: number;
  monthlyBudgetNanoUsd: bigint | null;
  budgetHeldNanoUsd: bigint;
  spentNanoUsd: bigint;
};
type View = {
  organisation: Organisation;
  stats: Stats;
  payers: readonly { id: number; email: string; name: string }[];
  nomination: { userId: number; name: string } | null;
  /** The payer for members whose keys have no other payer. */
  payer: { name: string; reason: PayerReasonName; exempt: boolean };
  refused: RefusedForm | null;
  runs: boolean;
};

/** Settings of an organisation that only platform admins change. */
export function GeneralForm({ organisation, refused }: { organisation: Organisation; refused?: RefusedHere }) {
  const { t } = useTranslation("admin");
  const form = usePortalForm({
    id: "general",
    action: `/dashboard/admin/organisations/${organisation.id}`,
    schema: OrganisationForm,
    labels: {
      name: t("organisations.name"),
      slug: t("organisations.slug"),
      billing_exempt: t("organisation.charging"),
    },
    values: {
      name: organisation.name,
      slug: organisation.slug,
      billing_exempt: String(organisation.billingExempt),
    },
    refused: refused?.sent.credit_ceiling === undefined ? refused : null,
  });
  return (
    <Section title={t("organisation.general")}>
      <PortalForm form={form} className="grid gap-4">
        <p className="text-ink-2">{t("organisation.generalText")}</p>
        <FormStack wide>
          <TextField {...form.field("name")} required />
          <TextField {...form.field("slug")} required />
        </FormStack>
        <SelectField
          {...form.field("billing_exempt")}
          hint={t("organisations.exemptHint")}
          options={[
            { value: "true", label: t("organisations.exempt") },
            { value: "false", label: t("organisations.charged") },
          ]}
        />
        <div>
          <Button>{t("common.save")}</Button>
        </div>
      </PortalForm>
    </Section>
  );
}

/** The payer of an organisation, and its spending limit. */
export function BillingForms({ view }: { view: View }) {
  const { t } = useTranslation("admin");
  const { organisation, stats, payers, nomination, payer: paying } = view;
  const chosen = nomination?.userId ?? organisation.billingUserId;
  const budget = usePortalForm({
    id: "monthly-budget",
    action: href("/dashboard/admin/organisation/monthly-budget"),
    schema: OrganisationBudgetForm,
    labels: { monthly_budget: t("organisation.budget") },
    values: { monthly_budget: stats.monthlyBudgetNanoUsd === null ? "" : plainUsd(stats.monthlyBudgetNanoUsd) },
    refused: view.refused,
  });
  const payer = usePortalForm({
    id: "billing-user",
    action: href("/dashboard/admin/organisation/billing-user"),
    schema: BillingUserForm,
    labels: { billing_user_id: t("organisation.payer") },
    values: { billing_user_id: chosen === null ? "" : String(chosen) },
    refused: view.refused,
  });
  return (
    <Section title={t("organisation.billing")} id="billing">
      <div className="grid gap-6">
        <p>
          {t("organisation.paidBy", { name: paying.name })}
          <PayerReason reason={paying.reason} exempt={paying.exempt} />
        </p>
        <PortalForm form={budget} className="grid gap-3">
          <input type="hidden" name="org_id" value={organisation.id} />
          <BudgetGauge
            spentNano={stats.spentNanoUsd}
            heldNano={stats.budgetHeldNanoUsd}
            limitNano={stats.monthlyBudgetNanoUsd}
          />
          <TextField
            {...budget.field("monthly_budget")}
            hint={t("organisation.budgetHint")}
            inputMode="decimal"
            autoComplete="off"
          />
          <div>
            <Button small>{t("organisation.budgetButton")}</Button>
          </div>
        </PortalForm>
        <PortalForm form={payer} className="grid gap-3 border-line border-t pt-5">
          <input type="hidden" name="org_id" value={organisation.id} />
          <SelectField
            {...payer.field("billing_user_id")}
            hint={t("organisation.payerHint")}
            options={[
              { value: "", label: t("organisation.payerNone") },
              ...payers.map(({ id, email, name }) => ({
                value: String(id),
                label: name ? `${name}, ${email}` : email,
              })),
            ]}
          />
          {nomination === null ? null : (
            <p className="rounded-lg bg-held-soft px-3.5 py-2.5 text-held-ink">
              {t("organisation.payerPending", { name: nomination.name })}
            </p>
          )}
          <div>
            <Button small>{t("organisation.payerButton")}</Button>
          </div>
        </PortalForm>
      </div>
    </Section>
  );
}

/** Branding of the organisation's own portal. */
export function BrandingForm({ view }: { view: View }) {
  const { t } = useTranslation("admin");
  const { organisation, runs } = view;
  const form = usePortalForm({
    id: "branding",
    action: href("/dashboard/admin/organisation/settings"),
    schema: OrganisationSettingsForm,
    labels: {
      name: t("organisations.name"),
      brand_name: t("organisation.brand"),
      accent_colour: t("organisation.accent"),
      support_email: t("organisation.support"),
      portal_domain: t("organisation.domain"),
    },
    values: {
      name: organisation.name,
      brand_name: organisation.brandName ?? "",
      accent_colour: organisation.accentColour ?? "",
      support_email: organisation.supportEmail ?? "",
      portal_domain: organisation.portalDomain ?? "",
    },
    refused: view.refused,
  });
  return (
    <Section title={t("organisation.looks")} id="looks">
      <PortalForm form={form} className="grid gap-4">
        <p className="text-ink-2">{t("organisation.looksText")}</p>
        <input type="hidden" name="org_id" value={organisation.id} />
        <FormStack wide>
          {runs ? null : <TextField {...form.field("name")} required />}
          <TextField {...form.field("brand_name")} />
          <TextField {...form.field("accent_colour")} hint={t("organisation.accentHint")} />
          <TextField {...form.field("support_email")} type="email" />
          <TextField
            {...form.field("portal_domain")}
            hint={runs ? t("organisation.domainHint") : t("organisation.domainFixed")}
            disabled={!runs}
            {...(runs ? {} : { defaultValue: organisation.portalDomain ?? "" })}
          />
        </FormStack>
        <div>
          <Button>{t("organisation.looksButton")}</Button>
        </div>
      </PortalForm>
    </Section>
  );
}

/** Deletion of an organisation without members. */
export function Deletion({ organisation, stats }: { organisation: Organisation; stats: Stats }) {
  const { t } = useTranslation("admin");
  return (
    <Section title={t("organisation.delete")} id="delete">
      <div className="grid gap-3">
        <p className="text-ink-2">{t("organisation.deleteText")}</p>
        {stats.people > 0 ? (
          <div className="flex flex-wrap items-center gap-3">
            <p>{t("organisation.stillPeople", { count: stats.people })}</p>
            <LinkButton small to={`/dashboard/admin/users?org=${organisation.id}`}>
              {t("organisation.seePeople")}
            </LinkButton>
          </div>
        ) : (
          <div>
            <DialogButton dialog="delete-organisation" kind="danger">
              {t("organisation.deleteButton")}
            </DialogButton>
            <ConfirmDialog
              id="delete-organisation"
              title={t("organisation.delete")}
              action={`/dashboard/admin/organisations/${organisation.id}/delete`}
              typed={organisation.name}
              confirm={t("organisation.deleteButton")}
              consequences={t("organisation.deleteText")}
            />
          </div>
        )}
      </div>
    </Section>
  );
}
