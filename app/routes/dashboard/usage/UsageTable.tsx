import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import type { GroupUsage, UsageCounters } from "~/domain/usage/shared";
import { Count, Duration, Money, Percent, Tokens } from "~/ui/Figures";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { addressWith, requestLogAddress } from "~/ui/lists/list-address";
import { EmptyState } from "~/ui/page-parts";
import { useGroupName } from "./use-group-name";
import type { UsagePageView } from "./view.server";

/** Usage by group, highest cost first. A row links to the page with only this group. */
export function UsageTable({ view: { usage, group, groups: choices, hasMore } }: { view: UsagePageView }) {
  const { t } = useTranslation("usage");
  const [query] = useSearchParams();
  const nameOf = useGroupName(group);
  const next = choices.find((choice) => choice !== group && !query.get(choice)) ?? group;
  const { total, groups, rest, rejected } = usage;
  const figures = useFigures(total.chargedNanoUsd, (row, outcome) =>
    row.group === null || row.group === "" ? null : requestLogAddress(query, { [group]: String(row.group), outcome }),
  );
  const isCounted = groups.some(({ rejections }) => rejections !== null);
  const columns = figures.filter(({ id }) => id !== "rejections" || isCounted);
  const others = rest === null ? null : { ...rest, group: "", name: t("table.rest", { count: rest.count }) };
  const first: Column<GroupUsage> = {
    id: "group",
    header: t(`group.${group}`),
    cell: (row) => {
      const { group: id, name } = row;
      if (row === others && hasMore)
        return (
          <Link to={`${addressWith(query, { groups: "all" })}#breakdown`} className="link">
            {name}
          </Link>
        );
      return id === null || id === "" ? (
        <span className="text-ink-3">{nameOf(id, name)}</span>
      ) : (
        <Link
          to={addressWith(query, { [group]: String(id), group: next })}
          title={nameOf(id, name)}
          className="block max-w-56 truncate font-strong hover:text-accent"
        >
          {nameOf(id, name)}
        </Link>
      );
    },
  };
  const rows: GroupUsage[] = others === null ? groups : [...groups, others];
  return (
    <DataTable
      name="usage"
      caption={t("table.title", { by: t(`by.${group}`) })}
      rows={rows}
      rowKey={({ group: id, name }) => `${id} ${name}`}
      columns={[first, ...columns]}
      foot={{
        group: t("table.total"),
        ...Object.fromEntries(
          columns.map(({ id, cell }) => [
            id,
            cell({ ...total, group: null, name: null, rejections: rejected?.now ?? null }),
          ]),
        ),
      }}
      empty={<EmptyState title={t("empty")}>{t("emptyText")}</EmptyState>}
    />
  );
}

/** `logOf`: address of a row's requests, all or with one outcome; null: the log cannot filter by this group. */
function useFigures(
  spent: bigint,
  logOf: (row: GroupUsage, outcome: string | null) => string | null,
): Column<GroupUsage>[] {
  const { t } = useTranslation("usage");
  const share = (part: number | bigint, total: number | bigint) =>
    Number(total) === 0 ? 0 : Number(part) / Number(total);
  const end = "end" as const;
  const tokens = (id: string, header: string, count: (row: UsageCounters) => bigint): Column<GroupUsage> => ({
    id,
    header,
    align: end,
    optional: true,
    cell: (row) => <Tokens count={count(row)} />,
  });
  const average = (total: bigint, count: number) =>
    count === 0 ? <span className="text-ink-3">–</span> : <Duration ms={Number(total) / count} />;
  return [
    { id: "spend", header: t("table.spend"), align: end, cell: (row) => <Money nano={row.chargedNanoUsd} /> },
    {
      id: "share",
      header: t("table.share"),
      align: end,
      optional: true,
      cell: (row) => <Percent share={share(row.chargedNanoUsd, spent)} />,
    },
    {
      id: "requests",
      header: t("table.requests"),
      align: end,
      cell: (row) => <CountLink count={row.requests} to={logOf(row, null)} />,
    },
    {
      id: "errors",
      header: t("table.errors"),
      align: end,
      cell: (row) => {
        const to = row.errors === 0 ? null : logOf(row, "error");
        const rate = <Percent share={share(row.errors, row.requests)} />;
        if (to === null) return rate;
        return (
          <Link to={to} title={t("table.toRequests")} className="hover:text-accent">
            {rate}
          </Link>
        );
      },
    },
    {
      id: "rejections",
      header: t("table.rejections"),
      align: end,
      cell: (row) =>
        row.rejections === null ? (
          <span className="text-ink-3">–</span>
        ) : (
          <CountLink count={row.rejections} to={logOf(row, "rejected")} />
        ),
    },
    tokens("input", t("table.input"), (row) => row.inputTokens),
    tokens("cached", t("table.cached"), (row) => row.cachedInputTokens),
    tokens("written", t("table.written"), (row) => row.cacheWriteTokens),
    tokens("output", t("table.output"), (row) => row.outputTokens),
    tokens("reasoning", t("table.reasoning"), (row) => row.reasoningTokens),
    {
      id: "latency",
      header: t("table.latency"),
      align: end,
      optional: true,
      cell: (row) => average(row.latencyMs, row.requests),
    },
    {
      id: "firstByte",
      header: t("table.firstByte"),
      align: end,
      optional: true,
      cell: (row) => average(row.firstByteMs, row.firstBytes),
    },
  ];
}

/** A number of requests, linked to them if the log can filter by the group. */
function CountLink({ count, to }: { count: number; to: string | null }) {
  const { t } = useTranslation("usage");
  if (to === null || count === 0) return <Count value={count} />;
  return (
    <Link to={to} title={t("table.toRequests")} className="hover:text-accent">
      <Count value={count} />
    </Link>
  );
}
