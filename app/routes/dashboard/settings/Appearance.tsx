import { useTranslation } from "react-i18next";
import { LANGUAGE_NAMES, LANGUAGES } from "~/i18n/languages";
import { Button } from "~/ui/Button";
import { RadioGroup, SelectField } from "~/ui/fields";
import { FormActions, FormStack } from "~/ui/form-parts";
import { Section } from "~/ui/page-parts";
import { TextField } from "~/ui/TextField";
import { THEMES } from "~/ui/theme";
import type { SettingsView } from "./view";

type Props = { view: SettingsView; problems: Readonly<Record<string, string>>; sent?: string };

/** Language, time zone and colours. */
export function Appearance({ view, problems, sent }: Props) {
  const { t } = useTranslation("settings");
  return (
    <Section title={t("looks.title")}>
      <form method="post" className="grid gap-4">
        <input type="hidden" name="intent" value="looks" />
        <FormStack>
          <SelectField
            name="language"
            label={t("looks.language")}
            defaultValue={view.language}
            options={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
          />
          <TextField
            name="time_zone"
            list="time-zones"
            label={t("looks.timeZone")}
            hint={t("looks.timeZoneHint")}
            placeholder="UTC"
            autoComplete="off"
            defaultValue={sent ?? view.account.timeZone ?? ""}
            problem={problems.time_zone}
          />
          <datalist id="time-zones">
            {view.timeZones.map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
          <RadioGroup
            name="theme"
            label={t("looks.theme")}
            inline
            defaultValue={view.theme}
            options={THEMES.map((value) => ({ value, label: t(`looks.themes.${value}`) }))}
          />
        </FormStack>
        <FormActions>
          <Button>{t("save")}</Button>
        </FormActions>
      </form>
    </Section>
  );
}
