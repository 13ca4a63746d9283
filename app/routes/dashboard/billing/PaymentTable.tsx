import { useTranslation } from "react-i18next";
import type { PaymentState, PaymentView } from "~/domain/billing/shared";
import { DateTime, Money } from "~/ui/Figures";
import { moneyText } from "~/ui/format";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { Badge, type BadgeKind, EmptyState } from "~/ui/page-parts";
import { useDocumentFacts } from "~/ui/shell/document-context";

const BADGES: Readonly<Record<PaymentState, BadgeKind>> = {
  created: "plain",
  open: "held",
  pending: "info",
  paid: "good",
  failed: "bad",
  expired: "plain",
};

/** Payments with their receipts, newest first. */
export function PaymentTable({ payments }: { payments: readonly PaymentView[] }) {
  const { t } = useTranslation("billing");
  const { language } = useDocumentFacts();
  const columns: Column<PaymentView>[] = [
    { id: "at", header: t("payments.at"), cell: ({ createdAt }) => <DateTime at={createdAt} /> },
    {
      id: "credit",
      header: t("payments.credit"),
      align: "end",
      cell: ({ creditNanoUsd }) => <Money nano={creditNanoUsd} />,
    },
    { id: "fee", header: t("payments.fee"), align: "end", cell: ({ feeNanoUsd }) => <Money nano={feeNanoUsd} /> },
    {
      id: "charged",
      header: t("payments.charged"),
      align: "end",
      cell: ({ chargedNanoUsd }) => <Money nano={chargedNanoUsd} />,
    },
    { id: "card", header: t("payments.card"), cell: ({ card }) => card ?? "–" },
    {
      id: "status",
      header: t("payments.status"),
      cell: ({ state, reversedNanoUsd }) => (
        <span className="flex flex-wrap items-center gap-1.5">
          <Badge kind={BADGES[state]}>{t(`state.${state}`)}</Badge>
          {reversedNanoUsd > 0n ? (
            <span className="text-ink-3">
              {t("payments.reversed", { amount: moneyText(reversedNanoUsd, language) })}
            </span>
          ) : null}
        </span>
      ),
    },
    {
      id: "receipt",
      header: t("payments.receipt"),
      cell: ({ receiptUrl }) =>
        receiptUrl === null ? (
          "–"
        ) : (
          <a href={receiptUrl} rel="noreferrer" className="hover:text-accent">
            {t("payments.receipt")}
          </a>
        ),
    },
  ];
  return (
    <DataTable
      name="payments"
      caption={t("payments.title")}
      columns={columns}
      rows={payments}
      rowKey={({ id }) => id}
      empty={<EmptyState title={t("payments.empty")} />}
    />
  );
}
