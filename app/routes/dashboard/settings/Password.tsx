import { useTranslation } from "react-i18next";
import type { RefusedHere } from "~/access/portal/page-action.server";
import { Button } from "~/ui/Button";
import { TextField } from "~/ui/forms/fields";
import { FormActions, FormStack } from "~/ui/forms/form-parts";
import { PortalForm } from "~/ui/forms/PortalForm";
import { usePortalForm } from "~/ui/forms/portal-form";
import { Section } from "~/ui/page-parts";
import { SettingsForm } from "./settings-form.schema";

/** Changes the password, or sets a first one for people who sign in through a provider. */
export function Password({ hasPassword, refused }: { hasPassword: boolean; refused: RefusedHere | null }) {
  const { t } = useTranslation("settings");
  const form = usePortalForm({
    id: "password",
    intent: "password",
    schema: SettingsForm,
    labels: {
      current_password: t("password.current"),
      new_password: t("password.fresh"),
      repeat_password: t("password.repeat"),
    },
    refused,
  });
  return (
    <Section title={t("password.title")}>
      <PortalForm form={form} className="grid gap-4">
        <FormStack>
          {hasPassword ? (
            <TextField {...form.field("current_password")} type="password" autoComplete="current-password" required />
          ) : (
            <p className="text-ink-2">{t("password.none")}</p>
          )}
          <TextField
            {...form.field("new_password")}
            type="password"
            hint={t("password.freshHint")}
            autoComplete="new-password"
            required
          />
          <TextField {...form.field("repeat_password")} type="password" autoComplete="new-password" required />
        </FormStack>
        <FormActions>
          <Button>{t(hasPassword ? "password.submit" : "password.set")}</Button>
        </FormActions>
      </PortalForm>
    </Section>
  );
}
