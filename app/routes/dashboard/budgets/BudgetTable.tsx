import { ChevronDown, ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { href, Link, useSearchParams } from "react-router";
import type { RefusedForm } from "~/access/flash.server";
import { BudgetGauge } from "~/ui/BudgetGauge";
import { LinkButton } from "~/ui/Button";
import { classNames } from "~/ui/class-names";
import { Money, RelativeTime } from "~/ui/Figures";
import { moneyText, percentText } from "~/ui/format";
import { Gauge } from "~/ui/Gauge";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { addressWith, usePages } from "~/ui/lists/list-address";
import { Pager } from "~/ui/lists/list-parts";
import { Badge, type BadgeKind, EmptyState } from "~/ui/page-parts";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { LimitField } from "./LimitField";
import type { BudgetPageRow, BudgetPageView } from "./list.server";
import { TooSmall } from "./TooSmall";

/** The budgets as a tree, or those that match a filter. */
export function BudgetTable({ view, refused }: { view: BudgetPageView; refused: RefusedForm | null }) {
  const { t } = useTranslation("budgetTree");
  const [query] = useSearchParams();
  return (
    <>
      <DataTable
        name="budgets"
        caption={t("list")}
        columns={useBudgetColumns(view, refused)}
        rows={view.rows}
        rowKey={refOf}
        sorted={query.get("sort") || "name"}
        empty={
          <EmptyState
            title={t("empty.title")}
            action={<LinkButton to={href("/dashboard/budgets")}>{t("empty.clear")}</LinkButton>}
          >
            {t("empty.text")}
          </EmptyState>
        }
      />
      <Pager {...usePages(view.next)} listed />
    </>
  );
}

const refOf = ({ kind, id }: Pick<BudgetPageRow, "kind" | "id">) => `${kind}-${id}`;

function useBudgetColumns(view: BudgetPageView, refused: RefusedForm | null): Column<BudgetPageRow>[] {
  const { t } = useTranslation("budgetTree");
  return [
    { id: "name", header: t("col.name"), sort: "name", cell: (row) => <Name row={row} view={view} /> },
    {
      id: "limit",
      header: t("col.limit"),
      sort: "limit",
      cell: (row) => {
        const isRefused = refused?.sent.kind === row.kind && refused.sent.id === String(row.id);
        return <LimitField row={row} isOpen={view.edit === refOf(row)} refused={isRefused ? refused : null} />;
      },
    },
    { id: "spent", header: t("col.spent"), sort: "spent", cell: (row) => <Spent row={row} /> },
    {
      id: "left",
      header: t("col.left"),
      align: "end",
      sort: "left",
      cell: ({ budget }) => <Money nano={budget?.availableNanoUsd ?? null} />,
    },
    { id: "forecast", header: t("col.forecast"), sort: "risk", cell: (row) => <ForecastOf row={row} /> },
  ];
}

/** Indentation by depth; the page's policy refuses inline styles. */
const INDENT = ["", "pl-5", "pl-10", "pl-15"];

function Name({ row, view }: { row: BudgetPageRow; view: BudgetPageView }) {
  const { t } = useTranslation("budgetTree");
  const { name, kind, depth, more, children } = row;
  const to = pageOf(row, view.administers);
  const below = [t(`kind.${kind}`), ...(view.isTree ? [] : placeOf(row))].join(" · ");
  return (
    <div className={classNames("flex min-w-44 max-w-80 items-start gap-1", INDENT[Math.min(depth, INDENT.length - 1)])}>
      {view.isTree ? <Toggle row={row} view={view} /> : null}
      <div className="grid min-w-0 gap-0.5">
        {to === null ? (
          <span className="truncate font-strong" title={name}>
            {name}
          </span>
        ) : (
          <Link to={to} className="truncate font-strong hover:text-accent" title={name}>
            {name}
          </Link>
        )}
        <span className="truncate text-2xs text-ink-3">{below}</span>
        <Notes row={row} />
        {more ? (
          <Link to={`?at=${refOf(row)}`} className="link text-xs">
            {t("all", { count: children })}
          </Link>
        ) : null}
      </div>
    </div>
  );
}

/** The owners above a row of a list. */
const placeOf = ({ owner, project, department, organisation, kind }: BudgetPageRow): string[] =>
  [owner?.name, project?.name, department?.name, kind === "organisation" ? null : organisation.name].filter(
    (name) => name !== null && name !== undefined,
  );

function pageOf({ kind, id }: BudgetPageRow, administers: boolean): string | null {
  if (kind === "key") return `/dashboard/keys/${id}`;
  if (kind === "user") return administers ? `/dashboard/admin/users/${id}` : null;
  if (kind === "project" && administers) return `/dashboard/admin/projects/${id}`;
  return `?at=${kind}-${id}`;
}

function Toggle({ row, view: { open } }: { row: BudgetPageRow; view: BudgetPageView }) {
  const { t } = useTranslation("budgetTree");
  const [query] = useSearchParams();
  const ref = refOf(row);
  const isListed = open.includes(ref);
  const Sign = row.isOpen ? ChevronDown : ChevronRight;
  if (row.children === 0 || (row.isOpen && !isListed))
    return (
      <span className="inline-block size-5 shrink-0">{row.isOpen ? <Sign size={15} aria-hidden="true" /> : null}</span>
    );
  const next = isListed ? open.filter((each) => each !== ref) : [...open, ref].slice(-10);
  return (
    <Link
      to={addressWith(query, { open: next.length === 0 ? "none" : next.join(",") })}
      preventScrollReset
      aria-label={t(row.isOpen ? "close" : "open", { name: row.name })}
      aria-expanded={row.isOpen}
      className="inline-flex size-5 shrink-0 items-center text-ink-3 hover:text-ink"
    >
      <Sign size={15} aria-hidden="true" />
    </Link>
  );
}

const BADGES: Partial<Record<BudgetPageRow["state"], BadgeKind>> = { out: "bad", runs_out: "held", near: "held" };

function Notes({ row: { id, kind, state, below, tooSmall, isEditable } }: { row: BudgetPageRow }) {
  const { t } = useTranslation("budgetTree");
  const { language } = useDocumentFacts();
  const badge = BADGES[state];
  const text = (nano: bigint) => moneyText(nano, language);
  return (
    <>
      {badge === undefined || tooSmall !== null ? null : (
        <span>
          <Badge kind={badge}>{t(`state.${state}`)}</Badge>
        </span>
      )}
      {tooSmall === null || kind !== "key" ? null : (
        <TooSmall
          keyId={id}
          maxCostNanoUsd={tooSmall.maxCostNanoUsd}
          raise={isEditable ? `?edit=key-${id}` : null}
          mayShorten={isEditable}
        />
      )}
      {below === null || below.overNanoUsd === 0n ? null : (
        <span className="whitespace-normal text-held-ink text-xs">
          {t("over", { sum: text(below.sumNanoUsd), over: text(below.overNanoUsd) })}
        </span>
      )}
    </>
  );
}

function Spent({ row: { budget, share, isShown } }: { row: BudgetPageRow }) {
  const { t } = useTranslation("budgetTree");
  const { language } = useDocumentFacts();
  if (!isShown && share !== null) {
    const used = t("used", { share: percentText(share.spent + share.held, language) });
    return (
      <div className="grid min-w-32 gap-1">
        <span className="tabular-nums">{used}</span>
        <Gauge spent={share.spent} held={share.held} label={used} />
      </div>
    );
  }
  if (budget === null) return <span className="text-ink-3">–</span>;
  const { spentNanoUsd, heldNanoUsd, limitNanoUsd, resetsAt } = budget;
  return (
    <div className="grid min-w-40 gap-0.5">
      <BudgetGauge small spentNano={spentNanoUsd} heldNano={heldNanoUsd} limitNano={limitNanoUsd} />
      <span className="flex flex-wrap gap-x-3 text-2xs text-ink-3">
        {heldNanoUsd > 0n ? <span>{t("held", { amount: moneyText(heldNanoUsd, language) })}</span> : null}
        <span>
          {t("resets")} <RelativeTime at={resetsAt} />
        </span>
      </span>
    </div>
  );
}

function ForecastOf({ row: { forecast, budget, state } }: { row: BudgetPageRow }) {
  const { t } = useTranslation("budgetTree");
  const { language } = useDocumentFacts();
  if (budget === null) return <span className="text-ink-3">–</span>;
  if (forecast === null) return <span className="text-ink-3">{t("noPace")}</span>;
  return (
    <span className="grid gap-0.5">
      <span className="tabular-nums">{t("byEnd", { amount: moneyText(forecast.endNanoUsd, language) })}</span>
      {budget.limitNanoUsd === null || state === "out" ? null : (
        <span className={forecast.runsOutAt === null ? "text-2xs text-ink-3" : "text-held-ink text-xs"}>
          {forecast.runsOutAt === null ? (
            t("lasts")
          ) : (
            <>
              {t("runsOut")} <RelativeTime at={forecast.runsOutAt} />
            </>
          )}
        </span>
      )}
    </span>
  );
}
