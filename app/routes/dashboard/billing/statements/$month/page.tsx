import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { z } from "zod";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { readStatement } from "~/domain/statements/index.server";
import type { Statement, UsageLine } from "~/domain/statements/shared";
import { LinkButton } from "~/ui/Button";
import { Count, DateTime, Money } from "~/ui/Figures";
import { DataTable } from "~/ui/lists/DataTable";
import type { PageHandle } from "~/ui/page-handle";
import { Badge, EmptyState, PageHeader, Section } from "~/ui/page-parts";
import { entryKindText } from "../../entry-text";
import { useDayText, useMonthText } from "../month-text";
import type { Route } from "./+types/page";

export const handle: PageHandle = { hydrate: false };

export const loader = pageLoader(
  { allow: "viewer", params: z.object({ month: z.string().max(20) }) },
  ({ actor, params }) => readStatement(db(), actor, params.month),
);

export default function StatementPage({ loaderData: statement }: Route.ComponentProps) {
  const { t } = useTranslation("statements");
  const monthText = useMonthText();
  const dayText = useDayText();
  const { month, payer, timeZone, isOver, lastSeq } = statement;
  return (
    <>
      <PageHeader
        back={{ to: "/dashboard/billing/statements", label: t("title") }}
        title={monthText(month)}
        sub={t("of", { payer, timeZone })}
        tags={isOver ? null : <Badge kind="held">{t("notOver")}</Badge>}
        actions={
          <>
            <LinkButton to={`/dashboard/billing?before=${lastSeq + 1n}#ledger`}>{t("entries")}</LinkButton>
            <LinkButton to={href("/dashboard/billing/statements/:month/export", { month })} document>
              CSV
            </LinkButton>
          </>
        }
      />
      <Balance statement={statement} />
      <Payments statement={statement} />
      <Usage title={t("byModel")} lines={statement.byModel} />
      <Usage title={t("byKey")} lines={statement.byKey} />
      <Usage title={t("byDay")} lines={statement.byDay} nameText={dayText} />
    </>
  );
}

/** Opening and closing balance, the movements between them, and their comparison with the ledger. */
function Balance({ statement }: { statement: Statement }) {
  const { t } = useTranslation("statements");
  const { t: billing } = useTranslation("billing");
  const { openingNanoUsd, closingNanoUsd, movements, isLedgerEqual, isUsageEqual, checkedAt, timeZone } = statement;
  const isEqual = isLedgerEqual && isUsageEqual;
  const rows = [
    { id: "opening", text: t("opening"), count: null, amount: openingNanoUsd },
    ...movements.map(({ kind, count, amountNanoUsd }) => ({
      id: kind,
      text: entryKindText(billing, kind),
      count,
      amount: amountNanoUsd,
    })),
  ];
  return (
    <Section flush title={t("balance")} id="balance">
      <DataTable
        name="statement"
        caption={t("balance")}
        rows={rows}
        rowKey={({ id }) => id}
        columns={[
          { id: "line", header: t("line"), cell: ({ text }) => text },
          {
            id: "count",
            header: t("count"),
            align: "end",
            cell: ({ count }) => (count === null ? null : <Count value={count} />),
          },
          { id: "amount", header: t("amount"), align: "end", cell: ({ amount }) => <Money nano={amount} places={9} /> },
        ]}
        foot={{ line: t("closing"), amount: <Money nano={closingNanoUsd} places={9} /> }}
      />
      <p className="flex flex-wrap items-center gap-2.5 border-line border-t px-4 py-2.5">
        <Badge kind={isEqual ? "good" : "bad"}>{t(isEqual ? "equal" : "differs")}</Badge>
        <span className="text-ink-3">
          {t("compared")} <DateTime at={checkedAt} timeZone={timeZone} />
        </span>
      </p>
    </Section>
  );
}

/** Charged amounts beside the credited ones: fees and tax are not part of the balance. */
function Payments({ statement: { payments, timeZone } }: { statement: Statement }) {
  const { t } = useTranslation("billing");
  if (payments.length === 0) return null;
  return (
    <Section flush title={t("payments.title")} id="payments">
      <DataTable
        name="statement-payments"
        caption={t("payments.title")}
        rows={payments}
        rowKey={({ id }) => id}
        columns={[
          { id: "at", header: t("payments.at"), cell: ({ paidAt }) => <DateTime at={paidAt} timeZone={timeZone} /> },
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
        ]}
      />
    </Section>
  );
}

type UsageProps = { title: string; lines: readonly UsageLine[]; nameText?: (name: string) => string };

function Usage({ title, lines, nameText = (name) => name }: UsageProps) {
  const { t } = useTranslation("statements");
  const total = lines.reduce((sum, { chargedNanoUsd }) => sum + chargedNanoUsd, 0n);
  return (
    <Section flush title={title}>
      <DataTable
        name="statement-usage"
        caption={title}
        rows={lines}
        rowKey={({ name }) => name}
        columns={[
          { id: "name", header: t("line"), wrap: true, cell: ({ name }) => nameText(name) },
          { id: "requests", header: t("requests"), align: "end", cell: ({ requests }) => <Count value={requests} /> },
          {
            id: "amount",
            header: t("amount"),
            align: "end",
            cell: ({ chargedNanoUsd }) => <Money nano={chargedNanoUsd} places={9} />,
          },
        ]}
        foot={{ name: t("total"), amount: <Money nano={total} places={9} /> }}
        empty={<EmptyState title={t("noUsage")} />}
      />
    </Section>
  );
}
