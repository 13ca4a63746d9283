import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { JobView } from "~/jobs/shared";
import { ConfirmDialog } from "~/ui/ConfirmDialog";
import { DialogButton } from "~/ui/Dialog";
import { Duration, RelativeTime } from "~/ui/Figures";
import { durationText, intervalText } from "~/ui/format";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { Badge } from "~/ui/page-parts";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { Hidden } from "../Hidden";
import { Result } from "./Result";

/** All jobs with schedule, last run and next run, and a button to run each now. */
export function JobTable({ jobs }: { jobs: readonly JobView[] }) {
  const { t } = useTranslation("jobs");
  const columns = useColumns();
  return (
    <>
      <DataTable name="jobs" caption={t("table")} columns={columns} rows={jobs} rowKey={({ name }) => name} />
      {jobs.map((job) => (
        <RunDialog key={job.name} job={job} />
      ))}
    </>
  );
}

/** Returns the name and description of a job in the reader's language; an unknown job keeps its own name. */
export function useJobLabels(): (name: string) => { name: string; about: string } {
  const { t } = useTranslation("jobs");
  const translate = t as unknown as (key: string, options: { defaultValue: string }) => string;
  return (name) => ({
    name: translate(`job.${name}.name`, { defaultValue: name }),
    about: translate(`job.${name}.about`, { defaultValue: "" }),
  });
}

function useColumns(): Column<JobView>[] {
  const { t } = useTranslation("jobs");
  const { language } = useDocumentFacts();
  const labels = useJobLabels();
  return [
    {
      id: "job",
      header: t("col.job"),
      value: ({ name }) => labels(name).name,
      wrap: true,
      cell: ({ name, scope }) => (
        <div className="grid min-w-52 max-w-96 leading-snug">
          <span className="font-strong">
            {scope === "installation" ? (
              <Link to={`?job=${name}#runs`} className="hover:text-accent">
                {labels(name).name}
              </Link>
            ) : (
              labels(name).name
            )}
          </span>
          <span className="text-xs text-ink-3">{labels(name).about}</span>
        </div>
      ),
    },
    {
      id: "schedule",
      header: t("col.schedule"),
      first: "asc",
      value: ({ everyMs }) => everyMs,
      cell: ({ everyMs, scope }) => (
        <div className="grid leading-snug">
          <span>{t("every", { time: intervalText(everyMs, language) })}</span>
          <span className="text-xs text-ink-3">{t(`scope.${scope}`)}</span>
        </div>
      ),
    },
    {
      id: "last",
      header: t("col.last"),
      value: ({ last }) => last?.finishedAt,
      cell: (job) => <LastRun job={job} />,
    },
    {
      id: "result",
      header: t("col.result"),
      first: "desc",
      value: ({ failures, isLate, last }) => failures * 2 + Number(isLate) + Number(last?.error != null),
      wrap: true,
      cell: (job) => <JobState job={job} />,
    },
    {
      id: "next",
      header: t("col.next"),
      first: "asc",
      value: ({ nextRunAt }) => nextRunAt,
      cell: (job) => <NextRun job={job} />,
    },
    {
      id: "actions",
      header: <Hidden>{t("col.actions")}</Hidden>,
      align: "end",
      cell: ({ name }) => (
        <DialogButton dialog={`run-${name}`} small>
          {t("run")}
        </DialogButton>
      ),
    },
  ];
}

function LastRun({ job: { last } }: { job: JobView }) {
  const { t } = useTranslation("jobs");
  if (last === null) return <span className="text-ink-3">{t("never")}</span>;
  return (
    <div className="grid leading-snug">
      <RelativeTime at={last.finishedAt} />
      <span className="text-xs text-ink-3">
        <Duration ms={last.finishedAt.getTime() - last.startedAt.getTime()} />
      </span>
    </div>
  );
}

function JobState({ job: { last, failures, isLate } }: { job: JobView }) {
  const { t } = useTranslation("jobs");
  return (
    <div className="grid gap-1 leading-snug">
      <span className="flex flex-wrap items-center gap-1.5">
        {last === null ? (
          <span className="text-ink-3">–</span>
        ) : (
          <Result result={last.result} handled={last.handled} error={last.error} />
        )}
        {isLate ? <Badge kind="bad">{t("late")}</Badge> : null}
      </span>
      {failures > 1 ? <span className="text-xs text-ink-3">{t("failures", { count: failures })}</span> : null}
    </div>
  );
}

function NextRun({ job: { runningSince, nextRunAt } }: { job: JobView }) {
  const { t } = useTranslation("jobs");
  const { language } = useDocumentFacts();
  if (runningSince !== null) {
    const time = durationText(Math.max(0, Date.now() - runningSince.getTime()), language);
    return (
      <span className="flex flex-wrap items-center gap-1.5">
        <Badge kind="info">{t("running")}</Badge>
        <span className="text-ink-3">{t("runningFor", { time })}</span>
      </span>
    );
  }
  if (nextRunAt === null) return <span className="text-ink-3">–</span>;
  return nextRunAt.getTime() <= Date.now() ? t("due") : <RelativeTime at={nextRunAt} />;
}

function RunDialog({ job: { name, scope } }: { job: JobView }) {
  const { t } = useTranslation("jobs");
  const labels = useJobLabels();
  return (
    <ConfirmDialog
      id={`run-${name}`}
      title={t("runTitle", { job: labels(name).name })}
      action={`/dashboard/admin/jobs/${name}/run`}
      consequences={scope === "process" ? t("runTextProcess") : t("runText")}
      confirm={t("run")}
      danger={false}
    />
  );
}
