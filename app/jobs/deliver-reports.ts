import { config } from "~/config.server";
import { db } from "~/db.server";
import { deliverScheduledRuns } from "~/domain/reports/index.server";
import { sendReportEmail } from "~/mail/report-emails.server";

/** Tells people about the scheduled reports that are ready, or came to nothing. Returns how many. */
export function deliverReports(signal: AbortSignal): Promise<number> {
  const pages = `${config().baseUrl}/dashboard/reports`;
  return deliverScheduledRuns(
    db(),
    (tx, { email, personName, language, status, name, rows, exportId }) => {
      const url =
        status === "done" && exportId !== null ? `${pages}/exports/${exportId}/download` : `${pages}#schedules`;
      return sendReportEmail(
        tx,
        { email, name: personName, language },
        { status, report: name, rows, url, brand: "gw" },
      );
    },
    signal,
  );
}
