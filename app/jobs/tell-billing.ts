import { db } from "~/connection/db.server";
import { sendBillingNotices } from "~/domain/billing/index.server";
import { mailSenderOf } from "~/domain/organisations/index.server";
import { sendBillingNotice } from "~/mail/billing-emails.server";

/** Emails users about billing events. Returns the number of emails. */
export function sendBillingEmails(signal: AbortSignal): Promise<number> {
  return sendBillingNotices(
    db(),
    async (tx, { to, ...notice }) => {
      const { brand, origin } = await mailSenderOf(tx, to.organisationId);
      await sendBillingNotice(tx, to, { ...notice, brand, url: `${origin}/dashboard/billing` });
    },
    signal,
  );
}
