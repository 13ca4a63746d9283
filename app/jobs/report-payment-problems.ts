import { db } from "~/db.server";
import { tellPaymentProblems } from "~/domain/billing/index.server";
import { mailSenderOf } from "~/domain/organisations/index.server";
import { sendPaymentProblems } from "~/mail/payment-problem-emails.server";

/** Tells those who run the installation about payments that need their attention. Returns how many emails that were. */
export function reportPaymentProblems(): Promise<number> {
  return tellPaymentProblems(db(), async (tx, to, problems) => {
    const { brand, origin } = await mailSenderOf(tx, to.organisationId);
    await sendPaymentProblems(tx, to, { ...problems, brand, url: `${origin}/dashboard/admin/billing` });
  });
}
