import { useTranslation } from "react-i18next";
import type { JobOutcome, JobResult } from "~/jobs/shared";
import { Badge, type BadgeKind } from "~/ui/page-parts";

const KINDS: Readonly<Record<JobResult, BadgeKind>> = {
  succeeded: "good",
  failed: "bad",
  timed_out: "bad",
  interrupted: "plain",
  abandoned: "held",
};

/** Result of a run: the number of handled items, or the error. */
export function Result({ result, handled, error }: Pick<JobOutcome, "result" | "handled" | "error">) {
  const { t } = useTranslation("jobs");
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <Badge kind={KINDS[result]}>{t(`result.${result}`)}</Badge>
      {handled > 0 ? <span className="text-ink-2 tabular-nums">{t("handled", { count: handled })}</span> : null}
      {error ? (
        <span lang="en" className="max-w-80 text-xs text-ink-3 [overflow-wrap:anywhere]">
          {error}
        </span>
      ) : null}
    </span>
  );
}
