import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { changeAlertSettings } from "~/domain/budgets/index.server";
import { ActivateForm } from "./alerts/alert-form.schema";

/** Turns the caller's alerts on. */
const activate = portalEndpoint({
  allow: "viewer",
  page: "/dashboard/budgets/alerts",
  POST: {
    body: ActivateForm,
    run: async ({ actor, body: { thresholds, low_balance: lowBalanceNanoUsd } }) => {
      await changeAlertSettings(db(), actor, {
        active: true,
        ...(thresholds === undefined ? {} : { thresholds }),
        ...(lowBalanceNanoUsd === undefined ? {} : { lowBalanceNanoUsd }),
      });
      return done({ to: "/dashboard/budgets/alerts", toast: "budgets:activated", answer: { active: true } });
    },
  },
});

export const loader = activate;
export const action = activate;
