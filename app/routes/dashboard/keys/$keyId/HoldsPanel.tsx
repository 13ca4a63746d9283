import { useTranslation } from "react-i18next";
import { Money, RelativeTime } from "~/ui/Figures";
import { moneyText } from "~/ui/format";
import { DataTable } from "~/ui/lists/DataTable";
import { Badge, Section } from "~/ui/page-parts";
import { useDocumentFacts } from "~/ui/shell/document-context";
import type { KeyPageView } from "./view.server";

/** Money currently held by in-flight calls. */
export function HoldsPanel({ view: { holds } }: { view: KeyPageView }) {
  const { t } = useTranslation("keys");
  const { language } = useDocumentFacts();
  const total = t("holds.total", { count: holds.count, amount: moneyText(holds.heldNanoUsd, language) });
  return (
    <Section title={t("holds.title")} aside={holds.count > 0 ? total : null} flush={holds.count > 0}>
      <DataTable
        name="holds"
        caption={t("holds.title")}
        rows={holds.holds}
        rowKey={({ callId }) => callId}
        empty={<p className="text-ink-2">{t("holds.none")}</p>}
        columns={[
          { id: "since", header: t("holds.since"), cell: ({ admittedAt }) => <RelativeTime at={admittedAt} /> },
          {
            id: "state",
            header: t("holds.state"),
            cell: ({ state }) => <Badge kind={state === "review" ? "bad" : "held"}>{t(`holds.states.${state}`)}</Badge>,
          },
          {
            id: "amount",
            header: t("holds.amount"),
            align: "end",
            cell: ({ amountNanoUsd }) => <Money nano={amountNanoUsd} />,
          },
          {
            id: "call",
            header: t("holds.call"),
            cell: ({ callId }) => <span className="mono text-ink-2">{callId.slice(0, 8)}</span>,
          },
        ]}
      />
    </Section>
  );
}
