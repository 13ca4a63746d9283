import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { QualityGroup } from "~/domain/usage/shared";
import { Count, Duration, Percent } from "~/ui/Figures";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { EmptyState } from "~/ui/page-parts";
import type { QualityAnswer } from "./view.server";

type Figure = Exclude<keyof QualityAnswer, "model" | "supplier">;

const SHARES = ["complete", "empty", "truncated", "client_abort", "failed", "retried"] as const;
const COUNTS = ["rate_limited", "timed_out", "unavailable", "refused"] as const;
const TIMES = ["latency_p50_ms", "latency_p95_ms", "first_byte_p50_ms"] as const;
const OPTIONAL: ReadonlySet<string> = new Set(["client_abort", ...COUNTS, "first_byte_p50_ms"]);

/** One row per group, largest first. */
export function QualityTable({ rows, group }: { rows: QualityAnswer[]; group: QualityGroup }) {
  const { t } = useTranslation("quality");
  const name = (id: "model" | "supplier"): Column<QualityAnswer> => ({
    id,
    header: t(`col.${id}`),
    value: (row) => row[id],
    cell: (row) => <span className="font-strong">{row[id]}</span>,
  });
  const header = (id: "requests" | (typeof SHARES)[number] | (typeof COUNTS)[number] | (typeof TIMES)[number]) =>
    t(`col.${id}`);
  const figure = (field: Figure, id: Parameters<typeof header>[0], show: (value: number) => ReactNode) => ({
    id,
    header: header(id),
    align: "end" as const,
    optional: OPTIONAL.has(id),
    value: (row: QualityAnswer) => row[field],
    cell: (row: QualityAnswer) => {
      const value = row[field];
      return value === null ? <span className="text-ink-3">–</span> : show(value);
    },
  });
  return (
    <DataTable
      name="quality"
      caption={t("table.title")}
      rows={rows}
      rowKey={({ model, supplier }) => `${model} ${supplier}`}
      columns={[
        ...(group === "supplier" ? [] : [name("model")]),
        ...(group === "model" ? [] : [name("supplier")]),
        figure("requests", "requests", (value) => <Count value={value} />),
        ...SHARES.map((id) => figure(`${id}_share`, id, (value) => <Percent share={value} />)),
        ...COUNTS.map((id) => figure(id, id, (value) => <Count value={value} />)),
        ...TIMES.map((id) => figure(id, id, (value) => <Duration ms={value} />)),
      ]}
      empty={<EmptyState title={t("empty")}>{t("emptyText")}</EmptyState>}
    />
  );
}
