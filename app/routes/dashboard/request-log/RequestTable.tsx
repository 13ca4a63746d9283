import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { LoggedRequest } from "~/domain/request-log/shared";
import { CopyText } from "~/ui/CopyText";
import { Duration, Money, RelativeTime, Tokens } from "~/ui/Figures";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { Badge, EmptyState } from "~/ui/page-parts";
import { RegionLock } from "~/ui/RegionLock";
import { OutcomeBadge } from "./OutcomeBadge";

/** Name under which the browser stores the choice of columns of finished calls. */
export const REQUEST_LOG = "request-log";

/** Finished calls, newest first, each with a link to its details. */
export function RequestTable({
  requests,
  columns,
  filtered,
  sorted,
}: {
  requests: readonly LoggedRequest[];
  columns: readonly Column<LoggedRequest>[];
  filtered: boolean;
  sorted: string;
}) {
  const { t } = useTranslation("requestLog");
  return (
    <DataTable
      name={REQUEST_LOG}
      caption={t("table")}
      rows={requests}
      rowKey={({ requestId }) => requestId}
      sorted={sorted}
      panel
      columns={columns}
      empty={
        <EmptyState title={filtered ? t("nothing") : t("empty")}>
          {filtered ? t("nothingText") : t("emptyText")}
        </EmptyState>
      }
    />
  );
}

/** Columns of finished calls, for the table and for the choice of columns. */
export function useRequestColumns(timeZone: string): Column<LoggedRequest>[] {
  const { t } = useTranslation("requestLog");
  const end = "end" as const;
  return [
    {
      id: "time",
      header: t("col.time"),
      sort: "time",
      first: "desc",
      cell: ({ requestId, startedAt }) => (
        <Link to={`/dashboard/request-log/${requestId}`} className="font-strong hover:text-accent">
          <RelativeTime at={startedAt} timeZone={timeZone} />
        </Link>
      ),
    },
    {
      id: "outcome",
      header: t("col.outcome"),
      optional: true,
      cell: (request) => <OutcomeBadge request={request} />,
    },
    {
      id: "model",
      header: t("col.model"),
      optional: true,
      cell: ({ model, requestedModel }) => {
        const text = requestedModel === model || model === "" ? requestedModel : `${requestedModel} → ${model}`;
        return (
          <span className="block max-w-56 truncate" title={text}>
            {text}
          </span>
        );
      },
    },
    {
      id: "cost",
      header: t("col.cost"),
      sort: "cost",
      optional: true,
      align: end,
      cell: ({ chargedNanoUsd }) => <Money nano={chargedNanoUsd} />,
    },
    {
      id: "tokens",
      header: t("col.tokens"),
      sort: "tokens",
      optional: true,
      align: end,
      cell: ({ inputTokens, outputTokens }) => (
        <>
          <Tokens count={inputTokens} /> / <Tokens count={outputTokens} />
        </>
      ),
    },
    {
      id: "latency",
      header: t("col.latency"),
      sort: "latency",
      optional: true,
      align: end,
      cell: ({ firstByteMs, latencyMs }) => (
        <>
          {firstByteMs === null ? "–" : <Duration ms={firstByteMs} />} / <Duration ms={latencyMs} />
        </>
      ),
    },
    {
      id: "key",
      header: t("col.key"),
      optional: true,
      cell: ({ keyId, keyName, userId, userName }) => (
        <span className="block max-w-36 truncate" title={[keyName, userName].filter(Boolean).join(" · ")}>
          <Link to={`?key=${keyId}`} className="hover:text-accent">
            {keyName}
          </Link>{" "}
          {userId === null ? null : (
            <Link to={`?user=${userId}`} className="text-ink-3 hover:text-accent">
              {userName}
            </Link>
          )}
        </span>
      ),
    },
    {
      id: "supplier",
      header: t("col.supplier"),
      optional: "off",
      cell: ({ supplier, region, attempts, lockedTo, notCharged }) => (
        <>
          {supplier === "" ? "–" : `${supplier} · ${region}`} {lockedTo === null ? null : <RegionLock to={lockedTo} />}{" "}
          {attempts > 1 ? <Badge kind="held">{t("attempts", { count: attempts })}</Badge> : null}{" "}
          {notCharged === "sandbox" ? <Badge>{t("notCharged")}</Badge> : null}
        </>
      ),
    },
    {
      id: "department",
      header: t("col.department"),
      optional: "off",
      cell: ({ departmentName }) => (
        <span className="block max-w-48 truncate" title={departmentName ?? undefined}>
          {departmentName ?? "–"}
        </span>
      ),
    },
    {
      id: "session",
      header: t("col.session"),
      optional: "off",
      cell: ({ sessionId }) =>
        sessionId === null ? (
          "–"
        ) : (
          <Link
            to={`?${new URLSearchParams({ session: sessionId })}`}
            className="mono block max-w-40 truncate hover:text-accent"
            title={sessionId}
          >
            {sessionId}
          </Link>
        ),
    },
    {
      id: "cached",
      header: t("col.cached"),
      sort: "cached",
      align: end,
      optional: "off",
      cell: ({ cachedInputTokens }) => <Tokens count={cachedInputTokens} />,
    },
    {
      id: "reasoning",
      header: t("col.reasoning"),
      sort: "reasoning",
      align: end,
      optional: "off",
      cell: ({ reasoningTokens }) => <Tokens count={reasoningTokens} />,
    },
    {
      id: "settled",
      header: t("col.settled"),
      optional: "off",
      cell: ({ settledAt }) => <RelativeTime at={settledAt} timeZone={timeZone} />,
    },
    {
      id: "request",
      header: t("col.request"),
      optional: "off",
      cell: ({ requestId }) => <CopyText text={requestId} what={t("filter.request")} />,
    },
  ];
}
