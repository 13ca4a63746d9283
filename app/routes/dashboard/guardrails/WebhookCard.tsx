import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { GUARDRAIL_WEBHOOK_FAILURES, WEBHOOK_TIMEOUT_MS } from "~/domain/guardrails/shared";
import { Button } from "~/ui/Button";
import { RadioGroup, TextField } from "~/ui/forms/fields";
import { FormActions, FormStack } from "~/ui/forms/form-parts";
import { PortalForm } from "~/ui/forms/PortalForm";
import { type RefusedValues, usePortalForm } from "~/ui/forms/portal-form";
import { DetailList, Section } from "~/ui/page-parts";
import { UnstoredSecret } from "../UnstoredSecret";
import { GuardrailWebhookForm } from "./guardrail-form.schema";
import type { HolderView } from "./holder.server";

type View = HolderView & { secret: string | null; refused: RefusedValues | null };

const ACTION = "/dashboard/guardrails/webhook";

const Holder = ({ view: { holder } }: { view: View }) => (
  <input type="hidden" name={holder.kind === "key" ? "key_id" : "org_id"} value={holder.id} />
);

/** The webhook that is called before a request is sent; its secret is shown until it is stored. */
export function WebhookCard({ view }: { view: View }) {
  const { t } = useTranslation("guardrails");
  const { webhook, inheritsWebhook, mayChange, secret } = view;
  if (webhook === null && !mayChange && !inheritsWebhook) return null;
  return (
    <Section title={t("webhook.title")} id="webhook">
      <div className="grid grid-cols-1 gap-4">
        <p className="max-w-prose text-ink-2">{t("webhook.text")}</p>
        {inheritsWebhook ? <p className="max-w-prose text-ink-2">{t("webhook.inherited")}</p> : null}
        {secret === null ? null : (
          <div className="grid grid-cols-1 gap-3" role="status">
            <p className="font-strong">{t("webhook.secret")}</p>
            <UnstoredSecret secret={secret} what={t("webhook.title")} />
          </div>
        )}
        {mayChange ? <SaveForm view={view} /> : webhook === null ? null : <Shown webhook={webhook} />}
        {mayChange && webhook !== null ? <Acts view={view} /> : null}
      </div>
    </Section>
  );
}

function SaveForm({ view }: { view: View }) {
  const { t } = useTranslation("guardrails");
  const { webhook, refused } = view;
  const form = usePortalForm({
    id: "guardrail-webhook",
    action: href(ACTION),
    schema: GuardrailWebhookForm,
    labels: { url: t("webhook.url"), timeout_ms: t("webhook.timeout"), on_failure: t("webhook.onFailure") },
    values: {
      url: webhook?.url ?? "",
      timeout_ms: String(webhook?.timeoutMs || WEBHOOK_TIMEOUT_MS.usual),
      on_failure: webhook?.onFailure ?? "refuse",
    },
    refused: refused?.action === ACTION ? refused : null,
  });
  const { defaultValue: onFailure, ...failureField } = form.field("on_failure");
  return (
    <PortalForm form={form} className="grid gap-4">
      <input type="hidden" name="act" value="save" />
      <Holder view={view} />
      <FormStack>
        <TextField
          {...form.field("url")}
          type="url"
          placeholder="https://"
          autoComplete="off"
          maxLength={2_000}
          required
        />
        <TextField
          {...form.field("timeout_ms")}
          type="number"
          min={WEBHOOK_TIMEOUT_MS.least}
          max={WEBHOOK_TIMEOUT_MS.most}
          hint={t("webhook.timeoutHint")}
          required
        />
        <RadioGroup
          {...failureField}
          defaultValue={onFailure}
          options={GUARDRAIL_WEBHOOK_FAILURES.map((value) => ({
            value,
            label: t(`webhook.failure.${value}`),
            hint: t(`webhook.failureHint.${value}`),
          }))}
        />
        <FormActions>
          <Button kind="primary">{t("webhook.save")}</Button>
        </FormActions>
      </FormStack>
    </PortalForm>
  );
}

/** For readers who may not change it. */
function Shown({ webhook: { host, timeoutMs, onFailure } }: { webhook: NonNullable<View["webhook"]> }) {
  const { t } = useTranslation("guardrails");
  return (
    <DetailList
      rows={[
        [t("webhook.url"), host],
        [t("webhook.timeout"), timeoutMs],
        [t("webhook.onFailure"), t(`webhook.failure.${onFailure}`)],
      ]}
    />
  );
}

function Acts({ view }: { view: View }) {
  const { t } = useTranslation("guardrails");
  return (
    <div className="border-line border-t pt-3.5">
      <FormActions>
        {(["rotate", "remove"] as const).map((act) => (
          <form key={act} method="post" action={href(ACTION)}>
            <input type="hidden" name="act" value={act} />
            <Holder view={view} />
            <Button>{t(`webhook.${act}`)}</Button>
          </form>
        ))}
      </FormActions>
    </div>
  );
}
