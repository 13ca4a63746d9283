import { useTranslation } from "react-i18next";
import { z } from "zod";
import { refusedFormOf } from "~/access/flash.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { readPromotion } from "~/domain/promotions/index.server";
import type { GivenCredit, PromotionView } from "~/domain/promotions/shared";
import { Id } from "~/http/body/fields";
import { usdNumber } from "~/http/body/json/money-json";
import { Button } from "~/ui/Button";
import { ConfirmDialog } from "~/ui/ConfirmDialog";
import { CopyText } from "~/ui/CopyText";
import { DialogButton } from "~/ui/Dialog";
import { Count, DateTime, Money } from "~/ui/Figures";
import { TextField } from "~/ui/forms/fields";
import { FormActions, FormProblem, FormStack } from "~/ui/forms/form-parts";
import { PortalForm } from "~/ui/forms/PortalForm";
import { type RefusedValues, usePortalForm } from "~/ui/forms/portal-form";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { EmptyState, PageHeader, Section } from "~/ui/page-parts";
import { StatCard, Stats } from "~/ui/StatCard";
import { AudienceText, PromotionBadge, Until } from "../PromotionTable";
import { PromotionChangeForm } from "../promotion-form.schema";
import type { Route } from "./+types/page";

export const loader = pageLoader(
  { allow: "platform_admin", params: z.object({ grantId: Id }) },
  async ({ params, context }) => {
    const { promotion, credits } = await readPromotion(db(), params.grantId);
    const values = {
      name: promotion.name,
      amount: usdNumber(promotion.amountNanoUsd),
      limit_per_payer: String(promotion.limitPerPayer),
      limit_total: String(promotion.limitTotal ?? ""),
      expires_at: promotion.expiresAt?.toISOString().slice(0, 10) ?? "",
    };
    return { promotion, credits, values, refused: refusedFormOf(context, updateOf(promotion.id)) };
  },
);

const updateOf = (id: number) => `/dashboard/admin/promotions/${id}/update`;

export default function Promotion({ loaderData: { promotion, credits, values, refused } }: Route.ComponentProps) {
  const { t } = useTranslation("promotions");
  const isEnded = promotion.state === "ended";
  return (
    <>
      <PageHeader
        back={{ to: "/dashboard/admin/promotions", label: t("title") }}
        title={promotion.name}
        sub={<AudienceText promotion={promotion} />}
        tags={<PromotionBadge state={promotion.state} />}
        actions={
          isEnded ? (
            <form method="post" action={updateOf(promotion.id)}>
              <input type="hidden" name="ended" value="false" />
              <Button>{t("resume")}</Button>
            </form>
          ) : (
            <DialogButton dialog="end-promotion" kind="danger">
              {t("end")}
            </DialogButton>
          )
        }
      />
      {promotion.code === null ? null : (
        <Section title={t("code")}>
          <div className="grid grid-cols-1 gap-2">
            <CopyText text={promotion.code} what={t("code")} />
            <p className="text-ink-2">{t("codeHint")}</p>
          </div>
        </Section>
      )}
      <Stats>
        <StatCard label={t("col.given")} value={<Count value={promotion.given} />} />
        <StatCard label={t("col.spent")} value={<Money nano={promotion.spentNanoUsd} />} />
        <StatCard label={t("col.left")} value={<Money nano={promotion.remainingNanoUsd} />} />
        <StatCard label={t("col.expired")} value={<Money nano={promotion.expiredNanoUsd} />} />
      </Stats>
      <Section flush title={t("credits.title")} id="credits" aside={t("credits.hint")}>
        <Credits credits={credits} />
      </Section>
      <Terms promotion={promotion} values={values} refused={refused} />
      <ConfirmDialog
        id="end-promotion"
        title={t("endTitle", { name: promotion.name })}
        action={updateOf(promotion.id)}
        consequences={<p>{t("endText")}</p>}
        confirm={t("end")}
        values={{ ended: "true" }}
      />
    </>
  );
}

function Credits({ credits }: { credits: readonly GivenCredit[] }) {
  const { t } = useTranslation("promotions");
  const columns: Column<GivenCredit>[] = [
    { id: "at", header: t("credits.at"), cell: ({ createdAt }) => <DateTime at={createdAt} /> },
    { id: "payer", header: t("credits.payer"), cell: ({ payer }) => payer },
    { id: "by", header: t("credits.by"), cell: ({ redeemedBy }) => redeemedBy ?? "–" },
    {
      id: "amount",
      header: t("col.amount"),
      align: "end",
      cell: ({ amountNanoUsd }) => <Money nano={amountNanoUsd} />,
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
      name="promotion-credits"
      caption={t("credits.title")}
      columns={columns}
      rows={credits}
      rowKey={({ id }) => String(id)}
      empty={<EmptyState title={t("credits.empty")} />}
    />
  );
}

type TermsProps = {
  promotion: PromotionView;
  values: Readonly<Record<string, string>>;
  refused: RefusedValues | null;
};

function Terms({ promotion, values, refused }: TermsProps) {
  const { t } = useTranslation("promotions");
  // Ending a promotion sends no fields, so its error is above the form.
  const isForm = refused?.sent.name !== undefined;
  const form = usePortalForm({
    id: "promotion",
    action: updateOf(promotion.id),
    schema: PromotionChangeForm,
    labels: {
      name: t("form.name"),
      amount: t("form.amount"),
      limit_per_payer: t("form.limitPerPayer"),
      limit_total: t("form.limitTotal"),
      expires_at: t("form.expires"),
    },
    values,
    refused: isForm ? refused : null,
  });
  return (
    <Section title={t("terms")} id="terms" aside={t("termsHint")}>
      <FormProblem text={isForm ? null : refused?.message} />
      <PortalForm form={form} className="grid gap-4">
        <FormStack wide>
          <TextField {...form.field("name")} hint={t("form.nameHint")} maxLength={120} required />
          <TextField {...form.field("amount")} inputMode="decimal" autoComplete="off" required />
          <TextField
            {...form.field("limit_per_payer")}
            hint={t("form.limitPerPayerHint")}
            inputMode="numeric"
            required
          />
          <TextField {...form.field("limit_total")} hint={t("form.limitTotalHint")} inputMode="numeric" />
          <TextField {...form.field("expires_at")} hint={t("form.expiresHint")} type="date" />
        </FormStack>
        <FormActions>
          <Button kind="primary">{t("save")}</Button>
        </FormActions>
      </PortalForm>
    </Section>
  );
}
