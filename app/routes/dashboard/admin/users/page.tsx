import { useTranslation } from "react-i18next";
import { href, useSearchParams } from "react-router";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { ROLES, USER_STATUSES } from "~/domain/accounts/shared";
import { listChoices, listPeople, listScopeOf } from "~/domain/people/index.server";
import { currentLegalVersion } from "~/legal/index.server";
import { LinkButton } from "~/ui/Button";
import { FilterInput, FilterSelect } from "~/ui/forms/FilterFields";
import { ColumnChoice, DataTable } from "~/ui/lists/DataTable";
import { addressWith, useChips, useFileAddress } from "~/ui/lists/list-address";
import { CsvLink, FilterBar, Pager } from "~/ui/lists/list-parts";
import type { PageHandle } from "~/ui/page-handle";
import { EmptyState, PageHeader, Section } from "~/ui/page-parts";
import type { Route } from "./+types/page";
import { PAGE_SIZE, PeopleQuery, wordOf } from "./list-query.server";
import { usePeopleColumns } from "./PeopleTable";

export const handle: PageHandle = { hydrate: false };

export const loader = pageLoader({ allow: "department_admin", query: PeopleQuery }, async ({ actor, query }) => {
  const within = actor.adminOrganisationId ?? query.filter.organisationId ?? null;
  const [{ people, next }, choices] = await Promise.all([
    listPeople(db(), actor, { ...query, limit: PAGE_SIZE }),
    listChoices(db(), actor, within),
  ]);
  const reach = listScopeOf(actor)?.kind ?? "department";
  const termsVersion = currentLegalVersion();
  return { people, next: next === null ? null : wordOf(next), ...choices, reach, termsVersion };
});

export default function People({ loaderData: view }: Route.ComponentProps) {
  const { t } = useTranslation("admin");
  const [query] = useSearchParams();
  const columns = usePeopleColumns(view.reach === "everything");
  const chips = usePeopleChips(view);
  const file = useFileAddress("/dashboard/admin/users/export");
  const invite = (
    <LinkButton to={href("/dashboard/admin/users/invite")} kind="primary">
      {t("people.invite")}
    </LinkButton>
  );
  const name = view.people[0]?.organisation ?? "";
  const sub =
    view.reach === "organisation" ? t("people.subtitle.organisation", { name }) : t(`people.subtitle.${view.reach}`);
  return (
    <>
      <PageHeader title={t("people.title")} sub={sub} actions={invite} />
      <FilterBar
        chips={chips}
        clear="/dashboard/admin/users"
        aside={
          <>
            <ColumnChoice name="people" columns={columns} />
            <CsvLink to={file} />
          </>
        }
      >
        <Filters view={view} />
      </FilterBar>
      <Section flush>
        <DataTable
          name="people"
          caption={t("people.table")}
          columns={columns}
          rows={view.people}
          rowKey={(person) => person.id}
          empty={
            chips.length > 0 ? (
              <EmptyState
                title={t("people.empty")}
                action={<LinkButton to={href("/dashboard/admin/users")}>{t("common.clear")}</LinkButton>}
              >
                {t("people.emptyText")}
              </EmptyState>
            ) : (
              <EmptyState title={t("people.alone")} action={invite}>
                {t("people.aloneText")}
              </EmptyState>
            )
          }
        />
        <Pager
          newer={query.has("after") ? addressWith(query, { after: null }) : null}
          older={view.next === null ? null : addressWith(query, { after: view.next })}
          shown={view.people.length === 0 ? null : t("people.count", { count: view.people.length })}
        />
      </Section>
    </>
  );
}

type View = Route.ComponentProps["loaderData"];

function usePeopleChips(view: View) {
  const { t } = useTranslation("admin");
  const named = (list: readonly { id: number; name: string }[]) => (value: string) =>
    list.find(({ id }) => String(id) === value)?.name ?? `#${value}`;
  const departmentName = named(view.departments);
  const words = useFilterLabels();
  const wordIn = (name: keyof typeof words) => (value: string) =>
    words[name].find(([option]) => option === value)?.[1] ?? value;
  const itself = (value: string) => value;
  return useChips({
    q: [t("people.col.person"), itself],
    org: [t("people.filter.organisation"), named(view.organisations)],
    department: [
      t("people.filter.department"),
      (value) => (value === "none" ? t("people.filter.noDepartment") : departmentName(value)),
    ],
    role: [t("people.filter.role"), wordIn("role")],
    status: [t("people.filter.status"), wordIn("status")],
    billing: [t("people.filter.billing"), wordIn("billing")],
    budget: [t("people.filter.budget"), wordIn("set")],
    credit: [t("people.filter.credit"), wordIn("set")],
    keys: [t("people.filter.keys"), wordIn("keys")],
    linked: [t("people.filter.linked"), wordIn("linked")],
    terms: [t("people.filter.terms"), (value) => (value === "none" ? t("people.filter.termsNone") : value)],
    seen: [t("people.filter.seen"), wordIn("seen")],
    spent: [t("people.filter.spent"), itself],
  });
}

function useFilterLabels() {
  const { t } = useTranslation("admin");
  return {
    role: ROLES.map((role) => [role, t(`roles.${role}`)] as const),
    status: USER_STATUSES.map((status) => [status, t(`statuses.${status}`)] as const),
    billing: [
      ["exempt", t("people.filter.billingExempt")],
      ["inherit", t("people.filter.billingInherit")],
      ["own", t("people.filter.billingOwn")],
    ] as const,
    set: [
      ["set", t("people.filter.set")],
      ["none", t("people.filter.notSet")],
    ] as const,
    keys: [
      ["some", t("people.filter.withKeys")],
      ["none", t("people.filter.withoutKeys")],
    ] as const,
    linked: [
      ["idp-a", "idp-a"],
      ["idp-b", "idp-b"],
      ["none", t("people.filter.passwordOnly")],
    ] as const,
    seen: [
      ["1d", t("people.filter.seen1d")],
      ["7d", t("people.filter.seen7d")],
      ["30d", t("people.filter.seen30d")],
      ["never", t("common.never")],
    ] as const,
    sort: [["email", t("people.filter.byEmail")]] as const,
  };
}

function Filters({ view }: { view: View }) {
  const { t } = useTranslation("admin");
  const [query] = useSearchParams();
  const words = useFilterLabels();
  const seldom = ["billing", "budget", "credit", "keys", "linked", "terms", "seen", "spent"];
  return (
    <>
      <FilterInput name="q" label={t("people.searchHint")} wide />
      {view.organisations.length > 0 ? (
        <FilterSelect
          name="org"
          label={t("people.filter.organisation")}
          first={t("people.filter.organisation")}
          options={view.organisations.map(({ id, name }) => [String(id), name])}
        />
      ) : null}
      {view.departments.length > 0 ? (
        <FilterSelect
          name="department"
          label={t("people.filter.department")}
          first={t("people.filter.department")}
          options={[
            ["none", t("people.filter.noDepartment")],
            ...view.departments.map(({ id, name }) => [String(id), name] as const),
          ]}
        />
      ) : null}
      <FilterSelect name="role" label={t("people.filter.role")} first={t("people.filter.role")} options={words.role} />
      <FilterSelect
        name="status"
        label={t("people.filter.status")}
        first={t("people.filter.status")}
        options={words.status}
      />
      <FilterSelect
        name="sort"
        label={t("people.filter.sort")}
        first={t("people.filter.newest")}
        options={words.sort}
      />
      <details className="order-last basis-full" open={seldom.some((name) => query.get(name))}>
        <summary className="w-fit cursor-pointer text-xs text-ink-3 hover:text-ink">
          {t("people.filter.moreFilters")}
        </summary>
        <div className="mt-2 flex flex-wrap gap-2">
          <FilterSelect
            name="billing"
            label={t("people.filter.billing")}
            first={t("people.filter.billing")}
            options={words.billing}
          />
          <FilterSelect
            name="budget"
            label={t("people.filter.budget")}
            first={t("people.filter.budget")}
            options={words.set}
          />
          <FilterSelect
            name="credit"
            label={t("people.filter.credit")}
            first={t("people.filter.credit")}
            options={words.set}
          />
          <FilterSelect
            name="keys"
            label={t("people.filter.keys")}
            first={t("people.filter.keys")}
            options={words.keys}
          />
          <FilterSelect
            name="linked"
            label={t("people.filter.linked")}
            first={t("people.filter.linked")}
            options={words.linked}
          />
          <FilterSelect
            name="terms"
            label={t("people.filter.terms")}
            first={t("people.filter.terms")}
            options={[
              ["none", t("people.filter.termsNone")],
              [view.termsVersion, t("people.filter.termsCurrent", { version: view.termsVersion })],
            ]}
          />
          <FilterSelect
            name="seen"
            label={t("people.filter.seen")}
            first={t("people.filter.seen")}
            options={words.seen}
          />
          <FilterInput name="spent" type="text" label={t("people.filter.spent")} />
        </div>
      </details>
    </>
  );
}
