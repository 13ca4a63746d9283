import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { PromotionView } from "~/domain/promotions/shared";
import { Count, DateTime, Money } from "~/ui/Figures";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { Badge, EmptyState } from "~/ui/page-parts";

/** Promotions with their results, newest first. */
export function PromotionTable({ promotions }: { promotions: readonly PromotionView[] }) {
  const { t } = useTranslation("promotions");
  const columns: Column<PromotionView>[] = [
    {
      id: "name",
      header: t("col.name"),
      cell: ({ id, name, code }) => (
        <Link to={`/dashboard/admin/promotions/${id}`} className="grid leading-snug hover:text-accent">
          <span className="font-strong">{name}</span>
          {code === null ? null : <code className="text-xs text-ink-3">{code}</code>}
        </Link>
      ),
    },
    { id: "audience", header: t("col.audience"), cell: (promotion) => <AudienceText promotion={promotion} /> },
    { id: "state", header: t("col.state"), cell: ({ state }) => <PromotionBadge state={state} /> },
    {
      id: "amount",
      header: t("col.amount"),
      align: "end",
      cell: ({ amountNanoUsd }) => <Money nano={amountNanoUsd} />,
    },
    {
      id: "given",
      header: t("col.given"),
      align: "end",
      cell: ({ given, limitTotal }) => (
        <>
          <Count value={given} />
          {limitTotal === null ? null : (
            <span className="text-ink-3">
              {" / "}
              <Count value={limitTotal} />
            </span>
          )}
        </>
      ),
    },
    { id: "spent", header: t("col.spent"), align: "end", cell: ({ spentNanoUsd }) => <Money nano={spentNanoUsd} /> },
    {
      id: "left",
      header: t("col.left"),
      align: "end",
      cell: ({ remainingNanoUsd }) => <Money nano={remainingNanoUsd} />,
    },
    { id: "until", header: t("col.until"), cell: ({ expiresAt }) => <Until at={expiresAt} /> },
  ];
  return (
    <DataTable
      name="promotions"
      caption={t("title")}
      columns={columns}
      rows={promotions}
      rowKey={({ id }) => id}
      empty={<EmptyState title={t("empty")}>{t("emptyText")}</EmptyState>}
    />
  );
}

export function PromotionBadge({ state }: { state: PromotionView["state"] }) {
  const { t } = useTranslation("promotions");
  return <Badge kind={state === "active" ? "good" : "plain"}>{t(`state.${state}`)}</Badge>;
}

/** The audience of a promotion; an organisation or a person by name. */
export function AudienceText({ promotion: { audience, recipient } }: { promotion: PromotionView }) {
  const { t } = useTranslation("promotions");
  return recipient === null ? t(`audience.${audience}`) : recipient.name;
}

/** The last day, in UTC; a dash if there is none. */
export function Until({ at }: { at: Date | null }) {
  return at === null ? <span className="text-ink-3">–</span> : <DateTime at={at} dateOnly />;
}
