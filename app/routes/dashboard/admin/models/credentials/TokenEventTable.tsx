import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { TokenEventView } from "~/domain/credentials/shared";
import { Count, DateTime } from "~/ui/Figures";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { Badge, type BadgeKind } from "~/ui/page-parts";
import { useCredentialLabels } from "./labels";

const LOOKS: Readonly<Record<TokenEventView["kind"], BadgeKind>> = {
  added: "info",
  changed: "info",
  removed: "plain",
  refreshed: "good",
  refresh_failed: "bad",
  revoked: "bad",
  used_error: "bad",
  cooled: "held",
  recovered: "good",
};

/** Events of suppliers' credentials. */
export function TokenEventTable({ events, empty }: { events: readonly TokenEventView[]; empty: ReactNode }) {
  const { t } = useTranslation("adminModels");
  const labels = useCredentialLabels();
  const columns: Column<TokenEventView>[] = [
    { id: "at", header: t("credentials.col.at"), cell: ({ at }) => <DateTime at={at} /> },
    {
      id: "kind",
      header: t("credentials.col.event"),
      cell: ({ kind, count }) => (
        <span className="flex items-center gap-2">
          <Badge kind={LOOKS[kind] ?? "plain"}>{labels.kind(kind)}</Badge>
          {count > 1 ? (
            <span className="text-ink-3">
              × <Count value={count} />
            </span>
          ) : null}
        </span>
      ),
    },
    { id: "provider", header: t("credentials.filter.provider"), cell: ({ provider }) => provider },
    { id: "key", header: t("credentials.col.credential"), cell: ({ key_name: name }) => <code>{name}</code> },
    {
      id: "source",
      header: t("credentials.filter.source"),
      optional: true,
      cell: ({ source }) => labels.source(source),
    },
    {
      id: "error",
      header: t("credentials.col.reason"),
      wrap: true,
      cell: ({ error_kind: error, detail }) =>
        error === null && detail === null ? (
          <span className="text-ink-3">–</span>
        ) : (
          <span className="wrap-anywhere">
            {error === null ? null : <code>{error}</code>} {detail}
          </span>
        ),
    },
  ];
  return (
    <DataTable
      name="token-events"
      caption={t("credentials.log")}
      columns={columns}
      rows={events}
      rowKey={({ id }) => id}
      empty={empty}
    />
  );
}
