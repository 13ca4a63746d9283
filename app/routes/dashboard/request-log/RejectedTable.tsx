import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { RejectedRequests } from "~/domain/request-log/shared";
import { Count, RelativeTime } from "~/ui/Figures";
import { DataTable } from "~/ui/lists/DataTable";
import { EmptyState } from "~/ui/page-parts";
import { RejectionFix, RejectionSentences } from "../keys/RejectionText";

type Props = {
  rejected: readonly RejectedRequests[];
  timeZone: string;
  /** Whether the chart above counts rejections: their counts are stored for longer than the list. */
  counted: boolean;
};

/** Requests that were rejected before a supplier was called; consecutive ones with the same reason are one row. */
export function RejectedTable({ rejected, timeZone, counted }: Props) {
  const { t } = useTranslation("requestLog");
  const title = t(counted ? "rejected.gone" : "rejected.empty");
  if (rejected.length === 0) return <EmptyState title={title}>{t("rejected.kept")}</EmptyState>;
  return (
    <>
      <p className="border-line border-b px-4 py-2.5 text-ink-2">{t("rejected.kept")}</p>
      <RejectedRows rejected={rejected} timeZone={timeZone} />
    </>
  );
}

/** The rows of `RejectedTable`, for pages that list few of them. */
export function RejectedRows({ rejected, timeZone }: Omit<Props, "counted">) {
  const { t } = useTranslation("requestLog");
  return (
    <DataTable
      name="request-log-rejected"
      caption={t("rejected.table")}
      rows={rejected}
      rowKey={({ id }) => String(id)}
      columns={[
        {
          id: "time",
          header: t("col.time"),
          cell: ({ at, requestId }) => (
            <Link
              to={`/dashboard/request-log/${requestId}`}
              className="font-strong hover:text-accent"
              title={requestId}
            >
              <RelativeTime at={at} timeZone={timeZone} />
            </Link>
          ),
        },
        {
          id: "code",
          header: t("filter.code"),
          cell: ({ code, status }) => (
            <a href={`/api-docs/errors#${code}`} className="mono hover:text-accent" title={String(status)}>
              {code}
            </a>
          ),
        },
        { id: "times", header: t("rejected.times"), align: "end", cell: ({ times }) => <Count value={times} /> },
        {
          id: "why",
          header: t("rejected.why"),
          wrap: true,
          cell: (burst) => (
            <>
              <RejectionSentences of={burst} />{" "}
              <RejectionFix code={burst.code} scope={burst.details?.scope} keyId={burst.keyId} />
            </>
          ),
        },
        {
          id: "model",
          header: t("col.model"),
          cell: ({ model }) => (
            <span className="block max-w-48 truncate" title={model}>
              {model || "–"}
            </span>
          ),
        },
        {
          id: "key",
          header: t("col.key"),
          cell: ({ keyId, keyName, userName }) => (
            <Link
              to={`/dashboard/keys/${keyId}#refusals`}
              className="block max-w-40 truncate hover:text-accent"
              title={[keyName, userName].filter(Boolean).join(" · ")}
            >
              {keyName}
            </Link>
          ),
        },
      ]}
    />
  );
}
