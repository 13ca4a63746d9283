import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { CopyText } from "~/ui/CopyText";
import { Money, RelativeTime } from "~/ui/Figures";
import { DataTable } from "~/ui/lists/DataTable";
import { Badge, EmptyState } from "~/ui/page-parts";
import type { RequestInFlight } from "./in-flight.server";

/** Unfinished requests and their holds, oldest first. */
export function InFlightTable({ requests, timeZone }: { requests: readonly RequestInFlight[]; timeZone: string }) {
  const { t } = useTranslation(["requestLog", "keys", "dashboard"]);
  return (
    <DataTable
      name="request-log-in-flight"
      caption={t("outcome.in_flight")}
      rows={requests}
      rowKey={({ callId }) => callId}
      empty={<EmptyState title={t("inFlight.none")}>{t("inFlight.text")}</EmptyState>}
      columns={[
        {
          id: "since",
          header: t("keys:holds.since"),
          cell: ({ admittedAt }) => <RelativeTime at={admittedAt} timeZone={timeZone} />,
        },
        {
          id: "state",
          header: t("keys:holds.state"),
          cell: ({ state }) => (
            <Badge kind={state === "review" ? "bad" : "held"}>{t(`keys:holds.states.${state}`)}</Badge>
          ),
        },
        {
          id: "key",
          header: t("col.key"),
          cell: ({ keyId, keyName }) =>
            keyName === null ? (
              <span className="text-ink-3">{t("dashboard:keys.gone")}</span>
            ) : (
              <Link
                to={`/dashboard/keys/${keyId}`}
                className="block max-w-48 truncate hover:text-accent"
                title={keyName}
              >
                {keyName}
              </Link>
            ),
        },
        {
          id: "user",
          header: t("col.user"),
          cell: ({ userName }) => (
            <span className="block max-w-48 truncate" title={userName ?? undefined}>
              {userName ?? "–"}
            </span>
          ),
        },
        {
          id: "held",
          header: t("keys:holds.amount"),
          align: "end",
          cell: ({ amountNanoUsd }) => <Money nano={amountNanoUsd} />,
        },
        {
          id: "request",
          header: t("filter.request"),
          cell: ({ callId }) => <CopyText text={callId} what={t("filter.request")} />,
        },
      ]}
    />
  );
}
