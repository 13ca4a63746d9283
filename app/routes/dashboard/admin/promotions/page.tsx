import { randomUUID } from "node:crypto";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { refusedFormOf } from "~/access/flash.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { listPromotions } from "~/domain/promotions/index.server";
import { AUDIENCES } from "~/domain/promotions/shared";
import { Id, orNothing } from "~/http/body/fields";
import { Button } from "~/ui/Button";
import { SelectField, TextField } from "~/ui/forms/fields";
import { FormActions, FormStack } from "~/ui/forms/form-parts";
import { PortalForm } from "~/ui/forms/PortalForm";
import { usePortalForm } from "~/ui/forms/portal-form";
import { usePages } from "~/ui/lists/list-address";
import { Pager } from "~/ui/lists/list-parts";
import { PageHeader, Section } from "~/ui/page-parts";
import type { Route } from "./+types/page";
import { PromotionTable } from "./PromotionTable";
import { NewPromotionForm } from "./promotion-form.schema";

const PAGE_SIZE = 50;
const CREATE = "/dashboard/admin/promotions/create";

export const loader = pageLoader(
  { allow: "platform_admin", query: z.object({ after: orNothing(Id) }) },
  async ({ query, context }) => ({
    ...(await listPromotions(db(), { beforeId: query.after ?? null, limit: PAGE_SIZE })),
    requestId: randomUUID(),
    refused: refusedFormOf(context, CREATE),
  }),
);

export default function Promotions({ loaderData: view }: Route.ComponentProps) {
  const { t } = useTranslation("promotions");
  return (
    <>
      <PageHeader title={t("title")} sub={t("subtitle")} />
      <Section flush title={t("title")} id="promotions">
        <PromotionTable promotions={view.promotions} />
        <Pager {...usePages(view.nextBeforeId)} />
      </Section>
      <NewPromotion view={view} />
    </>
  );
}

function NewPromotion({ view }: { view: Route.ComponentProps["loaderData"] }) {
  const { t } = useTranslation("promotions");
  const form = usePortalForm({
    id: "new-promotion",
    action: CREATE,
    schema: NewPromotionForm,
    labels: {
      name: t("form.name"),
      amount: t("form.amount"),
      audience: t("form.audience"),
      recipient_id: t("form.recipient"),
      limit_per_payer: t("form.limitPerPayer"),
      limit_total: t("form.limitTotal"),
      expires_at: t("form.expires"),
    },
    values: { audience: "code", limit_per_payer: "1" },
    refused: view.refused,
  });
  return (
    <Section title={t("create")} id="create">
      <PortalForm form={form} className="grid gap-4">
        <input type="hidden" name="request_id" value={form.values.request_id ?? view.requestId} />
        <FormStack wide>
          <TextField {...form.field("name")} hint={t("form.nameHint")} maxLength={120} required />
          <TextField {...form.field("amount")} inputMode="decimal" autoComplete="off" required />
          <SelectField
            {...form.field("audience")}
            options={AUDIENCES.map((value) => ({ value, label: t(`audience.${value}`) }))}
          />
          <TextField {...form.field("recipient_id")} hint={t("form.recipientHint")} inputMode="numeric" />
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
          <Button kind="primary">{t("create")}</Button>
        </FormActions>
      </PortalForm>
    </Section>
  );
}
