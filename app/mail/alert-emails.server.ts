import type { Db } from "~/connection/db.server";
import { isLanguage, LANGUAGES } from "~/i18n/languages";
import { i18nFor } from "~/i18n/server.server";
import { momentIn, send } from "./emails.server";

/** Contents of an alert about a budget or a wallet. Amounts are nano-USD; a threshold is percent or nano-USD. */
export type BudgetAlert = {
  kind: "threshold" | "low_balance" | "refusing" | "accepting";
  threshold: bigint;
  scope: "key" | "user" | "department" | "project" | "organisation" | "wallet";
  scopeName: string;
  limitNanoUsd: bigint;
  spentNanoUsd: bigint;
  heldNanoUsd: bigint;
  availableNanoUsd: bigint;
  resetsAt: Date | null;
  runsOutAt: Date | null;
};

type Person = { email: string; name: string; language: string | null };

/**
 * Emails an alert about a budget or a wallet. `db`: the transaction that marks the alert as sent. `url`: page of the
 * alert settings.
 */
export function sendBudgetAlert(
  db: Db,
  person: Person,
  alert: BudgetAlert & { url: string; brand: string },
): Promise<void> {
  const language = isLanguage(person.language) ? person.language : LANGUAGES[0];
  const { kind, scopeName, resetsAt, runsOutAt } = alert;
  const scope = i18nFor(language).getFixedT(language, "budgets")(`scope.${alert.scope}`);
  const facts = {
    name: scopeName,
    scope,
    share: Number(alert.threshold),
    threshold: alert.threshold,
    limit: alert.limitNanoUsd,
    spent: alert.spentNanoUsd,
    held: alert.heldNanoUsd,
    available: alert.availableNanoUsd,
  };
  const email = { to: person.email, name: person.name, language, brand: alert.brand, url: alert.url };
  const template =
    alert.scope === "wallet" && (kind === "refusing" || kind === "accepting") ? (`wallet_${kind}` as const) : kind;
  return send(db, "budget_alert", email, (t) => ({
    subject: t(`budgetAlert.${template}.subject`, facts),
    paragraphs: [
      t(`budgetAlert.${template}.text`, facts),
      t(alert.scope === "wallet" ? "budgetAlert.balance" : "budgetAlert.amounts", facts),
      ...(runsOutAt === null ? [] : [t("budgetAlert.runsOut", { at: momentIn(language, runsOutAt) })]),
      ...(resetsAt === null ? [] : [t("budgetAlert.resets", { at: momentIn(language, resetsAt) })]),
    ],
    action: t("budgetAlert.action"),
    notes: [t("budgetAlert.why")],
  }));
}

/** Emails the owner of a webhook that it is disabled after too many failures. */
export function sendWebhookDisabled(db: Db, person: Person, from: { url: string; brand: string }): Promise<void> {
  const language = isLanguage(person.language) ? person.language : LANGUAGES[0];
  return send(db, "alert_webhook_disabled", { to: person.email, name: person.name, language, ...from }, (t) => ({
    subject: t("webhookDisabled.subject"),
    paragraphs: [t("webhookDisabled.text")],
    action: t("budgetAlert.action"),
  }));
}
