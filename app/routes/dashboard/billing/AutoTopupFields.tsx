import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { AUTO_TOPUP_CONSENT_VERSION, type AutoTopupView } from "~/domain/billing/shared";
import { AutoTopupForm } from "~/routes/api/billing/auto-topup.schema";
import { Button } from "~/ui/Button";
import { CheckboxField, TextField } from "~/ui/forms/fields";
import { FormActions, FormStack } from "~/ui/forms/form-parts";
import { PortalForm } from "~/ui/forms/PortalForm";
import { type RefusedValues, usePortalForm } from "~/ui/forms/portal-form";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { plainUsd } from "~/values/money";

const USD = 1_000_000_000n;
const atMost = (nanoUsd: bigint, maximum: bigint | undefined) =>
  maximum !== undefined && maximum < nanoUsd ? maximum : nanoUsd;

/** The settings; each change needs a new consent. */
export function AutoTopupFields({ view, refused }: { view: AutoTopupView; refused: RefusedValues | null }) {
  const { t } = useTranslation("autoTopup");
  const { language } = useDocumentFacts();
  const { settings, policy, version } = view;
  const form = usePortalForm({
    id: "top-up",
    action: href("/api/billing/auto-topup"),
    schema: AutoTopupForm,
    labels: {
      threshold: t("threshold"),
      amount: t("amount"),
      daily_limit: t("dailyLimit"),
      monthly_limit: t("monthlyLimit"),
      consent: t("consent"),
    },
    values: {
      threshold: plainUsd(settings?.thresholdNanoUsd ?? 10n * USD),
      amount: plainUsd(settings?.amountNanoUsd ?? 25n * USD),
      daily_limit: plainUsd(settings?.dayLimitNanoUsd ?? atMost(100n * USD, policy?.maxDayNanoUsd)),
      monthly_limit: plainUsd(settings?.monthLimitNanoUsd ?? atMost(400n * USD, policy?.maxMonthNanoUsd)),
    },
    refused,
  });
  const money = { inputMode: "decimal", autoComplete: "off", required: true } as const;
  return (
    <PortalForm form={form} className="grid gap-4">
      <input type="hidden" name="active" value="true" />
      <input type="hidden" name="version" value={version} />
      <input type="hidden" name="consent_version" value={AUTO_TOPUP_CONSENT_VERSION} />
      <input type="hidden" name="consent_language" value={language} />
      <FormStack wide>
        <TextField {...form.field("threshold")} {...money} />
        <TextField {...form.field("amount")} {...money} hint={t("amountHint")} />
        <TextField {...form.field("daily_limit")} {...money} hint={hintOf(policy?.maxDayNanoUsd)} />
        <TextField {...form.field("monthly_limit")} {...money} hint={hintOf(policy?.maxMonthNanoUsd)} />
      </FormStack>
      <CheckboxField {...form.box("consent", "true")} defaultChecked={false} hint={t("consentText")} required />
      <FormActions>
        <Button kind="primary">
          {view.pause !== null ? t("resume") : view.consent === null ? t("save") : t("saveAgain")}
        </Button>
      </FormActions>
    </PortalForm>
  );

  function hintOf(amount: bigint | undefined) {
    return amount === undefined ? undefined : t("limitHint", { amount: String(amount) });
  }
}
