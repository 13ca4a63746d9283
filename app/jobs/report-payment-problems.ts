import { db } from "~/connection/db.server";
import { emailPaymentProblems } from "~/domain/billing/index.server";
import { mailSenderOf } from "~/domain/organisations/index.server";
import { sendPaymentProblems } from "~/mail/payment-problem-emails.server";

/** Emails the operators about payments that need their attention. Returns the number of emails. */
export function reportPaymentProblems(): Promise<number> {
  return emailPaymentProblems(db(), async (tx, to, problems) => {
    const { brand, origin } = await mailSenderOf(tx, to.organisationId);
    await sendPaymentProblems(tx, to, { ...problems, brand, url: `${origin}/dashboard/admin/billing` });
  });
}
