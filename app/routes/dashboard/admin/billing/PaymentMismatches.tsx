import { useTranslation } from "react-i18next";
import type { PaymentMismatch } from "~/domain/billing/shared";
import { DateTime, Money } from "~/ui/Figures";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { EmptyState } from "~/ui/page-parts";

const NANO_PER_CENT = 10_000_000n;

/** Payments whose paid amount differs from the requested one, and the amounts credited to the wallets. */
export function PaymentMismatches({ mismatches }: { mismatches: readonly PaymentMismatch[] }) {
  const { t } = useTranslation("billing");
  const columns: Column<PaymentMismatch>[] = [
    {
      id: "payer",
      header: t("admin.payer"),
      wrap: true,
      cell: ({ payer, paymentId }) => (
        <div className="grid leading-snug">
          <span>{payer}</span>
          <code className="text-xs text-ink-3">{paymentId}</code>
        </div>
      ),
    },
    {
      id: "asked",
      header: t("admin.asked"),
      align: "end",
      cell: ({ askedCents }) => <Money nano={askedCents * NANO_PER_CENT} />,
    },
    {
      id: "paid",
      header: t("admin.paidWithoutTax"),
      align: "end",
      cell: ({ paidCents }) => <Money nano={paidCents * NANO_PER_CENT} />,
    },
    {
      id: "credited",
      header: t("admin.creditedAmount"),
      align: "end",
      cell: ({ creditedNanoUsd }) => <Money nano={creditedNanoUsd} />,
    },
    { id: "at", header: t("admin.paidAt"), cell: ({ at }) => <DateTime at={at} /> },
  ];
  return (
    <DataTable
      name="payment-mismatches"
      caption={t("admin.mismatches")}
      columns={columns}
      rows={mismatches}
      rowKey={({ paymentId }) => paymentId}
      empty={<EmptyState title={t("admin.noMismatches")} />}
    />
  );
}
