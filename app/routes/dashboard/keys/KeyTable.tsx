import { useTranslation } from "react-i18next";
import { href, Link } from "react-router";
import { BudgetGauge } from "~/ui/BudgetGauge";
import { LinkButton } from "~/ui/Button";
import { Count, Money, RelativeTime } from "~/ui/Figures";
import { relativeText } from "~/ui/format";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { usePages } from "~/ui/lists/list-address";
import { Pager } from "~/ui/lists/list-parts";
import { EmptyState } from "~/ui/page-parts";
import { RegionLock } from "~/ui/RegionLock";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { TooSmall } from "../budgets/TooSmall";
import { KEY_BULK, KeyBulk } from "./KeyBulk";
import { KeyStatusBadge } from "./KeyStatusBadge";
import type { KeyListRow, KeyListView } from "./list.server";
import { SecretHint } from "./SecretHint";

/** Columns of the list of keys. */
export function useKeyColumns(view: KeyListView): Column<KeyListRow>[] {
  const { t } = useTranslation("keys");
  const { language } = useDocumentFacts();
  const muted = (text: string) => <span className="text-ink-3">{text}</span>;
  return [
    {
      id: "name",
      header: t("list.name"),
      sort: "name",
      cell: (key) => (
        <span className="grid min-w-36 max-w-72">
          <Link to={`/dashboard/keys/${key.id}`} className="truncate font-strong hover:text-accent" title={key.name}>
            {key.name}
          </Link>
          <span className="truncate text-2xs text-ink-3">
            <SecretHint of={key} /> {key.kind === "admin" ? `· ${t("kind.admin")}` : null}{" "}
            {key.allowedRegions.length === 0 ? null : <RegionLock to={key.allowedRegions.join(", ")} />}
          </span>
        </span>
      ),
    },
    {
      id: "status",
      header: t("list.status"),
      sort: "status",
      optional: true,
      cell: (key) => <Status of={key} makes={view.makes} />,
    },
    {
      id: "owner",
      header: t("list.owner"),
      sort: "owner",
      optional: true,
      cell: (key) => (
        <span className="grid min-w-32 max-w-52">
          {key.owner === null ? (
            muted(t("list.nobody"))
          ) : (
            <span className="truncate" title={key.owner.email}>
              {key.owner.name}
            </span>
          )}
          <span className="truncate text-2xs text-ink-3">
            {[key.project?.name, key.department?.name].filter(Boolean).join(" · ")}
          </span>
        </span>
      ),
    },
    ...(view.severalOrganisations
      ? [
          {
            id: "organisation",
            header: t("list.organisation"),
            sort: "organisation",
            optional: true,
            cell: (key: KeyListRow) => key.organisation.name,
          },
        ]
      : []),
    {
      id: "budget",
      header: t("list.budget"),
      sort: "spent",
      first: "desc",
      optional: true,
      cell: ({ budget, monthNanoUsd }) =>
        budget === null || budget.limitNanoUsd === null ? (
          <span className="grid">
            <Money nano={budget?.spentNanoUsd ?? monthNanoUsd} />
            <span className="text-2xs text-ink-3">{t("list.noLimit")}</span>
          </span>
        ) : (
          <span
            className="grid min-w-44"
            title={t("budget.resets", { when: relativeText(budget.resetsAt, new Date(), language) })}
          >
            <BudgetGauge
              small
              spentNano={budget.spentNanoUsd}
              heldNano={budget.heldNanoUsd}
              limitNano={budget.limitNanoUsd}
            />
          </span>
        ),
    },
    {
      id: "used",
      header: t("list.lastUsed"),
      sort: "used",
      first: "desc",
      optional: view.severalOrganisations ? "off" : true,
      cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} never={t("list.never")} />,
    },
    {
      id: "month",
      header: t("list.spend30"),
      sort: "month",
      align: "end",
      optional: true,
      cell: ({ monthNanoUsd }) => <Money nano={monthNanoUsd} muted={monthNanoUsd === 0n} />,
    },
    {
      id: "rpm",
      header: t("list.rpm"),
      sort: "rpm",
      align: "end",
      optional: "off",
      cell: ({ rateLimitRpm }) => (rateLimitRpm === null ? muted("–") : <Count value={rateLimitRpm} />),
    },
    {
      id: "created",
      header: t("list.created"),
      sort: "created",
      first: "desc",
      optional: "off",
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
    {
      id: "expires",
      header: t("list.expires"),
      sort: "expires",
      optional: "off",
      cell: ({ expiresAt }) => <RelativeTime at={expiresAt} never={t("list.never")} />,
    },
  ];
}

/** One page of the list of keys, with the acts on selected keys and the link to the next page. */
export function KeyTable({ view, columns }: { view: KeyListView; columns: readonly Column<KeyListRow>[] }) {
  const { t } = useTranslation("keys");
  return (
    <>
      <DataTable
        name="keys"
        caption={t("title")}
        columns={columns}
        rows={view.keys}
        rowKey={({ id }) => id}
        sorted={view.sorted}
        select={view.makes ? { form: KEY_BULK, label: ({ name }) => name } : undefined}
        panel
        empty={
          <EmptyState
            title={t("empty.filteredTitle")}
            action={<LinkButton to={href("/dashboard/keys")}>{t("empty.clear")}</LinkButton>}
          >
            {t("empty.filteredText")}
          </EmptyState>
        }
      />
      {view.makes && view.keys.length > 0 ? <KeyBulk view={view} /> : null}
      <Pager {...usePages(view.next)} />
    </>
  );
}

/** The status of a key; if its budget is too small for one request, with what helps. */
function Status({ of: key, makes }: { of: KeyListRow; makes: boolean }) {
  const { outOfMoney } = key;
  const tooSmall = key.stoppedBy === null ? (outOfMoney?.tooSmall ?? null) : null;
  if (tooSmall === null) return <KeyStatusBadge of={key} outOfMoney={outOfMoney} stacked />;
  return (
    <div className="grid min-w-52 max-w-64 justify-items-start gap-1">
      <KeyStatusBadge of={key} outOfMoney={null} />
      <TooSmall
        keyId={key.id}
        {...tooSmall}
        raise={outOfMoney?.scope === "key" && makes ? `/dashboard/budgets?edit=key-${key.id}` : null}
        mayShorten={makes && key.metadata.fit_output !== "true"}
      />
    </div>
  );
}
