import { z } from "zod";
import type { ReviewHold } from "~/domain/accounting/shared";

/** A saved card as the processor names it. */
export const PaymentMethodId = z.string().regex(/^pm_\w{1,250}$/);

/** How a payment stands: made here, open at the processor, on its way (some ways of paying take days), or ended. */
const PAYMENT_STATES = ["created", "open", "pending", "paid", "failed", "expired"] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

export const PAYER_KINDS = ["organisation", "user", "project"] as const;
export type PayerKind = (typeof PAYER_KINDS)[number];

/** Somebody who can have a wallet, as they are looked for; `about`: whose they are. */
export type PayerChoice = { kind: PayerKind; id: number; name: string; about: string | null };

/** Whether a checkout stays as it stands: it is confirmed, or nothing comes of it any more. */
export const isCheckoutOver = ({ state, confirmed }: { state: string; confirmed: boolean }): boolean =>
  confirmed || state === "failed" || state === "expired";

/** A payment as its payer sees it. Amounts are nano-USD. */
export type PaymentView = {
  id: string;
  state: PaymentState;
  /** What the wallet got, or is to get. */
  creditNanoUsd: bigint;
  feeNanoUsd: bigint;
  /** What was charged, tax included; null before it was. */
  chargedNanoUsd: bigint | null;
  /** How much of the credit was taken back after refunds and disputes. */
  reversedNanoUsd: bigint;
  createdAt: Date;
  paidAt: Date | null;
  /** Such as "visa 4242". */
  card: string | null;
  /** The processor's page with the receipt. */
  receiptUrl: string | null;
};

/** What pages need to know of the processor. Amounts are nano-USD. */
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

/** An event that could not be applied; somebody has to look at it. */
export type DeadEvent = {
  id: string;
  type: string;
  error: string;
  attempts: number;
  deliveries: number;
  receivedAt: Date;
};

/** The sentence to which somebody agrees who has a card charged automatically; another sentence is another version. */
export const AUTO_TOPUP_CONSENT_VERSION = "2026-11-24";

/**
 * How an automatic charge stands. `unknown`: the processor was asked and has not answered, and is looked up. `requires_action`:
 * the bank wants its owner to confirm it.
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

/** What the operator allows for each wallet. Amounts are nano-USD with the fee. */
export type AutoTopupPolicy = {
  version: number;
  approved: boolean;
  maxChargeNanoUsd: bigint;
  maxDayNanoUsd: bigint;
  maxMonthNanoUsd: bigint;
};
export type AutoTopupPolicyView = AutoTopupPolicy & { decidedBy: string; decidedAt: Date };

/** What has been told of a payment that pauses the auto top-up of its wallet. */
export const AUTO_TOPUP_PAUSE_REASONS = ["refund", "dispute", "inquiry", "fraud_warning"] as const;
export type AutoTopupPauseReason = (typeof AUTO_TOPUP_PAUSE_REASONS)[number];

/** Why a wallet is not charged at a moment. `idle`: it has enough; `paused`: a payment was claimed back, and nobody has consented since. */
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

/** A charge as its owner sees it. Amounts are nano-USD. */
export type AutoTopupOperationView = {
  id: string;
  state: AutoTopupState;
  settingsVersion: number;
  amountNanoUsd: bigint;
  feeNanoUsd: bigint;
  /** Whether the wallet has the credit. */
  confirmed: boolean;
  failure: string | null;
  /** The processor's page where the owner confirms it, while that is asked. */
  actionUrl: string | null;
  createdAt: Date;
  submittedAt: Date | null;
  endedAt: Date | null;
};

/** What the wallet page shows of auto top-up. Amounts are nano-USD. */
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
  /** Of which payment the news paused it; null where it is not paused for one. */
  pause: { reason: AutoTopupPauseReason; at: Date; paymentId: string } | null;
  /** With fees, what is on its way counted. */
  usedTodayNanoUsd: bigint;
  usedThisMonthNanoUsd: bigint;
  /** The card that would be charged, such as "visa 4242". */
  card: string | null;
  lastOperation: (AutoTopupOperationView & { isOwn: boolean }) | null;
  nextAttemptAt: Date | null;
};

/** An auto top-up that waits for a new consent, for those who run the installation. The amount is nano-USD, with its fee. */
export type PausedAutoTopup = {
  walletId: number;
  payer: string;
  reason: AutoTopupPauseReason;
  pausedAt: Date;
  paymentId: string;
  amountNanoUsd: bigint;
};

/** A payment that was paid with another amount than was asked for; cents are without the tax that came on top. */
export type PaymentMismatch = {
  paymentId: string;
  payer: string;
  askedCents: bigint;
  paidCents: bigint;
  creditedNanoUsd: bigint;
  at: Date;
};

/** A charge that has not ended, for those who run the installation. */
export type OpenAutoTopup = {
  id: string;
  state: AutoTopupState;
  payer: string;
  amountNanoUsd: bigint;
  createdAt: Date;
};

/** What the auditor found, and what came through the processor then. Amounts are nano-USD, except those in cents. */
export type AuditRunView = {
  startedAt: Date;
  finishedAt: Date;
  defects: { defect: string; subject: string; detail: string }[];
  /** By the ledger's clearing account, and by the payments on record. */
  clearingNanoUsd: bigint;
  creditedNanoUsd: bigint;
  /** What customers were charged, and what of it went back to them. */
  chargedCents: bigint;
  returnedCents: bigint;
  /** `away`: it did not answer; `none`: there is none. */
  processor: "asked" | "away" | "none";
  balanceCents: bigint | null;
};

/** A call whose outcome nobody knows, with whose it is. */
export type ReviewView = ReviewHold & { organisation: string; key: string };

/** What a notice is about. Amounts are nano-USD as text, months such as `2026-11`. */
export type NoticeFacts =
  | { kind: "topup_limit"; facts: { limit: "day" | "month"; amount: string; payer: string } }
  | { kind: "card_expires"; facts: { card: string; month: string } }
  | { kind: "paid_for"; facts: { person: string } }
  /** `pays`: the reader was the one who paid. */
  | { kind: "payer_ended"; facts: { person: string; pays: boolean } };

/** Something that a person is told by email, once. */
export type BillingNotice = NoticeFacts & {
  to: { email: string; name: string; language: string | null; organisationId: number };
};
