import { useTranslation } from "react-i18next";
import { href, Link } from "react-router";
import type { StatementLine } from "~/domain/accounting/index.server";
import { type Column, DataTable } from "~/ui/DataTable";
import { DateTime, Money } from "~/ui/Figures";
import { EmptyState } from "~/ui/page-parts";

/** A wallet's ledger: what moved, and the balance after it. */
export function LedgerTable({ lines }: { lines: readonly StatementLine[] }) {
  const { t } = useTranslation("billing");
  const kindText = t as unknown as (key: string, options: { defaultValue: string }) => string;
  const columns: Column<StatementLine>[] = [
    { id: "at", header: t("ledger.at"), cell: ({ at }) => <DateTime at={at} /> },
    {
      id: "kind",
      header: t("ledger.kind"),
      cell: ({ seq, kind }) => (
        <Link to={href("/dashboard/billing/ledger/:seq", { seq: String(seq) })} className="hover:text-accent">
          {kindText(`kind.${kind}`, { defaultValue: kind })}
        </Link>
      ),
    },
    {
      id: "note",
      header: t("ledger.note"),
      wrap: true,
      cell: ({ memo }) => <span className="text-ink-3">{memo}</span>,
    },
    {
      id: "amount",
      header: t("ledger.amount"),
      align: "end",
      cell: ({ amountNanoUsd }) => <Money nano={amountNanoUsd} />,
    },
    {
      id: "balance",
      header: t("ledger.balance"),
      align: "end",
      cell: ({ balanceAfterNanoUsd }) => <Money nano={balanceAfterNanoUsd} />,
    },
  ];
  return (
    <DataTable
      name="ledger"
      caption={t("ledger.title")}
      columns={columns}
      rows={lines}
      rowKey={({ seq }) => String(seq)}
      empty={<EmptyState title={t("ledger.empty")} />}
    />
  );
}
