import { useTranslation } from "react-i18next";
import { href, Link, useSearchParams } from "react-router";
import { refusedFormOf } from "~/access/flash.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { listConversations } from "~/domain/conversations/index.server";
import type { ConversationView } from "~/domain/conversations/shared";
import { readConversationSettings } from "~/domain/organisations/index.server";
import { Count, DateTime } from "~/ui/Figures";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { useFilters } from "~/ui/lists/filters";
import { useFileAddress, usePages } from "~/ui/lists/list-address";
import { CsvLink, FilterBar, Pager } from "~/ui/lists/list-parts";
import type { PageHandle } from "~/ui/page-handle";
import { EmptyState, PageHeader, Section } from "~/ui/page-parts";
import { ownOrganisation } from "../organisation/own-organisation";
import type { Route } from "./+types/page";
import { CONVERSATION_FILTERS } from "./filters";
import { ConversationQuery, filterOf } from "./query.server";
import { StorageForm } from "./StorageForm";

export const handle: PageHandle = { hydrate: false };

const PAGE_SIZE = 50;

export const loader = pageLoader(
  { allow: "org_admin", query: ConversationQuery },
  async ({ actor, query, context }) => {
    const organisationId = ownOrganisation(actor);
    const listQuery = { filter: filterOf(query), beforeId: query.after ?? null, limit: PAGE_SIZE };
    const [list, settings] = await Promise.all([
      listConversations(db(), actor, listQuery),
      readConversationSettings(db(), organisationId),
    ]);
    return {
      ...list,
      organisationId,
      settings,
      refused: refusedFormOf(context, "/dashboard/admin/conversations/settings"),
    };
  },
);

export default function Conversations({ loaderData: view }: Route.ComponentProps) {
  const { t } = useTranslation("conversations");
  const [query] = useSearchParams();
  const filters = useFilters(CONVERSATION_FILTERS, view);
  const { conversations, nextBeforeId, isWhole, settings } = view;
  const file = useFileAddress("/dashboard/admin/conversations/export");
  return (
    <>
      <PageHeader title={t("title")} sub={t("subtitle")} />
      <FilterBar
        filters={filters}
        clear="/dashboard/admin/conversations"
        aside={conversations.length > 0 && !query.get("q") ? <CsvLink to={file} /> : null}
      />
      <Section title={t("list.title")} flush={conversations.length > 0}>
        <DataTable
          name="conversations"
          caption={t("list.title")}
          rows={conversations}
          rowKey={({ id }) => id}
          columns={useColumns()}
          empty={<EmptyState title={t("empty")}>{t(settings === null ? "emptyOff" : "emptyOn")}</EmptyState>}
        />
        <Pager older={usePages(nextBeforeId).older} shown={isWhole ? null : t("searched")} />
      </Section>
      <StorageForm {...{ settings, organisationId: view.organisationId, refused: view.refused }} />
    </>
  );
}

function useColumns(): Column<ConversationView>[] {
  const { t } = useTranslation("conversations");
  return [
    {
      id: "started",
      header: t("col.started"),
      cell: ({ id, startedAt }) => (
        <Link
          to={href("/dashboard/admin/conversations/:convId", { convId: String(id) })}
          className="font-strong hover:text-accent"
        >
          <DateTime at={startedAt} />
        </Link>
      ),
    },
    { id: "last", header: t("col.last"), optional: true, cell: ({ lastAt }) => <DateTime at={lastAt} /> },
    { id: "model", header: t("col.model"), cell: ({ model }) => model },
    { id: "user", header: t("col.user"), cell: ({ userName }) => userName ?? "–" },
    { id: "key", header: t("col.key"), cell: ({ keyName }) => keyName },
    {
      id: "session",
      header: t("col.session"),
      optional: true,
      cell: ({ sessionId }) => <span className="mono max-w-56 truncate">{sessionId ?? "–"}</span>,
    },
    {
      id: "turns",
      header: t("col.turns"),
      align: "end",
      cell: ({ turns }) => <Count value={turns} />,
    },
  ];
}
