import { useTranslation } from "react-i18next";
import { Button } from "~/ui/Button";
import { DateTime } from "~/ui/Figures";
import { FormActions, FormStack } from "~/ui/form-parts";
import { DetailList, Section } from "~/ui/page-parts";
import { TextField } from "~/ui/TextField";
import type { SettingsView } from "./view";

type Props = { view: SettingsView; problems: Readonly<Record<string, string>>; sent?: string };

/** The name that others see, and what the account is. */
export function Profile({ view: { account }, problems, sent }: Props) {
  const { t } = useTranslation("settings");
  return (
    <Section title={t("profile.title")}>
      <form method="post" className="grid gap-4">
        <input type="hidden" name="intent" value="profile" />
        <FormStack>
          <TextField
            name="name"
            label={t("profile.name")}
            hint={t("profile.nameHint")}
            defaultValue={sent ?? account.name}
            problem={problems.name}
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
      </form>
    </Section>
  );
}
