import type { BudgetPeriod, BudgetScope } from "~/domain/accounting/shared";

export { BUDGET_STATES, forecastOf } from "./forecast";
export { BUDGET_SORTS, type BudgetNode, type BudgetSort, type NodeRef } from "./tree/node";

/** Version of the consent text for managers. Change it with the text. */
export const CONSENT_VERSION = "2026-11-23";
/** Default thresholds, in percent of a limit. */
export const DEFAULT_THRESHOLDS: readonly number[] = [50, 80, 90, 100];
export const MAX_THRESHOLDS = 10;

/**
 * `threshold`: a percentage of a limit is spent. `low_balance`: a wallet's balance is at or below an amount. `refusing`: requests are
 * rejected because the budget is spent. `accepting`: the budget has room again.
 */
export type AlertKind = "threshold" | "low_balance" | "refusing" | "accepting";

/** An alert. Amounts are nano-USD. */
export type AlertView = {
  kind: AlertKind;
  /** Percent, or nano-USD of a balance; 0 for kinds without a threshold. */
  threshold: bigint;
  scope: BudgetScope | "wallet";
  scopeId: number;
  scopeName: string;
  period: BudgetPeriod | null;
  /** For a wallet: balance plus credit limit, before subtracting holds. */
  limitNanoUsd: bigint;
  spentNanoUsd: bigint;
  heldNanoUsd: bigint;
  availableNanoUsd: bigint;
  resetsAt: Date | null;
  /** When the budget is spent at the current pace; null: too little data, or it lasts until the period ends. */
  runsOutAt: Date | null;
  createdAt: Date;
};

type DeliveryChannel = "mail" | "webhook";
/** `sent`: delivered. `dead`: abandoned after failures. `cancelled`: the addressee is no longer subscribed. */
export type DeliveryState = "pending" | "sent" | "dead" | "cancelled";

/** The delivery of an alert to one person. */
export type AlertDelivery = AlertView & {
  id: bigint;
  alertId: bigint;
  channel: DeliveryChannel;
  state: DeliveryState;
  attempts: number;
  nextAttemptAt: Date | null;
  sentAt: Date | null;
  error: string | null;
};

/** A person's webhook for alerts. */
export type WebhookView = {
  url: string;
  /** When the webhook was disabled after too many consecutive failures; null: enabled. */
  disabledAt: Date | null;
  lastAttemptAt: Date | null;
  lastStatus: number | null;
  lastError: string | null;
  failures: number;
};

/** A person's alert settings. */
export type AlertSettings = {
  active: boolean;
  /** Percent, ascending. */
  thresholds: number[];
  lowBalanceNanoUsd: bigint | null;
  consentedAt: Date | null;
  consentVersion: string | null;
};
