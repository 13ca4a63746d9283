import { z } from "zod";
import type { ReviewHold } from "~/domain/accounting/shared";

/** A saved card's id at the processor. */
export const PaymentMethodId = z.string().regex(/^pm_\w{1,250}$/);

/** State of a payment: created here, open at the processor, in progress (some payment methods take days), or ended. */
const PAYMENT_STATES = ["created", "open", "pending", "paid", "failed", "expired"] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

export const PAYER_KINDS = ["organisation", "user", "project"] as const;
export type PayerKind = (typeof PAYER_KINDS)[number];

/** A possible owner of a wallet, as a search result; `about`: their organisation. */
export type PayerChoice = { kind: PayerKind; id: number; name: string; about: string | null };

/** Returns whether a checkout has reached its final state: confirmed, failed or expired. */
export const isCheckoutOver = ({ state, confirmed }: { state: string; confirmed: boolean }): boolean =>
  confirmed || state === "failed" || state === "expired";

/** A payment, for its payer. Amounts are nano-USD. */
export type PaymentView = {
  id: string;
  state: PaymentState;
  /** The amount that the wallet received or will receive. */
  creditNanoUsd: bigint;
  feeNanoUsd: bigint;
  /** The charged amount, including tax; null before the charge. */
  chargedNanoUsd: bigint | null;
  /** The part of the credit that was taken back after refunds and disputes. */
  reversedNanoUsd: bigint;
  createdAt: Date;
  paidAt: Date | null;
  /** Such as "visa 4242". */
  card: string | null;
  /** The processor's page with the receipt. */
  receiptUrl: string | null;
};

/** Public configuration of the processor. Amounts are nano-USD. */
export type ProcessorConfig = {
  configured: boolean;
  publishableKey: string | null;
  livemode: boolean;
  tax: boolean;
  feeMillionths: bigint;
  feeFixedNanoUsd: bigint;
  minNanoUsd: bigint;
  maxNanoUsd: bigint;
};

/** A saved card. */
export type PaymentMethodView = {
  id: string;
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
  expired: boolean;
  isDefault: boolean;
};

/** An event that could not be applied and that an operator must examine. */
export type DeadEvent = {
  id: string;
  type: string;
  error: string;
  attempts: number;
  deliveries: number;
  receivedAt: Date;
};

/**
 * Version of the sentence by which a person consents to automatic charges of a card. Another sentence needs another
 * version.
 */
export const AUTO_TOPUP_CONSENT_VERSION = "2026-11-24";

/**
 * State of an automatic charge. `unknown`: the processor has not answered, and the charge is looked up.
 * `requires_action`: the bank requires its owner to confirm it.
 */
export const AUTO_TOPUP_STATES = [
  "created",
  "submitted",
  "unknown",
  "requires_action",
  "succeeded",
  "failed",
  "cancelled",
] as const;
export type AutoTopupState = (typeof AUTO_TOPUP_STATES)[number];

/** The operator's limits for each wallet. Amounts are nano-USD with the fee. */
export type AutoTopupPolicy = {
  version: number;
  approved: boolean;
  maxChargeNanoUsd: bigint;
  maxDayNanoUsd: bigint;
  maxMonthNanoUsd: bigint;
};
export type AutoTopupPolicyView = AutoTopupPolicy & { decidedBy: string; decidedAt: Date };

/** Claims on a payment that pause the auto top-up of its wallet. */
export const AUTO_TOPUP_PAUSE_REASONS = ["refund", "dispute", "inquiry", "fraud_warning"] as const;
export type AutoTopupPauseReason = (typeof AUTO_TOPUP_PAUSE_REASONS)[number];

/**
 * Why a wallet is not charged at present. `idle`: its balance is sufficient; `paused`: there was a claim on a payment,
 * and no consent since.
 */
export const AUTO_TOPUP_WAITS = [
  "off",
  "paused",
  "idle",
  "open",
  "no_processor",
  "no_policy",
  "over_policy",
  "exempt",
  "not_entitled",
  "no_card",
  "card_expired",
  "card_refused",
  "backing_off",
  "day_limit",
  "month_limit",
  "due",
] as const;
export type AutoTopupWait = Exclude<(typeof AUTO_TOPUP_WAITS)[number], "due">;

/** A charge, for its owner. Amounts are nano-USD. */
export type AutoTopupOperationView = {
  id: string;
  state: AutoTopupState;
  settingsVersion: number;
  amountNanoUsd: bigint;
  feeNanoUsd: bigint;
  /** Whether the wallet has the credit. */
  confirmed: boolean;
  failure: string | null;
  /** The processor's page where the owner confirms it, while that is required. */
  actionUrl: string | null;
  createdAt: Date;
  submittedAt: Date | null;
  endedAt: Date | null;
};

/** Data of auto top-up for the wallet page. Amounts are nano-USD. */
export type AutoTopupView = {
  /** 0 before the first settings. */
  version: number;
  wait: AutoTopupWait | "due";
  policy: AutoTopupPolicy | null;
  settings: {
    thresholdNanoUsd: bigint;
    amountNanoUsd: bigint;
    dayLimitNanoUsd: bigint;
    monthLimitNanoUsd: bigint;
  } | null;
  consent: { version: string; language: string; at: Date; by: string; isOwn: boolean } | null;
  /** The payment whose claim paused it; null when it is not paused for one. */
  pause: { reason: AutoTopupPauseReason; at: Date; paymentId: string } | null;
  /** Includes fees and charges in progress. */
  usedTodayNanoUsd: bigint;
  usedThisMonthNanoUsd: bigint;
  /** The card that would be charged, such as "visa 4242". */
  card: string | null;
  lastOperation: (AutoTopupOperationView & { isOwn: boolean }) | null;
  nextAttemptAt: Date | null;
};

/**
 * An auto top-up that waits for a new consent, for owners and platform admins. The amount is nano-USD, with its fee.
 */
export type PausedAutoTopup = {
  walletId: number;
  payer: string;
  reason: AutoTopupPauseReason;
  pausedAt: Date;
  paymentId: string;
  amountNanoUsd: bigint;
};

/** A payment that was paid with another amount than requested; cents exclude tax that was added on top. */
export type PaymentMismatch = {
  paymentId: string;
  payer: string;
  askedCents: bigint;
  paidCents: bigint;
  creditedNanoUsd: bigint;
  at: Date;
};

/** Kinds of problems between gw and the payment processor. */
export type ConnectionProblemKind =
  | "key"
  | "rights"
  | "other_account"
  | "other_mode"
  | "no_endpoint"
  | "endpoint_disabled"
  | "events_missing"
  | "thin_events"
  | "undelivered";

/** A current problem. `detail` contains the processor's terms: ids, addresses, types of events. */
export type ConnectionProblem = { kind: ConnectionProblemKind; detail: string; since: Date };

/** A charge that has not ended, for owners and platform admins. */
export type OpenAutoTopup = {
  id: string;
  state: AutoTopupState;
  payer: string;
  amountNanoUsd: bigint;
  createdAt: Date;
};

/**
 * Result of an audit, with the sums that had come through the processor. Amounts are nano-USD, except those in cents.
 */
export type AuditRunView = {
  startedAt: Date;
  finishedAt: Date;
  defects: { defect: string; subject: string; detail: string }[];
  /** Sum of the ledger's clearing account, and of the recorded payments. */
  clearingNanoUsd: bigint;
  creditedNanoUsd: bigint;
  /** The amount charged to customers, and the part returned to them. */
  chargedCents: bigint;
  returnedCents: bigint;
  /** `away`: it did not respond; `none`: it is not configured. */
  processor: "asked" | "away" | "none";
  balanceCents: bigint | null;
};

/** A call with unknown outcome, with its organisation and key. */
export type ReviewView = ReviewHold & { organisation: string; key: string };

/** Content of a notice. Amounts are nano-USD as text, months such as `2026-11`. */
export type NoticeFacts =
  | { kind: "topup_limit"; facts: { limit: "day" | "month"; amount: string; payer: string } }
  | { kind: "card_expires"; facts: { card: string; month: string } }
  | { kind: "paid_for"; facts: { person: string } }
  /** `pays`: whether the reader was the payer. */
  | { kind: "payer_ended"; facts: { person: string; pays: boolean } };

/** A notice that a person gets by email, once. */
export type BillingNotice = NoticeFacts & {
  to: { email: string; name: string; language: string | null; organisationId: number };
};
