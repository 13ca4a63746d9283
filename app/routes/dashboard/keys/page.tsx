import { useTranslation } from "react-i18next";
import { href, useSearchParams } from "react-router";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { KEY_STATUSES } from "~/domain/keys/shared";
import { LinkButton } from "~/ui/Button";
import { FilterInput, FilterSelect } from "~/ui/forms/FilterFields";
import { ColumnChoice } from "~/ui/lists/DataTable";
import { useChips, useFileAddress } from "~/ui/lists/list-address";
import { type Chip, CsvLink, FilterBar } from "~/ui/lists/list-parts";
import type { PageHandle } from "~/ui/page-handle";
import { EmptyState, PageHeader, Section } from "~/ui/page-parts";
import type { Route } from "./+types/page";
import { KeyTable, useKeyColumns } from "./KeyTable";
import { type KeyListView, readKeyList } from "./list.server";
import { KeyListQuery } from "./list-query.server";

export const handle: PageHandle = { hydrate: false };

export const loader = pageLoader({ allow: "viewer", query: KeyListQuery }, ({ actor, query }) =>
  readKeyList(db(), actor, query),
);

export default function Keys({ loaderData: view }: Route.ComponentProps) {
  const { t } = useTranslation("keys");
  const columns = useKeyColumns(view);
  const chips = useKeyChips(view);
  const file = useFileAddress("/dashboard/keys/export");
  const [query] = useSearchParams();
  const sort = query.get("sort");
  const { active, suspended, expired, revoked } = view.counts;
  const all = active + suspended + expired + revoked;
  const create = view.makes ? (
    <LinkButton to={href("/dashboard/keys/new")} kind="primary">
      {t("create")}
    </LinkButton>
  ) : null;
  if (all === 0) {
    return (
      <>
        <PageHeader title={t("title")} sub={t("subtitle")} />
        <Section>
          <EmptyState title={t("empty.title")} action={create}>
            {view.makes ? t("empty.text") : t("empty.viewerText")}
          </EmptyState>
        </Section>
      </>
    );
  }
  return (
    <>
      <PageHeader title={t("title")} sub={t("subtitle")} actions={create} />
      <FilterBar
        chips={chips}
        clear="/dashboard/keys"
        keep={sort ? { sort } : {}}
        aside={
          <>
            <ColumnChoice name="keys" columns={columns} />
            <CsvLink to={file} />
          </>
        }
      >
        <Filters view={view} />
      </FilterBar>
      <Section flush title={t("list.count", { active, all })}>
        <KeyTable view={view} columns={columns} />
      </Section>
    </>
  );
}

function Filters({ view }: { view: KeyListView }) {
  const { t } = useTranslation("keys");
  return (
    <>
      <FilterInput name="q" label={t("list.search")} wide />
      <FilterSelect
        name="status"
        label={t("list.status")}
        first={t("list.anyStatus")}
        options={KEY_STATUSES.map((status) => [status, t(`status.${status}`)])}
      />
      {view.others ? (
        <FilterSelect
          name="owner"
          label={t("list.owner")}
          first={t("list.anyOwner")}
          options={view.people.map(({ id, name }) => [String(id), name])}
        />
      ) : null}
      {view.projects.length > 0 ? (
        <FilterSelect
          name="project"
          label={t("list.project")}
          first={t("list.anyProject")}
          options={view.projects.map(({ id, name }) => [String(id), name])}
        />
      ) : null}
      <FilterSelect
        name="model"
        label={t("list.model")}
        first={t("list.anyModel")}
        options={view.models.map((id) => [id, id])}
      />
    </>
  );
}

function useKeyChips({ people, projects }: KeyListView): Chip[] {
  const { t } = useTranslation("keys");
  const nameIn = (named: readonly { id: number; name: string }[]) => (value: string) =>
    named.find(({ id }) => String(id) === value)?.name ?? `#${value}`;
  const itself = (value: string) => value;
  return useChips({
    q: [t("list.name"), itself],
    status: [t("list.status"), (value) => t(`status.${value as "active"}`)],
    owner: [t("list.owner"), nameIn(people)],
    project: [t("list.project"), nameIn(projects)],
    model: [t("list.model"), itself],
  });
}
