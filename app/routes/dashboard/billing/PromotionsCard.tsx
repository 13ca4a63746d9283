import { useTranslation } from "react-i18next";
import { href } from "react-router";
import type { PromotionCreditView } from "~/domain/promotions/shared";
import { Button } from "~/ui/Button";
import { DateTime, Money } from "~/ui/Figures";
import { TextField } from "~/ui/forms/fields";
import { FormActions, FormStack } from "~/ui/forms/form-parts";
import { PortalForm } from "~/ui/forms/PortalForm";
import { type RefusedValues, usePortalForm } from "~/ui/forms/portal-form";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { Section } from "~/ui/page-parts";
import { RedeemForm } from "./redeem.schema";

type Props = {
  /** Null if the reader may not see the wallet. */
  credits: readonly PromotionCreditView[] | null;
  mayRedeem: boolean;
  requestId: string;
  refused: RefusedValues | null;
};

/** Promotional credit with remaining amount and expiry, and the form to redeem a code. */
export function PromotionsCard({ credits, mayRedeem, requestId, refused }: Props) {
  const { t } = useTranslation("promotions");
  const form = usePortalForm({
    id: "redeem",
    action: href("/dashboard/billing/redeem"),
    schema: RedeemForm,
    labels: { code: t("code") },
    refused,
  });
  if (!mayRedeem && !credits?.length) return null;
  return (
    <Section flush title={t("title")} id="promotions" aside={credits?.length ? t("own.hint") : undefined}>
      {credits?.length ? <Credits credits={credits} /> : null}
      {mayRedeem ? (
        <PortalForm form={form} className="grid gap-4 px-4 py-3.5">
          <input type="hidden" name="request_id" value={form.values.request_id ?? requestId} />
          <FormStack>
            <TextField {...form.field("code")} hint={t("own.codeHint")} autoComplete="off" maxLength={60} required />
            <FormActions>
              <Button>{t("own.redeem")}</Button>
            </FormActions>
          </FormStack>
        </PortalForm>
      ) : null}
    </Section>
  );
}

function Credits({ credits }: { credits: readonly PromotionCreditView[] }) {
  const { t } = useTranslation("promotions");
  const columns: Column<PromotionCreditView>[] = [
    { id: "name", header: t("col.name"), wrap: true, cell: ({ name }) => name },
    {
      id: "left",
      header: t("col.left"),
      align: "end",
      cell: ({ remainingNanoUsd }) => <Money nano={remainingNanoUsd} />,
    },
    {
      id: "amount",
      header: t("col.amount"),
      align: "end",
      cell: ({ amountNanoUsd }) => <Money nano={amountNanoUsd} />,
    },
    {
      id: "until",
      header: t("col.until"),
      cell: ({ expiresAt }) => (expiresAt === null ? t("own.forever") : <DateTime at={expiresAt} dateOnly />),
    },
  ];
  return (
    <DataTable
      name="own-promotions"
      caption={t("title")}
      columns={columns}
      rows={credits}
      rowKey={({ id }) => String(id)}
    />
  );
}
