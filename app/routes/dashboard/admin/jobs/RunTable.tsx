import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { JobRunView } from "~/jobs/shared";
import { DateTime, Duration } from "~/ui/Figures";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { Badge } from "~/ui/page-parts";
import { useJobLabels } from "./JobTable";
import { Result } from "./Result";

/** Runs that handled items, failed or were started manually. */
export function RunTable({ runs, empty }: { runs: readonly JobRunView[]; empty: ReactNode }) {
  const { t } = useTranslation("jobs");
  const labels = useJobLabels();
  const columns: Column<JobRunView>[] = [
    { id: "started", header: t("runs.col.started"), cell: ({ startedAt }) => <DateTime at={startedAt} /> },
    {
      id: "job",
      header: t("runs.col.job"),
      cell: ({ job, requested }) => (
        <span className="flex items-center gap-2">
          {labels(job).name}
          {requested ? <Badge>{t("runs.byHand")}</Badge> : null}
        </span>
      ),
    },
    { id: "result", header: t("runs.col.result"), wrap: true, cell: (run) => <Result {...run} /> },
    {
      id: "duration",
      header: t("runs.col.duration"),
      align: "end",
      cell: ({ startedAt, finishedAt }) => <Duration ms={finishedAt.getTime() - startedAt.getTime()} />,
    },
    { id: "process", header: t("runs.col.process"), cell: ({ process }) => <code>{process}</code> },
  ];
  return (
    <DataTable
      name="job-runs"
      caption={t("runs.table")}
      columns={columns}
      rows={runs}
      rowKey={({ id }) => String(id)}
      empty={empty}
    />
  );
}
