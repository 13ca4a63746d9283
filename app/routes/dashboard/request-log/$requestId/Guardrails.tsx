import { useTranslation } from "react-i18next";
import type { GuardrailHit } from "~/domain/guardrails/shared";
import { type Column, DataTable } from "~/ui/DataTable";
import { Count } from "~/ui/Figures";
import { Section } from "~/ui/page-parts";

/** What guardrails found in the request and its answer, and did about it. Nothing where they found nothing. */
export function Guardrails({ hits }: { hits: readonly GuardrailHit[] }) {
  const { t } = useTranslation("guardrails");
  if (hits.length === 0) return null;
  const columns: Column<GuardrailHit>[] = [
    { ...{ id: "name", header: t("col.name"), wrap: true }, cell: ({ name }) => name },
    { ...{ id: "by", header: t("col.by") }, cell: ({ by }) => t(`by.${by}`) },
    { ...{ id: "on", header: t("col.in") }, cell: ({ on }) => t(`in.${on}`) },
    { ...{ id: "action", header: t("col.action") }, cell: ({ action }) => t(`action.${action}`) },
    { ...{ id: "count", header: t("col.count"), align: "end" }, cell: ({ count }) => <Count value={count} /> },
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
