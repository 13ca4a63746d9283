import { useTranslation } from "react-i18next";
import { href } from "react-router";
import type { ScheduleRun } from "~/domain/reports/shared";

/** A report's name in a table; a long one is truncated, with the full name in its tooltip. */
export function ReportName({ name }: { name: string }) {
  return (
    <span className="block max-w-64 truncate" title={name}>
      {name}
    </span>
  );
}

/** The reason why an export or a run failed; renders nothing otherwise. */
export function ProblemNote({ problem }: Pick<ScheduleRun, "problem">) {
  const { t } = useTranslation("reports");
  return problem === null ? null : <span className="ml-2 text-ink-3">{t(`export.problem.${problem}`)}</span>;
}

/** A link to the file of a finished export. */
export function DownloadLink({ exportId, name }: { exportId: string; name: string }) {
  const { t } = useTranslation("reports");
  return (
    <a
      href={href("/dashboard/reports/exports/:jobId/download", { jobId: exportId })}
      download
      aria-label={t("export.downloadOf", { name })}
      className="button button-small"
    >
      {t("export.download")}
    </a>
  );
}
