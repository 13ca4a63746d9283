import { useTranslation } from "react-i18next";
import type { GuardrailHit, WebhookNote } from "~/domain/guardrails/shared";
import { Count, Duration } from "~/ui/Figures";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { Section } from "~/ui/page-parts";

/** Matches of guardrails in the request and its answer, and the actions taken. Renders nothing without matches. */
export function Guardrails({ hits }: { hits: readonly GuardrailHit[] }) {
  const { t } = useTranslation("guardrails");
  if (hits.length === 0) return null;
  const columns: Column<GuardrailHit>[] = [
    { id: "name", header: t("col.name"), wrap: true, cell: ({ name }) => name },
    { id: "by", header: t("col.by"), cell: ({ by }) => t(`by.${by}`) },
    { id: "on", header: t("col.in"), cell: ({ on }) => t(`in.${on}`) },
    { id: "action", header: t("col.action"), cell: ({ action }) => t(`action.${action}`) },
    { id: "count", header: t("col.count"), align: "end", cell: ({ count }) => <Count value={count} /> },
  ];
  return (
    <Section title={t("title")} flush>
      <DataTable
        name="request-guardrails"
        caption={t("title")}
        rows={hits}
        rowKey={({ name, by, on, action }) => `${by} ${on} ${action} ${name}`}
        columns={columns}
      />
    </Section>
  );
}

/** Decisions of webhooks before the request was sent, with durations. Renders nothing if none was called. */
export function GuardrailWebhooks({ notes }: { notes: readonly WebhookNote[] }) {
  const { t } = useTranslation("guardrails");
  if (notes.length === 0) return null;
  const columns: Column<WebhookNote>[] = [
    { id: "by", header: t("col.by"), cell: ({ by }) => t(`by.${by}`) },
    { id: "decision", header: t("webhook.decision"), cell: ({ action }) => t(`webhook.action.${action}`) },
    {
      id: "reason",
      header: t("webhook.reason"),
      wrap: true,
      cell: ({ problem, reason }) => problem ?? reason ?? "–",
    },
    {
      id: "ms",
      header: t("webhook.duration"),
      align: "end",
      cell: ({ ms }) => <Duration ms={ms} />,
    },
  ];
  return (
    <Section title={t("webhook.title")} flush>
      <DataTable
        name="request-guardrail-webhooks"
        caption={t("webhook.title")}
        rows={notes}
        rowKey={({ by }) => by}
        columns={columns}
      />
    </Section>
  );
}
