import { pageAction } from "~/access/portal/page-action.server";
import { db } from "~/connection/db.server";
import { changeAlertSettings } from "~/domain/budgets/index.server";
import { AlertForm } from "./alert-form.schema";

/** Changes the settings of the caller's alerts. */
export const saveAlerts = pageAction({ allow: "viewer", body: AlertForm }, async ({ actor, body }) => {
  const { active, thresholds, low_balance: lowBalanceNanoUsd } = body;
  await changeAlertSettings(db(), actor, { active, thresholds, lowBalanceNanoUsd });
  return { to: "/dashboard/budgets/alerts", toast: "budgets:saved", answer: { active, thresholds } };
});
