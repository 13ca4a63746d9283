import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { LinkButton } from "~/ui/Button";
import { ColumnChoice } from "~/ui/lists/DataTable";
import { useFilters } from "~/ui/lists/filters";
import { useFileAddress } from "~/ui/lists/list-address";
import { CsvLink, FilterBar } from "~/ui/lists/list-parts";
import type { PageHandle } from "~/ui/page-handle";
import { EmptyState, PageHeader, Section } from "~/ui/page-parts";
import type { Route } from "./+types/page";
import { KEY_FILTERS } from "./filters";
import { KeyTable, useKeyColumns } from "./KeyTable";
import { readKeyList } from "./list.server";
import { KeyListQuery } from "./list-query.server";

export const handle: PageHandle = { hydrate: false };

export const loader = pageLoader({ allow: "viewer", query: KeyListQuery }, ({ actor, query }) =>
  readKeyList(db(), actor, query),
);

export default function Keys({ loaderData: view }: Route.ComponentProps) {
  const { t } = useTranslation("keys");
  const columns = useKeyColumns(view);
  const filters = useFilters(KEY_FILTERS, view);
  const file = useFileAddress("/dashboard/keys/export");
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
        filters={filters}
        clear="/dashboard/keys"
        aside={
          <>
            <ColumnChoice name="keys" columns={columns} />
            <CsvLink to={file} />
          </>
        }
      />
      <Section flush title={t("list.count", { active, all })}>
        <KeyTable view={view} columns={columns} />
      </Section>
    </>
  );
}
