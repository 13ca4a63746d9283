import { useTranslation } from "react-i18next";
import { href } from "react-router";
import type { RefusedForm } from "~/access/flash.server";
import type { RefusedHere } from "~/access/portal/page-action.server";
import { formatUsd } from "~/money";
import { BudgetGauge } from "~/ui/BudgetGauge";
import { Button, LinkButton } from "~/ui/Button";
import { ConfirmDialog } from "~/ui/ConfirmDialog";
import { DialogButton } from "~/ui/Dialog";
import { SelectField, TextField } from "~/ui/fields";
import { FormProblem, FormStack } from "~/ui/form-parts";
import { Section } from "~/ui/page-parts";

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
  refused: RefusedForm | null;
  runs: boolean;
};

/** What those who run the installation decide about an organisation. */
export function GeneralForm({
  organisation,
  stats,
  form,
}: {
  organisation: Organisation;
  stats: Stats;
  form?: RefusedHere;
}) {
  const { t } = useTranslation("admin");
  const { fields = {}, sent = {} } = form ?? {};
  return (
    <Section title={t("organisation.general")}>
      <form method="post" action={`/dashboard/admin/organisations/${organisation.id}`} className="grid gap-4">
        <p className="text-ink-2">{t("organisation.generalText")}</p>
        <FormProblem text={form?.problem} />
        <FormStack wide>
          <TextField
            name="name"
            label={t("organisations.name")}
            required
            defaultValue={sent.name ?? organisation.name}
            problem={fields.name}
          />
          <TextField
            name="slug"
            label={t("organisations.slug")}
            required
            defaultValue={sent.slug ?? organisation.slug}
            problem={fields.slug}
          />
        </FormStack>
        <SelectField
          name="billing_exempt"
          label={t("organisation.charging")}
          hint={t("organisations.exemptHint")}
          defaultValue={sent.billing_exempt ?? String(organisation.billingExempt)}
          options={[
            { value: "true", label: t("organisations.exempt") },
            { value: "false", label: t("organisations.charged") },
          ]}
        />
        <input
          type="hidden"
          name="monthly_budget"
          value={stats.monthlyBudgetNanoUsd === null ? "" : formatUsd(stats.monthlyBudgetNanoUsd)}
        />
        <div>
          <Button>{t("common.save")}</Button>
        </div>
      </form>
    </Section>
  );
}

/** Who pays, and how much at most. */
export function BillingForms({ view }: { view: View }) {
  const { t } = useTranslation("admin");
  const { organisation, stats, payers, nomination } = view;
  const chosen = nomination?.userId ?? organisation.billingUserId;
  const problems = problemsOf(view, "billing-user", "monthly-budget");
  return (
    <Section title={t("organisation.billing")} id="billing">
      <div className="grid gap-6">
        <form method="post" action={href("/dashboard/admin/organisation/monthly-budget")} className="grid gap-3">
          <input type="hidden" name="org_id" value={organisation.id} />
          <BudgetGauge
            spentNano={stats.spentNanoUsd}
            heldNano={stats.budgetHeldNanoUsd}
            limitNano={stats.monthlyBudgetNanoUsd}
          />
          <TextField
            name="monthly_budget"
            label={t("organisation.budget")}
            hint={t("organisation.budgetHint")}
            inputMode="decimal"
            autoComplete="off"
            defaultValue={stats.monthlyBudgetNanoUsd === null ? "" : plainUsd(stats.monthlyBudgetNanoUsd)}
            problem={problems.monthly_budget}
          />
          <div>
            <Button small>{t("organisation.budgetButton")}</Button>
          </div>
        </form>
        <form
          method="post"
          action={href("/dashboard/admin/organisation/billing-user")}
          className="grid gap-3 border-line border-t pt-5"
        >
          <input type="hidden" name="org_id" value={organisation.id} />
          <SelectField
            name="billing_user_id"
            label={t("organisation.payer")}
            hint={t("organisation.payerHint")}
            defaultValue={chosen === null ? "" : String(chosen)}
            problem={problems.billing_user_id}
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
        </form>
      </div>
    </Section>
  );
}

/** How the organisation's own portal presents itself. */
export function BrandingForm({ view }: { view: View }) {
  const { t } = useTranslation("admin");
  const { organisation, runs } = view;
  const problems = problemsOf(view, "settings");
  return (
    <Section title={t("organisation.looks")} id="looks">
      <form method="post" action={href("/dashboard/admin/organisation/settings")} className="grid gap-4">
        <p className="text-ink-2">{t("organisation.looksText")}</p>
        <input type="hidden" name="org_id" value={organisation.id} />
        <FormStack wide>
          {runs ? null : (
            <TextField
              name="name"
              label={t("organisations.name")}
              required
              defaultValue={organisation.name}
              problem={problems.name}
            />
          )}
          <TextField
            name="brand_name"
            label={t("organisation.brand")}
            defaultValue={organisation.brandName ?? ""}
            problem={problems.brand_name}
          />
          <TextField
            name="accent_colour"
            label={t("organisation.accent")}
            hint={t("organisation.accentHint")}
            defaultValue={organisation.accentColour ?? ""}
            problem={problems.accent_colour}
          />
          <TextField
            name="support_email"
            type="email"
            label={t("organisation.support")}
            defaultValue={organisation.supportEmail ?? ""}
            problem={problems.support_email}
          />
          <TextField
            name={runs ? "portal_domain" : "domain_shown"}
            label={t("organisation.domain")}
            hint={runs ? t("organisation.domainHint") : t("organisation.domainFixed")}
            defaultValue={organisation.portalDomain ?? ""}
            disabled={!runs}
            problem={problems.portal_domain}
          />
        </FormStack>
        <div>
          <Button>{t("organisation.looksButton")}</Button>
        </div>
      </form>
    </Section>
  );
}

/** The end of an organisation, once nobody is in it. */
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

const plainUsd = (nano: bigint) => formatUsd(nano).replace(/(\.\d\d)(\d*?)0+$/, "$1$2");

function problemsOf({ refused }: View, ...forms: string[]): Readonly<Record<string, string>> {
  const mine = refused !== null && forms.some((form) => refused.action.endsWith(`/${form}`));
  return mine ? refused.fields : {};
}
