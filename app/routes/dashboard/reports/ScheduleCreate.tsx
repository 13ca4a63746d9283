import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { CADENCES, EXPORT_FORMATS } from "~/domain/reports/shared";
import { Button } from "~/ui/Button";
import { CheckboxField, SelectField, TextField } from "~/ui/fields";

/** Has a report written and sent again and again. */
export function ScheduleCreate({ reportId, zone }: { reportId: number; zone: string }) {
  const { t } = useTranslation("reports");
  return (
    <form method="post" action={href("/dashboard/reports/schedules")} className="grid gap-4">
      <input type="hidden" name="report_id" value={reportId} />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          name="cadence"
          label={t("schedule.cadence")}
          options={CADENCES.map((value) => ({ value, label: t(`schedule.cadences.${value}`) }))}
        />
        <TextField
          name="cron"
          label={t("schedule.cron")}
          hint={t("schedule.cronHint")}
          maxLength={100}
          autoComplete="off"
        />
        <TextField name="zone" label={t("zone")} defaultValue={zone} maxLength={64} autoComplete="off" />
        <SelectField
          id="schedule-format"
          name="format"
          label={t("export.format")}
          options={EXPORT_FORMATS.map((value) => ({ value, label: t(`export.formats.${value}`) }))}
        />
      </div>
      <CheckboxField name="by_mail" label={t("schedule.byMail")} defaultChecked />
      <CheckboxField name="by_webhook" label={t("schedule.byWebhook")} hint={t("schedule.byWebhookHint")} />
      <div>
        <Button>{t("schedule.create")}</Button>
      </div>
    </form>
  );
}
