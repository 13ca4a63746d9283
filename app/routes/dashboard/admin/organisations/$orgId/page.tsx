import { useTranslation } from "react-i18next";
import { requireRecentProof } from "~/access/actor.server";
import { refusedFormOf } from "~/access/flash.server";
import { pageAction } from "~/access/portal/page-action.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { atLeast } from "~/domain/accounts/shared";
import { payerOf } from "~/domain/keys/index.server";
import {
  deleteOrganisation,
  listDepartments,
  listPossiblePayers,
  readNomination,
  readOrganisation,
  updateOrganisation,
} from "~/domain/organisations/index.server";
import { Count, Money } from "~/ui/Figures";
import { FormProblem } from "~/ui/forms/form-parts";
import { Badge, Columns, PageHeader } from "~/ui/page-parts";
import { StatCard, Stats } from "~/ui/StatCard";
import { OrganisationParams } from "../../fields";
import { OrganisationForm } from "../organisation-form.schema";
import type { Route } from "./+types/page";
import { CreditForm } from "./CreditForm";
import { DepartmentList } from "./DepartmentList";
import { BillingForms, BrandingForm, Deletion, GeneralForm } from "./OrganisationForms";

export const loader = pageLoader(
  { allow: "org_admin", params: OrganisationParams },
  async ({ actor, params, context }) => {
    const { orgId } = params;
    const { row: organisation, view: stats, credit } = await readOrganisation(db(), actor, orgId);
    const [departments, payers, nomination, payer] = await Promise.all([
      listDepartments(db(), actor, orgId),
      listPossiblePayers(db(), actor, orgId),
      readNomination(db(), actor, orgId),
      payerOf(db(), { organisationId: orgId, projectId: null, userId: null }),
    ]);
    const refused = refusedFormOf(context, (action) => action.startsWith("/dashboard/admin/organisation"));
    const runs = atLeast(actor.role, "platform_admin");
    return { organisation, stats, credit, departments, payers, nomination, payer, refused, runs };
  },
);

export const action = pageAction(
  {
    allow: "platform_admin",
    params: OrganisationParams,
    body: OrganisationForm,
    DELETE: async ({ actor, params }) => {
      await deleteOrganisation(db(), actor, params.orgId);
      return { to: "/dashboard/admin/organisations", toast: "admin:done.organisationDeleted" };
    },
  },
  async ({ actor, params, body, context }) => {
    const { row, view } = await readOrganisation(db(), actor, params.orgId);
    const { name, slug, billing_exempt: billingExempt, monthly_budget: monthlyBudgetNanoUsd } = body;
    const { credit_limit: creditLimitNanoUsd, credit_ceiling: creditCeilingNanoUsd } = body;
    const givesMoney =
      isAnother(billingExempt, row.billingExempt) ||
      isAnother(creditLimitNanoUsd, view.creditLimitNanoUsd) ||
      isAnother(creditCeilingNanoUsd, row.creditCeilingNanoUsd);
    if (givesMoney) requireRecentProof(context);
    await updateOrganisation(db(), actor, params.orgId, {
      name,
      slug,
      billingExempt,
      monthlyBudgetNanoUsd,
      creditLimitNanoUsd,
      creditCeilingNanoUsd,
    });
    return { to: `/dashboard/admin/organisations/${params.orgId}`, toast: "admin:done.organisationSaved" };
  },
);

const isAnother = <Value,>(requested: Value | undefined, now: Value) => requested !== undefined && requested !== now;

export default function Organisation({ loaderData: view, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("admin");
  const { organisation, stats, runs, refused } = view;
  // Errors that no form of the page shows.
  const elsewhere = refused?.action.endsWith("/delete") ?? false;
  return (
    <>
      <PageHeader
        back={runs ? { to: "/dashboard/admin/organisations", label: t("organisation.back") } : undefined}
        title={organisation.name}
        sub={organisation.portalDomain ?? organisation.slug}
        tags={organisation.billingExempt ? <Badge>{t("organisations.exempt")}</Badge> : null}
      />
      <Stats>
        <StatCard label={t("organisations.col.people")} value={<Count value={stats.people} />} />
        <StatCard label={t("organisations.col.keys")} value={<Count value={stats.keys} />} />
        <StatCard label={t("organisations.col.spent")} value={<Money nano={stats.spentNanoUsd} />} />
        {organisation.billingExempt ? null : (
          <StatCard label={t("organisations.col.wallet")} value={<Money nano={stats.walletNanoUsd} />} />
        )}
      </Stats>
      <FormProblem text={elsewhere ? refused?.message : null} />
      <Columns even>
        <div>
          {runs ? <GeneralForm organisation={organisation} refused={actionData?.form} /> : null}
          <BillingForms view={view} />
          <CreditForm
            organisationId={organisation.id}
            credit={view.credit}
            creditLimitNanoUsd={stats.creditLimitNanoUsd}
            runs={runs}
            refused={actionData?.form}
          />
          {runs ? <Deletion organisation={organisation} stats={stats} /> : null}
        </div>
        <div>
          <DepartmentList
            organisationId={organisation.id}
            departments={view.departments}
            monthlyNanoUsd={stats.monthlyBudgetNanoUsd}
            refused={refused}
          />
          <BrandingForm view={view} />
        </div>
      </Columns>
    </>
  );
}
