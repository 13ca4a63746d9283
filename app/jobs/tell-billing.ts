import { db } from "~/connection/db.server";
import { tellBillingNotices } from "~/domain/billing/index.server";
import { mailSenderOf } from "~/domain/organisations/index.server";
import { sendBillingNotice } from "~/mail/billing-emails.server";

/** Emails users about billing events. Returns the number of emails. */
export function tellBilling(signal: AbortSignal): Promise<number> {
  return tellBillingNotices(
    db(),
    async (tx, { to, ...notice }) => {
      const { brand, origin } = await mailSenderOf(tx, to.organisationId);
      await sendBillingNotice(tx, to, { ...notice, brand, url: `${origin}/dashboard/billing` });
    },
    signal,
  );
}
