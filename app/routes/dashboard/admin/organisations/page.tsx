import { useTranslation } from "react-i18next";
import { href, Link } from "react-router";
import { z } from "zod";
import { requireRecentProof } from "~/access/actor.server";
import { refusedFormOf } from "~/access/flash.server";
import { pageAction, type RefusedHere } from "~/access/portal/page-action.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { createOrganisationByAdmin, listOrganisations } from "~/domain/organisations/index.server";
import { ORGANISATION_SORTS, type OrganisationSort, type OrganisationView } from "~/domain/organisations/shared";
import { orNothing, SearchText } from "~/http/body/fields";
import { isPlace, NO_SUCH_PLACE, PlaceField, placeWord, sortField, sortOf } from "~/http/body/list-order";
import { BudgetGauge } from "~/ui/BudgetGauge";
import { Button } from "~/ui/Button";
import { Dialog, DialogButton } from "~/ui/Dialog";
import { Count, DateTime, Money } from "~/ui/Figures";
import { CheckboxField, TextField } from "~/ui/forms/fields";
import { FormProblem } from "~/ui/forms/form-parts";
import { PortalForm } from "~/ui/forms/PortalForm";
import { useIsReturned, usePortalForm } from "~/ui/forms/portal-form";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { unseen, useFilterState } from "~/ui/lists/filters";
import { usePages } from "~/ui/lists/list-address";
import { FilterBar, Pager } from "~/ui/lists/list-parts";
import type { PageHandle } from "~/ui/page-handle";
import { Badge, EmptyState, PageHeader, Section } from "~/ui/page-parts";
import { Hidden } from "../Hidden";
import type { Route } from "./+types/page";
import { NewOrganisationForm } from "./organisation-form.schema";

export const handle: PageHandle = { hydrate: false };

const PAGE_SIZE = 50;
const NEWEST = "-created";
const orderOf = (sort: string | undefined): OrganisationSort => sortOf(sort ?? NEWEST);
const Query = z
  .object({ q: orNothing(SearchText), sort: sortField(ORGANISATION_SORTS), after: PlaceField })
  .refine(({ sort, after }) => isPlace(after, ORGANISATION_SORTS[orderOf(sort).by]), NO_SUCH_PLACE);

export const loader = pageLoader({ allow: "platform_admin", query: Query }, async ({ actor, query, context }) => {
  const page = { q: query.q || null, sort: orderOf(query.sort), after: query.after ?? null, limit: PAGE_SIZE };
  const refused = refusedFormOf(context, (action) => action.startsWith("/dashboard/admin/organisations"));
  const { organisations, next } = await listOrganisations(db(), actor, page);
  return { organisations, next: next && placeWord(next), sorted: query.sort ?? NEWEST, refused };
});

export const action = pageAction(
  { allow: "platform_admin", body: NewOrganisationForm },
  async ({ actor, body, context }) => {
    if (body.billing_exempt) requireRecentProof(context);
    const { name, slug, billing_exempt: billingExempt, monthly_budget: monthlyBudgetNanoUsd } = body;
    const { id } = await createOrganisationByAdmin(db(), actor, { name, slug, billingExempt, monthlyBudgetNanoUsd });
    return { to: `/dashboard/admin/organisations/${id}`, toast: "admin:done.organisationCreated" };
  },
);

export default function Organisations({ loaderData: view, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("admin");
  const columns = useColumns();
  const filters = useFilterState({
    q: { label: t("organisations.searchHint"), chip: t("organisations.col.name"), wide: true },
    sort: unseen(true),
  });
  return (
    <>
      <PageHeader
        title={t("organisations.title")}
        sub={t("organisations.subtitle")}
        actions={
          <DialogButton dialog="new-organisation" kind="primary">
            {t("organisations.create")}
          </DialogButton>
        }
      />
      <FormProblem text={view.refused?.message} />
      <FilterBar filters={filters} clear="/dashboard/admin/organisations" />
      <form method="get" action={href("/dashboard/admin/organisations/merging")}>
        <Section
          flush
          title={t("organisations.title")}
          aside={
            <span className="flex items-center gap-3">
              <span className="hidden sm:inline">{t("organisations.mergeHint")}</span>
              <Button small>{t("organisations.merge")}</Button>
            </span>
          }
        >
          <DataTable
            name="organisations"
            caption={t("organisations.table")}
            columns={columns}
            rows={view.organisations}
            rowKey={(organisation) => organisation.id}
            sorted={view.sorted}
            empty={<EmptyState title={t("organisations.empty")}>{t("organisations.emptyText")}</EmptyState>}
          />
          <Pager {...usePages(view.next)} />
        </Section>
      </form>
      <NewOrganisation form={actionData?.form} />
    </>
  );
}

function useColumns(): Column<OrganisationView>[] {
  const { t } = useTranslation("admin");
  return [
    {
      id: "select",
      header: <Hidden>{t("organisations.col.select")}</Hidden>,
      cell: ({ id, name }) => (
        <input
          type="checkbox"
          name="merge"
          value={id}
          className="check"
          aria-label={`${t("organisations.col.select")}: ${name}`}
        />
      ),
    },
    {
      id: "name",
      header: t("organisations.col.name"),
      sort: "name",
      cell: (organisation) => (
        <Link to={`/dashboard/admin/organisations/${organisation.id}`} className="grid leading-snug hover:text-accent">
          <span className="font-strong">{organisation.name}</span>
          <span className="text-xs text-ink-3">{organisation.portalDomain ?? organisation.slug}</span>
        </Link>
      ),
    },
    {
      id: "people",
      header: t("organisations.col.people"),
      align: "end",
      sort: "people",
      cell: (organisation) => (
        <Link to={`/dashboard/admin/users?org=${organisation.id}`} className="hover:text-accent">
          <Count value={organisation.people} />
        </Link>
      ),
    },
    {
      id: "keys",
      header: t("organisations.col.keys"),
      align: "end",
      sort: "keys",
      cell: ({ keys }) => <Count value={keys} />,
    },
    {
      id: "structure",
      header: t("organisations.col.structure"),
      align: "end",
      cell: ({ departments, projects }) => (
        <>
          <Count value={departments} />, <Count value={projects} />
        </>
      ),
    },
    {
      id: "spent",
      header: t("people.col.spent"),
      align: "end",
      sort: "spent",
      cell: ({ spentNanoUsd }) => <Money nano={spentNanoUsd} muted={spentNanoUsd === 0n} />,
    },
    {
      id: "budget",
      header: t("organisations.col.budget"),
      cell: (organisation) =>
        organisation.monthlyBudgetNanoUsd === null ? (
          <span className="text-ink-3">{t("common.noLimit")}</span>
        ) : (
          <BudgetGauge
            small
            spentNano={organisation.spentNanoUsd}
            heldNano={organisation.budgetHeldNanoUsd}
            limitNano={organisation.monthlyBudgetNanoUsd}
          />
        ),
    },
    {
      id: "wallet",
      header: t("organisations.col.wallet"),
      align: "end",
      cell: (organisation) =>
        organisation.billingExempt ? (
          <Badge>{t("organisations.exempt")}</Badge>
        ) : (
          <Money nano={organisation.walletNanoUsd} />
        ),
    },
    {
      id: "created",
      header: t("organisations.col.created"),
      align: "end",
      sort: "created",
      cell: ({ createdAt }) => <DateTime at={createdAt} dateOnly />,
    },
  ];
}

/** Without script a rejected form is shown on the page itself. */
function NewOrganisation({ form }: { form?: RefusedHere }) {
  const { t } = useTranslation("admin");
  const isOpen = useIsReturned(href("/dashboard/admin/organisations")) || form !== undefined;
  const fields = <Fields refused={form} />;
  return (
    <>
      {isOpen ? (
        <Section title={t("organisations.create")} id="new">
          {fields}
        </Section>
      ) : null}
      <Dialog id="new-organisation" title={t("organisations.create")}>
        {isOpen ? null : fields}
      </Dialog>
    </>
  );
}

function Fields({ refused }: { refused?: RefusedHere }) {
  const { t } = useTranslation("admin");
  const form = usePortalForm({
    id: "organisation",
    action: href("/dashboard/admin/organisations"),
    schema: NewOrganisationForm,
    labels: {
      name: t("organisations.name"),
      slug: t("organisations.slug"),
      monthly_budget: t("organisations.monthlyBudget"),
      billing_exempt: t("organisations.billingExempt"),
    },
    refused,
  });
  return (
    <PortalForm form={form} className="grid gap-4">
      <TextField {...form.field("name")} required />
      <TextField {...form.field("slug")} hint={t("organisations.slugHint")} />
      <TextField {...form.field("monthly_budget")} hint={t("common.amountHint")} inputMode="decimal" />
      <CheckboxField {...form.box("billing_exempt")} hint={t("organisations.exemptHint")} />
      <div className="flex justify-end">
        <Button kind="primary">{t("organisations.createButton")}</Button>
      </div>
    </PortalForm>
  );
}
