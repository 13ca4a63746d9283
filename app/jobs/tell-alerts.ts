import { config } from "~/config.server";
import { db } from "~/db.server";
import { deliverAlerts } from "~/domain/budgets/index.server";
import { sendBudgetAlert, sendWebhookDisabled } from "~/mail/alert-emails.server";

/** Sends the alerts that are due. Returns how many. */
export function tellAlerts(signal: AbortSignal): Promise<number> {
  const from = { url: `${config().baseUrl}/dashboard/budgets`, brand: "gw" };
  return deliverAlerts(
    db(),
    {
      alert: (tx, to, alert) => sendBudgetAlert(tx, to, { ...alert, ...from }),
      webhookDisabled: (tx, to) => sendWebhookDisabled(tx, to, from),
    },
    signal,
  );
}
