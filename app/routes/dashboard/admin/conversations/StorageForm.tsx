import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { type ConversationSettings, REDACTIONS } from "~/domain/organisations/shared";
import { Button } from "~/ui/Button";
import { CheckboxField, SwitchField, TextArea, TextField } from "~/ui/forms/fields";
import { FormActions, FormStack } from "~/ui/forms/form-parts";
import { PortalForm } from "~/ui/forms/PortalForm";
import { type RefusedValues, usePortalForm } from "~/ui/forms/portal-form";
import { Section } from "~/ui/page-parts";
import { ConversationSettingsForm } from "./settings.schema";

type Props = { settings: ConversationSettings | null; organisationId: number; refused: RefusedValues | null };

/** Storage of conversations: whether, for how long, and with which redactions. */
export function StorageForm({ settings, organisationId, refused }: Props) {
  const { t } = useTranslation("conversations");
  const form = usePortalForm({
    id: "storage",
    action: href("/dashboard/admin/conversations/settings"),
    schema: ConversationSettingsForm,
    labels: {
      stored: t("settings.stored"),
      days: t("settings.days"),
      redact_email: t("settings.email"),
      redact_card: t("settings.card"),
      redact_secret: t("settings.secret"),
      words: t("settings.words"),
    },
    values: {
      stored: settings === null ? "" : "on",
      days: String(settings?.days ?? 30),
      // By default all kinds of sensitive data are redacted.
      ...Object.fromEntries(
        REDACTIONS.map((kind) => [`redact_${kind}`, (settings?.redact.includes(kind) ?? true) ? "on" : ""]),
      ),
      words: settings?.words.join("\n") ?? "",
    },
    refused,
  });
  return (
    <Section title={t("settings.title")} id="settings">
      <PortalForm form={form} className="grid gap-4">
        <p className="text-ink-2">{t("settings.text")}</p>
        <input type="hidden" name="org_id" value={organisationId} />
        <FormStack>
          <SwitchField {...form.box("stored")} hint={t("settings.storedHint")} />
          <TextField {...form.field("days")} type="number" min={1} max={365} hint={t("settings.daysHint")} required />
          {REDACTIONS.map((kind) => (
            <CheckboxField key={kind} {...form.box(`redact_${kind}`)} />
          ))}
          <TextArea {...form.field("words")} rows={3} hint={t("settings.wordsHint")} spellCheck={false} />
          <FormActions>
            <Button kind="primary">{t("settings.save")}</Button>
          </FormActions>
        </FormStack>
      </PortalForm>
    </Section>
  );
}
