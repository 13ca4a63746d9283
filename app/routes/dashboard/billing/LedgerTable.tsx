import { useTranslation } from "react-i18next";
import { href, Link } from "react-router";
import type { LedgerLine } from "~/domain/accounting/shared";
import { DateTime, Money } from "~/ui/Figures";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { EmptyState } from "~/ui/page-parts";
import { entryKindText, entryNoteText } from "./entry-text";

/** A wallet's ledger: amounts, purposes, and the balance after each. */
export function LedgerTable({ lines, filtered }: { lines: readonly LedgerLine[]; filtered: boolean }) {
  const { t } = useTranslation("billing");
  const columns: Column<LedgerLine>[] = [
    { id: "at", header: t("ledger.at"), cell: ({ at }) => <DateTime at={at} /> },
    {
      id: "kind",
      header: t("ledger.kind"),
      cell: ({ seq, kind }) => (
        <Link to={entryAddress(seq)} className="hover:text-accent">
          {entryKindText(t, kind)}
        </Link>
      ),
    },
    { id: "note", header: t("ledger.note"), wrap: true, cell: (line) => <Note line={line} /> },
    {
      id: "amount",
      header: t("ledger.amount"),
      align: "end",
      cell: ({ amountNanoUsd }) => <Money nano={amountNanoUsd} places={9} />,
    },
    {
      id: "balance",
      header: t("ledger.balance"),
      align: "end",
      cell: ({ balanceAfterNanoUsd }) => <Money nano={balanceAfterNanoUsd} places={9} />,
    },
  ];
  return (
    <DataTable
      name="ledger"
      caption={t("ledger.title")}
      columns={columns}
      rows={lines}
      rowKey={({ seq }) => String(seq)}
      empty={<EmptyState title={t(filtered ? "ledger.noneLikeThat" : "ledger.empty")} />}
    />
  );
}

/** The purpose of an entry, with a link to its request, requests or payment. */
function Note({ line }: { line: LedgerLine }) {
  const { t } = useTranslation("billing");
  const { seq, kind, paymentId, requestId } = line;
  const text = entryNoteText(t, line);
  const to =
    requestId !== null
      ? href("/dashboard/request-log/:requestId", { requestId })
      : kind === "usage"
        ? `${entryAddress(seq)}#requests`
        : paymentId === null
          ? null
          : `${entryAddress(seq)}#payment`;
  if (to === null) return <span className="text-ink-3">{text}</span>;
  return (
    <Link to={to} className="text-ink-2 hover:text-accent">
      {text}
    </Link>
  );
}

const entryAddress = (seq: bigint) => href("/dashboard/billing/ledger/:seq", { seq: String(seq) });
