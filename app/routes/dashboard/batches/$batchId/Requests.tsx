import { useTranslation } from "react-i18next";
import { href, Link } from "react-router";
import type { BatchRequest } from "~/domain/request-log/shared";
import { Money, RelativeTime, Tokens } from "~/ui/Figures";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { OutcomeBadge } from "../../request-log/OutcomeBadge";

/** The newest calls of a batch, each with a link to its details. */
export function BatchRequests({ requests }: { requests: readonly BatchRequest[] }) {
  const { t } = useTranslation(["batches", "requestLog"]);
  const end = "end" as const;
  const columns: Column<BatchRequest>[] = [
    {
      id: "time",
      header: t("requestLog:col.time"),
      cell: ({ requestId, startedAt }) => (
        <Link to={href("/dashboard/request-log/:requestId", { requestId })} className="font-strong hover:text-accent">
          <RelativeTime at={startedAt} />
        </Link>
      ),
    },
    { id: "outcome", header: t("requestLog:col.outcome"), cell: (request) => <OutcomeBadge request={request} /> },
    { id: "model", header: t("requestLog:col.model"), cell: ({ model }) => model },
    {
      id: "tokens",
      header: t("requests.tokens"),
      align: end,
      cell: ({ inputTokens, outputTokens }) => <Tokens count={inputTokens + outputTokens} />,
    },
    { id: "cost", header: t("col.cost"), align: end, cell: ({ chargedNanoUsd }) => <Money nano={chargedNanoUsd} /> },
  ];
  return (
    <DataTable
      name="batch-requests"
      caption={t("requests.title")}
      rows={requests}
      rowKey={({ requestId }) => requestId}
      columns={columns}
      empty={<p className="text-ink-2">{t("requests.empty")}</p>}
    />
  );
}
