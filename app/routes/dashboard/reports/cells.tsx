import { useTranslation } from "react-i18next";
import { href } from "react-router";
import type { ScheduleRun } from "~/domain/reports/shared";

/** A report's name in a table; one that is too long is cut, and whole in its title. */
export function ReportName({ name }: { name: string }) {
  return (
    <span className="block max-w-64 truncate" title={name}>
      {name}
    </span>
  );
}

/** Why an export or a run failed; nothing where it did not. */
export function ProblemNote({ problem }: Pick<ScheduleRun, "problem">) {
  const { t } = useTranslation("reports");
  return problem === null ? null : <span className="ml-2 text-ink-3">{t(`export.problem.${problem}`)}</span>;
}

/** The way to the file of an export that is done. */
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
