import { useTranslation } from "react-i18next";
import type { AlertDelivery, DeliveryState } from "~/domain/budgets/shared";
import { DateTime, Money } from "~/ui/Figures";
import { moneyText } from "~/ui/format";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { Badge, type BadgeKind, EmptyState } from "~/ui/page-parts";
import { useDocumentFacts } from "~/ui/shell/document-context";

const BADGES: Readonly<Record<DeliveryState, BadgeKind>> = {
  pending: "held",
  sent: "good",
  dead: "bad",
  cancelled: "plain",
};

/** Alerts sent to a person, newest first, with the state of their delivery. */
export function AlertHistory({ deliveries }: { deliveries: readonly AlertDelivery[] }) {
  const { t } = useTranslation("budgets");
  const { language } = useDocumentFacts();
  const columns: Column<AlertDelivery>[] = [
    { id: "at", header: t("history.at"), cell: ({ createdAt }) => <DateTime at={createdAt} /> },
    {
      id: "what",
      header: t("history.what"),
      wrap: true,
      cell: ({ kind, threshold, scope, scopeName }) => (
        <div className="grid leading-snug">
          <span>
            {kind === "threshold"
              ? t("kind.threshold", { share: Number(threshold) })
              : kind === "low_balance"
                ? t("kind.low_balance", { amount: moneyText(threshold, language) })
                : t(scope === "wallet" && kind === "refusing" ? "kind.wallet_refusing" : `kind.${kind}`)}
          </span>
          <span className="text-xs text-ink-3">
            {t(`scope.${scope}`)} {scopeName}
          </span>
        </div>
      ),
    },
    {
      id: "spent",
      header: t("history.spent"),
      align: "end",
      cell: ({ spentNanoUsd }) => <Money nano={spentNanoUsd} />,
    },
    { id: "held", header: t("history.held"), align: "end", cell: ({ heldNanoUsd }) => <Money nano={heldNanoUsd} /> },
    {
      id: "available",
      header: t("history.available"),
      align: "end",
      cell: ({ availableNanoUsd }) => <Money nano={availableNanoUsd} />,
    },
    { id: "channel", header: t("webhook.channel"), cell: ({ channel }) => t(`channel.${channel}`) },
    {
      id: "state",
      header: t("history.state"),
      cell: ({ state, error, attempts }) => (
        <span className="flex flex-wrap items-center gap-1.5">
          <Badge kind={BADGES[state]}>{t(`state.${state}`)}</Badge>
          {error === null ? null : <span className="text-ink-3">{t("history.attempts", { count: attempts })}</span>}
        </span>
      ),
    },
  ];
  return (
    <DataTable
      name="alerts"
      caption={t("history.title")}
      columns={columns}
      rows={deliveries}
      rowKey={({ id }) => String(id)}
      empty={<EmptyState title={t("history.empty")}>{t("history.emptyText")}</EmptyState>}
    />
  );
}
