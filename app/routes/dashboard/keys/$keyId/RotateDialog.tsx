import { useTranslation } from "react-i18next";
import { Button } from "~/ui/Button";
import { Dialog } from "~/ui/Dialog";
import { RadioGroup } from "~/ui/fields";
import { FormActions } from "~/ui/form-parts";
import { TextField } from "~/ui/TextField";

const HOUR = 3600;

/** Asks how long the secret of now goes on working. */
export function RotateDialog() {
  const { t } = useTranslation("keys");
  const options = [
    { value: "0", label: t("rotate.overlaps.now") },
    { value: String(HOUR), label: t("rotate.overlaps.hour") },
    { value: String(24 * HOUR), label: t("rotate.overlaps.day") },
    { value: "custom", label: t("rotate.overlaps.custom") },
  ];
  return (
    <Dialog id="rotate" title={t("rotate.title")}>
      <p className="text-ink-2">{t("rotate.text")}</p>
      <form method="post" className="grid gap-4">
        <input type="hidden" name="intent" value="rotate" />
        <RadioGroup
          name="overlap"
          label={t("rotate.overlap")}
          hint={t("rotate.consequence")}
          options={options}
          defaultValue={String(24 * HOUR)}
        />
        <div className="max-w-52">
          <TextField
            name="overlap_hours"
            label={t("rotate.hours")}
            hint={t("rotate.hoursHint")}
            inputMode="decimal"
            autoComplete="off"
          />
        </div>
        <FormActions>
          <Button kind="primary">{t("rotate.submit")}</Button>
        </FormActions>
      </form>
    </Dialog>
  );
}
