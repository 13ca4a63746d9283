import { useTranslation } from "react-i18next";
import { href } from "react-router";
import type { WebhookView } from "~/domain/budgets/shared";
import { Button } from "~/ui/Button";
import { DateTime } from "~/ui/Figures";
import { TextField } from "~/ui/forms/fields";
import { FormActions, FormStack } from "~/ui/forms/form-parts";
import { PortalForm } from "~/ui/forms/PortalForm";
import { type RefusedValues, usePortalForm } from "~/ui/forms/portal-form";
import { Badge, Section } from "~/ui/page-parts";
import { UnstoredSecret } from "../../UnstoredSecret";
import { WebhookForm } from "../webhook.schema";

type Props = { webhook: WebhookView | null; secret: string | null; refused: RefusedValues | null };

/**
 * The webhook that receives alerts besides the email; its secret is shown until the person confirms that they have
 * stored it.
 */
export function WebhookCard({ webhook, secret, refused }: Props) {
  const { t } = useTranslation("budgets");
  const form = usePortalForm({
    id: "webhook",
    action: href("/dashboard/budgets/webhook"),
    schema: WebhookForm,
    labels: { url: t("webhook.url") },
    values: { url: webhook?.url ?? "" },
    refused,
  });
  return (
    <Section title={t("webhook.title")} id="webhook">
      <div className="grid grid-cols-1 gap-4">
        <p className="text-ink-2">{t("webhook.text")}</p>
        {secret === null ? null : (
          <div className="grid grid-cols-1 gap-3" role="status">
            <p className="font-strong">{t("webhook.secret")}</p>
            <UnstoredSecret secret={secret} what={t("webhook.title")} />
          </div>
        )}
        {webhook?.disabledAt ? (
          <p role="alert" className="rounded-lg bg-bad-soft px-3.5 py-2.5 text-bad">
            {t("webhook.disabled")}
          </p>
        ) : null}
        <PortalForm form={form} className="grid gap-4">
          <input type="hidden" name="act" value="save" />
          <FormStack>
            <TextField
              {...form.field("url")}
              type="url"
              placeholder="https://"
              autoComplete="off"
              maxLength={2_000}
              required
            />
            <FormActions>
              <Button kind="primary">{t("webhook.save")}</Button>
            </FormActions>
          </FormStack>
        </PortalForm>
        {webhook === null ? null : <Existing webhook={webhook} />}
      </div>
    </Section>
  );
}

function Existing({ webhook: { lastAttemptAt, lastStatus, lastError } }: { webhook: WebhookView }) {
  const { t } = useTranslation("budgets");
  return (
    <div className="grid gap-3 border-line border-t pt-3.5">
      {lastAttemptAt === null ? null : (
        <p className="flex flex-wrap items-center gap-1.5 text-ink-2">
          {t("webhook.last")} <DateTime at={lastAttemptAt} />
          <Badge kind={lastError === null ? "good" : "bad"}>{lastStatus ?? "–"}</Badge>
          {lastError}
        </p>
      )}
      <FormActions>
        {(["test", "rotate", "remove"] as const).map((act) => (
          <form key={act} method="post" action={href("/dashboard/budgets/webhook")}>
            <input type="hidden" name="act" value={act} />
            <Button>{t(`webhook.${act}`)}</Button>
          </form>
        ))}
      </FormActions>
    </div>
  );
}
