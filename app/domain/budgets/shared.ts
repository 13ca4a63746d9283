import type { BudgetPeriod, BudgetScope } from "~/domain/accounting/shared";

/** The sentence to which a manager consents; another sentence is another version. */
export const CONSENT_VERSION = "2026-11-23";
/** Percent of a limit that people are told about unless they choose others. */
export const DEFAULT_THRESHOLDS: readonly number[] = [50, 80, 90, 100];
export const MAX_THRESHOLDS = 10;

/**
 * `threshold`: so many percent of a limit are spent. `low_balance`: a wallet has no more than so much. `refusing`: requests are
 * refused because the budget is used up. `accepting`: it has room again.
 */
export type AlertKind = "threshold" | "low_balance" | "refusing" | "accepting";

/** What an alert is about. Amounts are nano-USD. */
export type AlertView = {
  kind: AlertKind;
  /** Percent, or nano-USD of a balance; 0 where the kind has none. */
  threshold: bigint;
  scope: BudgetScope | "wallet";
  scopeId: number;
  scopeName: string;
  period: BudgetPeriod | null;
  /** Of a wallet: what it had, its credit limit included, before what is held. */
  limitNanoUsd: bigint;
  spentNanoUsd: bigint;
  heldNanoUsd: bigint;
  availableNanoUsd: bigint;
  resetsAt: Date | null;
  /** When the budget is used up if spending goes on as it has; null where too little is known, or it lasts. */
  runsOutAt: Date | null;
  createdAt: Date;
};

type DeliveryChannel = "mail" | "webhook";
/** `sent`: handed over. `dead`: given up. `cancelled`: the addressee is not to be told any more. */
export type DeliveryState = "pending" | "sent" | "dead" | "cancelled";

/** An alert on its way to one person. */
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

/** Where a person has alerts sent to. */
export type WebhookView = {
  url: string;
  /** Since when nothing is sent, after too many failures in a row. */
  disabledAt: Date | null;
  lastAttemptAt: Date | null;
  lastStatus: number | null;
  lastError: string | null;
  failures: number;
};

/** What a person is told about. */
export type AlertSettings = {
  active: boolean;
  /** Percent, ascending. */
  thresholds: number[];
  lowBalanceNanoUsd: bigint | null;
  consentedAt: Date | null;
  consentVersion: string | null;
};
