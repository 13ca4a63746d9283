import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { VISIBILITIES } from "~/domain/reports/shared";
import { Button } from "~/ui/Button";
import { SelectField, TextField } from "~/ui/forms/fields";
import { FormActions, FormStack } from "~/ui/forms/form-parts";
import { PortalForm } from "~/ui/forms/PortalForm";
import { type RefusedValues, usePortalForm } from "~/ui/forms/portal-form";
import { NewReportForm } from "./report-form.schema";

type Props = { question: string; hasDepartment: boolean; refused: RefusedValues | undefined };

/** Saves the question of the builder under a name. */
export function SaveReport({ question, hasDepartment, refused }: Props) {
  const { t } = useTranslation("reports");
  const form = usePortalForm({
    id: "report",
    action: href("/dashboard/reports"),
    schema: NewReportForm,
    labels: { name: t("save.name"), visibility: t("save.visibility") },
    values: { visibility: "private" },
    refused,
  });
  const choices = VISIBILITIES.filter((name) => name !== "department" || hasDepartment);
  return (
    <PortalForm form={form} className="grid gap-4">
      <input type="hidden" name="question" value={refused?.sent.question ?? question} />
      <FormStack>
        <TextField {...form.field("name")} required maxLength={120} autoComplete="off" />
        <SelectField
          {...form.field("visibility")}
          hint={t("save.visibilityHint")}
          options={choices.map((value) => ({ value, label: t(`visibility.${value}`) }))}
        />
        <FormActions>
          <Button kind="primary">{t("save.button")}</Button>
        </FormActions>
      </FormStack>
    </PortalForm>
  );
}
