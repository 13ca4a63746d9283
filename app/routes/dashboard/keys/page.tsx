import { useTranslation } from "react-i18next";
import { href, useSearchParams } from "react-router";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/db.server";
import { KEY_STATUSES } from "~/domain/keys/shared";
import { LinkButton } from "~/ui/Button";
import { ColumnChoice } from "~/ui/DataTable";
import { type Chip, CsvLink, FilterBar } from "~/ui/list-parts";
import type { PageHandle } from "~/ui/page-handle";
import { EmptyState, PageHeader, Section } from "~/ui/page-parts";
import type { Route } from "./+types/page";
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
  const chips = useChips(view);
  const kept = useKept();
  const file = useFileAddress();
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
        keep={kept}
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

function Filters({ view }: { view: Route.ComponentProps["loaderData"] }) {
  const { t } = useTranslation("keys");
  const [query] = useSearchParams();
  const choice = ({
    name,
    label,
    first,
    options,
  }: {
    name: string;
    label: string;
    first: string;
    options: readonly (readonly [string, string])[];
  }) => (
    <select
      key={`${name}-${query.get(name) ?? ""}`}
      name={name}
      aria-label={label}
      defaultValue={query.get(name) ?? ""}
      className="field field-select w-auto max-w-56"
    >
      <option value="">{first}</option>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
  return (
    <>
      <input
        key={query.get("q") ?? ""}
        type="search"
        name="q"
        aria-label={t("list.search")}
        placeholder={t("list.search")}
        defaultValue={query.get("q") ?? ""}
        className="field w-64"
      />
      {choice({
        name: "status",
        label: t("list.status"),
        first: t("list.anyStatus"),
        options: KEY_STATUSES.map((status) => [status, t(`status.${status}`)]),
      })}
      {view.others
        ? choice({
            name: "owner",
            label: t("list.owner"),
            first: t("list.anyOwner"),
            options: view.people.map(({ id, name }) => [String(id), name]),
          })
        : null}
      {view.projects.length > 0
        ? choice({
            name: "project",
            label: t("list.project"),
            first: t("list.anyProject"),
            options: view.projects.map(({ id, name }) => [String(id), name]),
          })
        : null}
      {choice({
        name: "model",
        label: t("list.model"),
        first: t("list.anyModel"),
        options: view.models.map((id) => [id, id]),
      })}
    </>
  );
}

const FILTERS = ["q", "status", "owner", "project", "model"] as const;

function useChips(view: Route.ComponentProps["loaderData"]): Chip[] {
  const { t } = useTranslation("keys");
  const [query] = useSearchParams();
  const words: Record<(typeof FILTERS)[number], [string, (value: string) => string]> = {
    q: [t("list.name"), (value) => value],
    status: [t("list.status"), (value) => t(`status.${value as "active"}`)],
    owner: [t("list.owner"), (value) => view.people.find(({ id }) => String(id) === value)?.name ?? `#${value}`],
    project: [t("list.project"), (value) => view.projects.find(({ id }) => String(id) === value)?.name ?? `#${value}`],
    model: [t("list.model"), (value) => value],
  };
  return FILTERS.flatMap((name) => {
    const value = query.get(name);
    if (!value) return [];
    const rest = new URLSearchParams(query);
    rest.delete(name);
    rest.delete("after");
    const [label, text] = words[name];
    return [{ label, value: text(value), without: `?${rest}` }];
  });
}

/** The order stays when filters change. */
function useKept(): Record<string, string> {
  const [query] = useSearchParams();
  const sort = query.get("sort");
  return sort ? { sort } : {};
}

function useFileAddress(): string {
  const [query] = useSearchParams();
  const rest = new URLSearchParams(query);
  rest.delete("after");
  return `/dashboard/keys/export?${rest}`;
}
