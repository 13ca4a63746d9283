import { db } from "~/connection/db.server";
import { mailSenderOf } from "~/domain/organisations/index.server";
import { deliverScheduledRuns } from "~/domain/reports/index.server";
import { sendReportEmail } from "~/mail/report-emails.server";

/** Emails recipients about scheduled reports that are ready or have failed. Returns the number of reports. */
export function deliverReports(signal: AbortSignal): Promise<number> {
  return deliverScheduledRuns(
    db(),
    async (tx, { email, personName, language, organisationId, status, name, rows, exportId }) => {
      const { brand, origin } = await mailSenderOf(tx, organisationId);
      const pages = `${origin}/dashboard/reports`;
      const url =
        status === "done" && exportId !== null ? `${pages}/exports/${exportId}/download` : `${pages}#schedules`;
      await sendReportEmail(tx, { email, name: personName, language }, { status, report: name, rows, url, brand });
    },
    signal,
  );
}
