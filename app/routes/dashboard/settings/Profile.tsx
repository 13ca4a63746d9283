import { useTranslation } from "react-i18next";
import type { RefusedHere } from "~/access/portal/page-action.server";
import { Button } from "~/ui/Button";
import { DateTime } from "~/ui/Figures";
import { TextField } from "~/ui/forms/fields";
import { FormActions, FormStack } from "~/ui/forms/form-parts";
import { PortalForm } from "~/ui/forms/PortalForm";
import { usePortalForm } from "~/ui/forms/portal-form";
import { DetailList, Section } from "~/ui/page-parts";
import { SettingsForm } from "./settings-form.schema";
import type { SettingsView } from "./view";

type Props = { view: SettingsView; refused: RefusedHere | null };

/** The displayed name, and facts about the account. */
export function Profile({ view: { account }, refused }: Props) {
  const { t } = useTranslation("settings");
  const form = usePortalForm({
    id: "profile",
    intent: "profile",
    schema: SettingsForm,
    labels: { name: t("profile.name") },
    values: { name: account.name },
    refused,
  });
  return (
    <Section title={t("profile.title")}>
      <PortalForm form={form} className="grid gap-4">
        <FormStack>
          <TextField
            {...form.field("name")}
            hint={t("profile.nameHint")}
            autoComplete="name"
            maxLength={120}
            required
          />
        </FormStack>
        <DetailList
          rows={[
            [t("profile.email"), account.email],
            [t("profile.role"), t(`roles.${account.role}`)],
            [t("profile.organisation"), account.organisation],
            [t("profile.department"), account.department ?? t("profile.none")],
            [t("profile.since"), <DateTime key="since" at={account.createdAt} dateOnly />],
          ]}
        />
        <FormActions>
          <Button>{t("save")}</Button>
        </FormActions>
      </PortalForm>
    </Section>
  );
}
