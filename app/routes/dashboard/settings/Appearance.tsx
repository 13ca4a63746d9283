import { useTranslation } from "react-i18next";
import type { RefusedHere } from "~/access/portal/page-action.server";
import { LANGUAGE_NAMES, LANGUAGES } from "~/i18n/languages";
import { Button } from "~/ui/Button";
import { RadioGroup, SelectField, TextField } from "~/ui/forms/fields";
import { FormActions, FormStack } from "~/ui/forms/form-parts";
import { PortalForm } from "~/ui/forms/PortalForm";
import { usePortalForm } from "~/ui/forms/portal-form";
import { Section } from "~/ui/page-parts";
import { THEMES } from "~/ui/theme/theme";
import { SettingsForm } from "./settings-form.schema";
import type { SettingsView } from "./view";

type Props = { view: SettingsView; refused: RefusedHere | null };

/** Language, time zone and theme. */
export function Appearance({ view, refused }: Props) {
  const { t } = useTranslation("settings");
  const form = usePortalForm({
    id: "looks",
    intent: "looks",
    schema: SettingsForm,
    labels: { language: t("looks.language"), time_zone: t("looks.timeZone"), theme: t("looks.theme") },
    values: { language: view.language, time_zone: view.account.timeZone ?? "", theme: view.theme },
    refused,
  });
  return (
    <Section title={t("looks.title")}>
      <PortalForm form={form} className="grid gap-4">
        <FormStack>
          <SelectField
            {...form.field("language")}
            options={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
          />
          <TextField
            {...form.field("time_zone")}
            list="time-zones"
            hint={t("looks.timeZoneHint")}
            placeholder="UTC"
            autoComplete="off"
          />
          <datalist id="time-zones">
            {view.timeZones.map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
          <RadioGroup
            {...form.field("theme")}
            inline
            options={THEMES.map((value) => ({ value, label: t(`looks.themes.${value}`) }))}
          />
        </FormStack>
        <FormActions>
          <Button>{t("save")}</Button>
        </FormActions>
      </PortalForm>
    </Section>
  );
}
