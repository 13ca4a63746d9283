import { useTranslation } from "react-i18next";
import { z } from "zod";
import { refusedFormOf } from "~/access/flash.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { readReview } from "~/domain/billing/index.server";
import type { ReviewView } from "~/domain/billing/shared";
import { Button } from "~/ui/Button";
import { Count, DateTime, Money } from "~/ui/Figures";
import { RadioGroup, TextField } from "~/ui/forms/fields";
import { FormActions, FormStack } from "~/ui/forms/form-parts";
import { PortalForm } from "~/ui/forms/PortalForm";
import { type RefusedValues, usePortalForm } from "~/ui/forms/portal-form";
import { Columns, DetailList, PageHeader, Section } from "~/ui/page-parts";
import type { Route } from "./+types/page";
import { ReviewForm } from "./review-form.schema";

const LIST = "/dashboard/admin/billing/reconcile";
const Params = z.object({ callId: z.uuid() });

export const loader = pageLoader({ allow: "platform_admin", params: Params }, async ({ params, context }) => ({
  review: await readReview(db(), params.callId),
  refused: refusedFormOf(context, resolveOf(params.callId)),
}));

const resolveOf = (callId: string) => `${LIST}/${callId}/resolve`;

export default function Review({ loaderData: { review, refused } }: Route.ComponentProps) {
  const { t } = useTranslation("reconcile");
  return (
    <>
      <PageHeader
        back={{ to: LIST, label: t("title") }}
        title={t("review.title")}
        sub={<code className="wrap-anywhere">{review.callId}</code>}
      />
      <Columns>
        <Section title={t("review.happened")}>
          <Facts review={review} />
        </Section>
        <Section title={t("review.todo")}>
          <div className="grid gap-4">
            <p className="text-ink-2">{t("review.todoText")}</p>
            <Resolve review={review} refused={refused} />
          </div>
        </Section>
      </Columns>
    </>
  );
}

function Facts({ review }: { review: ReviewView }) {
  const { t } = useTranslation("reconcile");
  const { organisation, key, model, supplier, region, amountNanoUsd, admittedAt, reason, owner } = review;
  const { inputTokens, outputTokens, checkpointCostNanoUsd: known } = review;
  return (
    <div className="grid gap-4">
      <p>{reason === "lease_expired" ? t("reviews.leaseExpired") : reason || t("reviews.unknown")}</p>
      <DetailList
        rows={[
          [t("reviews.held"), <Money key="held" nano={amountNanoUsd} places={9} />],
          [t("review.admitted"), <DateTime key="at" at={admittedAt} />],
          [t("reviews.organisation"), organisation],
          [t("review.key"), key],
          [t("reviews.model"), model || "–"],
          [t("review.supplier"), [supplier, region].filter(Boolean).join(", ") || "–"],
          [t("review.process"), <code key="owner">{owner}</code>],
          [t("review.input"), inputTokens === null ? "–" : <Count key="in" value={inputTokens} />],
          [t("review.output"), outputTokens === null ? "–" : <Count key="out" value={outputTokens} />],
          [t("review.known"), known === null ? t("review.unknownCost") : <Money key="known" nano={known} places={9} />],
        ]}
      />
    </div>
  );
}

function Resolve({ review, refused }: { review: ReviewView; refused: RefusedValues | null }) {
  const { t } = useTranslation("reconcile");
  const known = review.checkpointCostNanoUsd !== null;
  const form = usePortalForm({
    id: "review",
    action: resolveOf(review.callId),
    schema: ReviewForm,
    labels: { resolution: t("review.resolution"), amount: t("review.amount"), reason: t("review.reason") },
    values: { resolution: known ? "checkpoint" : "release" },
    refused,
  });
  return (
    <PortalForm form={form} className="grid gap-4">
      <FormStack>
        <RadioGroup
          {...form.field("resolution")}
          options={[
            { value: "checkpoint", label: t("review.checkpoint"), hint: t("review.checkpointHint"), disabled: !known },
            { value: "charge", label: t("review.charge"), hint: t("review.chargeHint") },
            { value: "release", label: t("review.release"), hint: t("review.releaseHint") },
          ]}
        />
        <TextField {...form.field("amount")} hint={t("review.amountHint")} inputMode="decimal" autoComplete="off" />
        <TextField {...form.field("reason")} hint={t("review.reasonHint")} maxLength={300} required />
        <FormActions>
          <Button kind="primary">{t("review.submit")}</Button>
        </FormActions>
      </FormStack>
    </PortalForm>
  );
}
