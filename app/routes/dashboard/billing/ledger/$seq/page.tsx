import { useTranslation } from "react-i18next";
import { href, Link } from "react-router";
import { z } from "zod";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { readLedgerEntry } from "~/domain/statements/index.server";
import type { EntryRequest, LedgerEntry } from "~/domain/statements/shared";
import { Id } from "~/http/body/fields";
import { DateTime, Money } from "~/ui/Figures";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import type { PageHandle } from "~/ui/page-handle";
import { Badge, DetailList, PageHeader, Section } from "~/ui/page-parts";
import { entryKindText, entryNoteText } from "../../entry-text";
import { PaymentTable } from "../../PaymentTable";
import { useMonthText } from "../../statements/month-text";
import type { Route } from "./+types/page";

export const handle: PageHandle = { hydrate: false };

export const loader = pageLoader({ allow: "viewer", params: z.object({ seq: Id }) }, ({ actor, params }) =>
  readLedgerEntry(db(), actor, params.seq),
);

export default function Entry({ loaderData: entry }: Route.ComponentProps) {
  const { t } = useTranslation(["statements", "billing"]);
  const { t: billing } = useTranslation("billing");
  const monthText = useMonthText();
  const { seq, transaction, at, kind, by, payment, amountNanoUsd, balanceAfterNanoUsd, month } = entry;
  return (
    <>
      <PageHeader
        back={{ to: `/dashboard/billing?before=${seq + 1n}#ledger`, label: t("billing:ledger.title") }}
        title={t("entry.title", { seq: String(seq) })}
        sub={entryKindText(billing, kind)}
      />
      <Section>
        <DetailList
          rows={[
            [t("billing:ledger.at"), <DateTime key="at" at={at} />],
            [t("billing:ledger.amount"), <Money key="amount" nano={amountNanoUsd} places={9} />],
            [t("billing:ledger.balance"), <Money key="balance" nano={balanceAfterNanoUsd} places={9} />],
            [t("billing:ledger.note"), entryNoteText(billing, entry) || "–"],
            [t("entry.actor"), by.kind === "person" ? by.name : billing(`postedBy.${by.kind}`)],
            [t("entry.transaction"), <code key="transaction">{String(transaction)}</code>],
            [
              t("entry.statement"),
              <Link key="month" to={href("/dashboard/billing/statements/:month", { month })} className="link">
                {monthText(month)}
              </Link>,
            ],
          ]}
        />
      </Section>
      {payment === null ? null : (
        <Section flush title={t("entry.payment")} id="payment">
          <PaymentTable payments={[payment]} />
        </Section>
      )}
      {entry.isEqual === null ? null : <Requests entry={entry} />}
    </>
  );
}

/** The requests of a usage entry, each with its hold and its charge. */
function Requests({ entry }: { entry: LedgerEntry }) {
  const { t } = useTranslation("statements");
  const columns: Column<EntryRequest>[] = [
    {
      id: "request",
      header: t("entry.request"),
      cell: ({ requestId }) => (
        <Link to={`/dashboard/request-log/${requestId}`} className="mono link">
          {requestId}
        </Link>
      ),
    },
    { id: "at", header: t("entry.started"), cell: ({ startedAt }) => <DateTime at={startedAt} /> },
    { id: "model", header: t("entry.model"), cell: ({ model }) => model },
    { id: "key", header: t("entry.key"), cell: ({ key }) => key },
    {
      id: "held",
      header: t("entry.held"),
      align: "end",
      cell: ({ heldNanoUsd }) => <Money nano={heldNanoUsd} places={9} />,
    },
    {
      id: "captured",
      header: t("entry.captured"),
      align: "end",
      cell: ({ capturedNanoUsd }) => <Money nano={capturedNanoUsd} places={9} />,
    },
    {
      id: "charged",
      header: t("entry.charged"),
      align: "end",
      cell: ({ chargedNanoUsd }) => <Money nano={chargedNanoUsd} places={9} />,
    },
  ];
  return (
    <Section
      flush
      id="requests"
      title={t("entry.requests", { count: entry.requestCount })}
      aside={<Badge kind={entry.isEqual ? "good" : "bad"}>{t(entry.isEqual ? "entry.equal" : "entry.differs")}</Badge>}
    >
      <DataTable
        name="entry-requests"
        caption={t("entry.requests", { count: entry.requestCount })}
        rows={entry.requests}
        rowKey={({ requestId }) => requestId}
        columns={columns}
        foot={{ request: t("total"), charged: <Money nano={entry.chargedNanoUsd} places={9} /> }}
      />
    </Section>
  );
}
