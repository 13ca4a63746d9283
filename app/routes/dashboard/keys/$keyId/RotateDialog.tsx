import { useTranslation } from "react-i18next";
import type { RefusedHere } from "~/access/portal/page-action.server";
import { Button } from "~/ui/Button";
import { Dialog } from "~/ui/Dialog";
import { RadioGroup, TextField } from "~/ui/forms/fields";
import { FormActions } from "~/ui/forms/form-parts";
import { PortalForm } from "~/ui/forms/PortalForm";
import { type PortalFormState, usePortalForm } from "~/ui/forms/portal-form";
import { KeyActionForm } from "../key-form.schema";

const HOUR = 3600;

type Fields = PortalFormState<"overlap" | "overlap_hours">;

/**
 * Returns the form of a rotation. `isOpen`: it was rejected or restored, so it is on the page instead of in a dialog.
 */
export function useRotation(refused: RefusedHere | null): { form: Fields; isOpen: boolean } {
  const { t } = useTranslation("keys");
  const form = usePortalForm({
    id: "rotation",
    intent: "rotate",
    schema: KeyActionForm,
    labels: { overlap: t("rotate.overlap"), overlap_hours: t("rotate.hours") },
    values: { overlap: String(24 * HOUR) },
    refused,
  });
  return { form, isOpen: refused?.sent.intent === "rotate" || form.restored };
}

/** Asks for the time until which the previous secret remains valid. */
export function RotateDialog({ form }: { form: Fields }) {
  const { t } = useTranslation("keys");
  return (
    <Dialog id="rotate" title={t("rotate.title")}>
      <RotateForm form={form} />
    </Dialog>
  );
}

export function RotateForm({ form }: { form: Fields }) {
  const { t } = useTranslation("keys");
  const options = [
    { value: "0", label: t("rotate.overlaps.now") },
    { value: String(HOUR), label: t("rotate.overlaps.hour") },
    { value: String(24 * HOUR), label: t("rotate.overlaps.day") },
    { value: "custom", label: t("rotate.overlaps.custom") },
  ];
  return (
    <PortalForm form={form} className="grid gap-4">
      <p className="text-ink-2">{t("rotate.text")}</p>
      <RadioGroup {...form.field("overlap")} hint={t("rotate.consequence")} options={options} />
      <div className="max-w-52">
        <TextField
          {...form.field("overlap_hours")}
          hint={t("rotate.hoursHint")}
          inputMode="decimal"
          autoComplete="off"
        />
      </div>
      <FormActions>
        <Button kind="primary">{t("rotate.submit")}</Button>
      </FormActions>
    </PortalForm>
  );
}
