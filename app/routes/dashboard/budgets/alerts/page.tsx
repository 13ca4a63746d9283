import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { refusedFormOf, unstoredSecretOf } from "~/access/flash.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { atLeast } from "~/domain/accounts/shared";
import { readAlertHistory, readAlertSettings, readWebhook } from "~/domain/budgets/index.server";
import type { AlertSettings } from "~/domain/budgets/shared";
import { Button } from "~/ui/Button";
import { DateTime } from "~/ui/Figures";
import { SwitchField, TextField } from "~/ui/forms/fields";
import { FormActions, FormStack } from "~/ui/forms/form-parts";
import { PortalForm } from "~/ui/forms/PortalForm";
import { type RefusedValues, usePortalForm } from "~/ui/forms/portal-form";
import type { PageHandle } from "~/ui/page-handle";
import { PageHeader, Section } from "~/ui/page-parts";
import { plainUsd } from "~/values/money";
import { BudgetTabs } from "../BudgetTabs";
import type { Route } from "./+types/page";
import { AlertHistory } from "./AlertHistory";
import { AlertForm } from "./alert-form.schema";
import { saveAlerts } from "./save-alerts.server";
import { WebhookCard } from "./WebhookCard";

export const handle: PageHandle = { hydrate: false };

const PAGE = "/dashboard/budgets/alerts";
const WEBHOOK = "/dashboard/budgets/webhook";
const SHOWN = 50;

export const loader = pageLoader({ allow: "viewer" }, async ({ actor, context }) => {
  const unstoredSecret = unstoredSecretOf(context, actor);
  const [settings, webhook, history] = await Promise.all([
    readAlertSettings(db(), actor),
    readWebhook(db(), actor),
    readAlertHistory(db(), actor, { limit: SHOWN }),
  ]);
  return {
    secret: webhook !== null && unstoredSecret?.kind === "alert-webhook" ? unstoredSecret.secret : null,
    webhook,
    refusedWebhook: refusedFormOf(context, WEBHOOK),
    settings,
    manages: atLeast(actor.role, "department_admin"),
    deliveries: history.deliveries,
  };
});

export const action = saveAlerts;

export default function BudgetAlerts({ loaderData: view, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("budgets");
  const { settings, manages, deliveries } = view;
  return (
    <>
      <PageHeader title={t("title")} sub={t("subtitle")} />
      <BudgetTabs current="alerts" />
      {settings.active ? null : <Activate />}
      <Settings settings={settings} refused={actionData?.form ?? null} />
      {manages || settings.consentedAt !== null ? <Consent settings={settings} /> : null}
      <WebhookCard webhook={view.webhook} secret={view.secret} refused={view.refusedWebhook} />
      <Section flush title={t("history.title")} id="history">
        <AlertHistory deliveries={deliveries} />
      </Section>
    </>
  );
}

/** Turns on the default alerts in one step. */
function Activate() {
  const { t } = useTranslation("budgets");
  return (
    <Section title={t("off.title")}>
      <form method="post" action={href("/dashboard/budgets/activate")} className="grid gap-3">
        <p className="text-ink-2">{t("off.text")}</p>
        <FormActions>
          <Button kind="primary">{t("off.activate")}</Button>
        </FormActions>
      </form>
    </Section>
  );
}

function Settings({ settings, refused }: { settings: AlertSettings; refused: RefusedValues | null }) {
  const { t } = useTranslation("budgets");
  const { active, thresholds, lowBalanceNanoUsd } = settings;
  const form = usePortalForm({
    id: "alerts",
    action: PAGE,
    schema: AlertForm,
    labels: { active: t("active"), thresholds: t("thresholds"), low_balance: t("lowBalance") },
    values: {
      active: active ? "on" : "",
      thresholds: thresholds.join(", "),
      low_balance: lowBalanceNanoUsd === null ? "" : plainUsd(lowBalanceNanoUsd),
    },
    refused,
  });
  return (
    <Section title={t("settings")} id="settings">
      <PortalForm form={form} className="grid gap-4">
        <FormStack>
          <SwitchField {...form.box("active")} hint={t("activeHint")} />
          <TextField {...form.field("thresholds")} hint={t("thresholdsHint")} autoComplete="off" required />
          <TextField
            {...form.field("low_balance")}
            hint={t("lowBalanceHint")}
            inputMode="decimal"
            autoComplete="off"
            placeholder="25.00"
          />
          <FormActions>
            <Button kind={active ? "primary" : undefined}>{t("save")}</Button>
          </FormActions>
        </FormStack>
      </PortalForm>
    </Section>
  );
}

function Consent({ settings: { consentedAt } }: { settings: AlertSettings }) {
  const { t } = useTranslation("budgets");
  const to = consentedAt === null ? href("/dashboard/budgets/consent") : href("/dashboard/budgets/consent/revoke");
  return (
    <Section title={t("consent.title")} id="consent">
      <form method="post" action={to} className="grid gap-3">
        <p className="text-ink-2">{t("consent.text")}</p>
        {consentedAt === null ? null : (
          <p>
            {t("consent.since")} <DateTime at={consentedAt} />
          </p>
        )}
        <FormActions>
          <Button kind={consentedAt === null ? "primary" : undefined}>
            {t(consentedAt === null ? "consent.give" : "consent.revoke")}
          </Button>
        </FormActions>
      </form>
    </Section>
  );
}
