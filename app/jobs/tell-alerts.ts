import { config } from "~/config.server";
import { db } from "~/db.server";
import { deliverAlerts } from "~/domain/budgets/index.server";
import { sendBudgetAlert } from "~/mail/alert-emails.server";

/** Sends the alerts that are due. Returns how many. */
export function tellAlerts(signal: AbortSignal): Promise<number> {
  const url = `${config().baseUrl}/dashboard/budgets`;
  return deliverAlerts(db(), (tx, to, alert) => sendBudgetAlert(tx, to, { ...alert, url, brand: "gw" }), signal);
}
