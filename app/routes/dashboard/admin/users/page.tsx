import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { atLeast } from "~/domain/accounts/shared";
import { listChoices, listPeople, listScopeOf } from "~/domain/people/index.server";
import { placeWord } from "~/http/body/list-order";
import { currentLegalVersion } from "~/legal/index.server";
import { LinkButton } from "~/ui/Button";
import { ColumnChoice, DataTable } from "~/ui/lists/DataTable";
import { useFilters } from "~/ui/lists/filters";
import { useFileAddress, usePages } from "~/ui/lists/list-address";
import { CsvLink, FilterBar, Pager } from "~/ui/lists/list-parts";
import type { PageHandle } from "~/ui/page-handle";
import { EmptyState, PageHeader, Section } from "~/ui/page-parts";
import type { Route } from "./+types/page";
import { PEOPLE_FILTERS } from "./filters";
import { PAGE_SIZE, PeopleQuery } from "./list-query.server";
import { PEOPLE_BULK, PeopleBulk } from "./PeopleBulk";
import { usePeopleColumns } from "./PeopleTable";

export const handle: PageHandle = { hydrate: false };

export const loader = pageLoader({ allow: "department_admin", query: PeopleQuery }, async ({ actor, query }) => {
  const organisationId = actor.adminOrganisationId ?? query.filter.organisationId ?? null;
  const [{ people, next }, choices] = await Promise.all([
    listPeople(db(), actor, { ...query, limit: PAGE_SIZE }),
    listChoices(db(), actor, organisationId),
  ]);
  const reach = listScopeOf(actor)?.kind ?? "department";
  const termsVersion = currentLegalVersion();
  const place = next === null ? null : placeWord(next);
  const moves = atLeast(actor.role, "org_admin");
  return { people, next: place, sorted: query.sorted, ...choices, reach, termsVersion, moves, me: actor.userId };
});

export default function People({ loaderData: view }: Route.ComponentProps) {
  const { t } = useTranslation("admin");
  const columns = usePeopleColumns(view.reach === "everything");
  const filters = useFilters(PEOPLE_FILTERS, view);
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
        filters={filters}
        clear="/dashboard/admin/users"
        aside={
          <>
            <ColumnChoice name="people" columns={columns} />
            <CsvLink to={file} />
          </>
        }
      />
      <Section flush>
        <DataTable
          name="people"
          caption={t("people.table")}
          columns={columns}
          rows={view.people}
          rowKey={(person) => person.id}
          sorted={view.sorted}
          select={{ form: PEOPLE_BULK, label: ({ name, email }) => name || email, allowed: ({ id }) => id !== view.me }}
          panel
          empty={
            filters.chips.length > 0 ? (
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
        {view.people.length > 0 ? <PeopleBulk departments={view.moves ? view.departments : []} /> : null}
        <Pager
          {...usePages(view.next)}
          shown={view.people.length === 0 ? null : t("people.count", { count: view.people.length })}
        />
      </Section>
    </>
  );
}
