import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { CADENCES, EXPORT_FORMATS } from "~/domain/reports/shared";
import { Button } from "~/ui/Button";
import { CheckboxField, SelectField, TextField } from "~/ui/forms/fields";
import { PortalForm } from "~/ui/forms/PortalForm";
import { type RefusedValues, usePortalForm } from "~/ui/forms/portal-form";
import { ScheduleForm } from "./schedule-form.schema";

/** Path of the schedule form. */
export const SCHEDULES = href("/dashboard/reports/schedules");

type Props = { reportId: number; zone: string; refused: RefusedValues | null };

/** The form that schedules a report, which is then written and sent repeatedly. */
export function ScheduleCreate({ reportId, zone, refused }: Props) {
  const { t } = useTranslation("reports");
  const form = usePortalForm({
    id: "new-schedule",
    action: SCHEDULES,
    schema: ScheduleForm,
    labels: {
      cadence: t("schedule.cadence"),
      cron: t("schedule.cron"),
      zone: t("zone"),
      format: t("export.format"),
      by_mail: t("schedule.byMail"),
      by_webhook: t("schedule.byWebhook"),
    },
    values: { cadence: CADENCES[0], zone, format: EXPORT_FORMATS[0], by_mail: "on" },
    refused,
  });
  return (
    <PortalForm form={form} className="grid gap-4">
      <input type="hidden" name="report_id" value={reportId} />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          {...form.field("cadence")}
          options={CADENCES.map((value) => ({ value, label: t(`schedule.cadences.${value}`) }))}
        />
        <TextField {...form.field("cron")} hint={t("schedule.cronHint")} maxLength={100} autoComplete="off" />
        <TextField {...form.field("zone")} maxLength={64} autoComplete="off" />
        <SelectField
          {...form.field("format")}
          options={EXPORT_FORMATS.map((value) => ({ value, label: t(`export.formats.${value}`) }))}
        />
      </div>
      <CheckboxField {...form.box("by_mail")} />
      <CheckboxField {...form.box("by_webhook")} hint={t("schedule.byWebhookHint")} />
      <div>
        <Button>{t("schedule.create")}</Button>
      </div>
    </PortalForm>
  );
}
