import { type Db, db } from "~/connection/db.server";
import { deliverAlerts } from "~/domain/budgets/index.server";
import { mailSenderOf } from "~/domain/organisations/index.server";
import { sendBudgetAlert, sendWebhookDisabled } from "~/mail/alert-emails.server";

/** Sends the alerts that are due. Returns their number. */
export function tellAlerts(signal: AbortSignal): Promise<number> {
  return deliverAlerts(
    db(),
    {
      alert: async (tx, to, alert) => sendBudgetAlert(tx, to, { ...alert, ...(await senderOf(tx, to)) }),
      webhookDisabled: async (tx, to) => sendWebhookDisabled(tx, to, await senderOf(tx, to)),
    },
    signal,
  );
}

async function senderOf(tx: Db, { organisationId }: { organisationId: number }) {
  const { brand, origin } = await mailSenderOf(tx, organisationId);
  return { brand, url: `${origin}/dashboard/budgets/alerts` };
}
