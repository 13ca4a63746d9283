import { useTranslation } from "react-i18next";
import type { Measure } from "~/domain/reports/shared";
import type { UsageCounters } from "~/domain/usage/shared";
import { Count, Duration, Money, Tokens } from "~/ui/Figures";
import { dateFormat } from "~/ui/format";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { EmptyState } from "~/ui/page-parts";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { useGroupName } from "../usage/use-group-name";
import type { ReportView } from "./view.server";

type Row = ReportView["rows"][number];

/** The answer of a report: dimensions, measures and totals. */
export function ReportTable({ view, name }: { view: ReportView; name: string }) {
  const { t } = useTranslation(["reports", "usage"]);
  const dimensions = useDimensions(view);
  const measures = view.measures.map((measure): Column<Row> => {
    const cell = (row: UsageCounters) => <Measured of={row} as={measure} />;
    return { id: measure, header: t(`measure.${measure}`), align: "end", cell };
  });
  const first = dimensions[0]?.id ?? "";
  const foot = Object.fromEntries(view.measures.map((as) => [as, <Measured key={as} of={view.total} as={as} />]));
  return (
    <>
      <DataTable
        name="report"
        caption={name}
        rows={view.rows}
        rowKey={({ start, group }) => `${start === null ? "" : new Date(start).toISOString()} ${group}`}
        columns={[...dimensions, ...measures]}
        foot={first === "" ? undefined : { [first]: t("usage:table.total"), ...foot }}
        empty={<EmptyState title={t("usage:empty")}>{t("usage:emptyText")}</EmptyState>}
      />
      {view.isCut ? <p className="px-4 py-2.5 text-ink-3">{t("cut", { count: view.rows.length })}</p> : null}
    </>
  );
}

function useDimensions({ group, interval, window }: ReportView): Column<Row>[] {
  const { t } = useTranslation("usage");
  const { language } = useDocumentFacts();
  const nameOf = useGroupName(group ?? "model");
  const at = dateFormat(language, {
    timeZone: window.timeZone,
    dateStyle: "medium",
    ...(interval === "hour" ? { timeStyle: "short" as const } : {}),
  });
  const time: Column<Row> = {
    id: "start",
    header: t("chart.time"),
    cell: ({ start }) => (start === null ? "" : at.format(new Date(start))),
  };
  const named: Column<Row> = {
    id: "group",
    header: group === null ? "" : t(`group.${group}`),
    cell: (row) => (
      <span className="block max-w-56 truncate" title={nameOf(row.group, row.name)}>
        {nameOf(row.group, row.name)}
      </span>
    ),
  };
  return [...(interval === "total" ? [] : [time]), ...(group === null ? [] : [named])];
}

function Measured({ of, as }: { of: UsageCounters; as: Measure }) {
  const average = (total: bigint, count: number) =>
    count === 0 ? <span className="text-ink-3">–</span> : <Duration ms={Number(total) / count} />;
  switch (as) {
    case "charged_usd":
      return <Money nano={of.chargedNanoUsd} />;
    case "requests":
      return <Count value={of.requests} />;
    case "errors":
      return <Count value={of.errors} />;
    case "failovers":
      return <Count value={of.failovers} />;
    case "input_tokens":
      return <Tokens count={of.inputTokens} />;
    case "cached_input_tokens":
      return <Tokens count={of.cachedInputTokens} />;
    case "cache_write_tokens":
      return <Tokens count={of.cacheWriteTokens} />;
    case "output_tokens":
      return <Tokens count={of.outputTokens} />;
    case "reasoning_tokens":
      return <Tokens count={of.reasoningTokens} />;
    case "average_latency_ms":
      return average(of.latencyMs, of.requests);
    case "average_first_byte_ms":
      return average(of.firstByteMs, of.firstBytes);
  }
}
