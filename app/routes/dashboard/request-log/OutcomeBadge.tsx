import { useTranslation } from "react-i18next";
import type { LoggedRequest } from "~/domain/request-log/shared";
import { Badge } from "~/ui/page-parts";
import { useReasons } from "../reasons";

/** The outcome of a call, as a word; the tooltip has the error. */
export function OutcomeBadge({ request }: { request: Pick<LoggedRequest, "outcome" | "status" | "errorCode"> }) {
  const { t } = useTranslation("requestLog");
  const reasonOf = useReasons();
  const { outcome, status, errorCode } = request;
  const kind = outcome === "complete" ? "complete" : FAILED.has(outcome) ? "failed" : "interrupted";
  return (
    <Badge kind={COLOURS[kind]} title={errorCode === null ? undefined : `${errorCode}: ${reasonOf(errorCode)}`}>
      {t(`outcome.${kind}`)}
      {status === 0 || status === 200 ? null : ` · ${status}`}
    </Badge>
  );
}

const FAILED: ReadonlySet<string> = new Set(["error", "not_executed"]);
const COLOURS = { complete: "good", failed: "bad", interrupted: "held" } as const;
