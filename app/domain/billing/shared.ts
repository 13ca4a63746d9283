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
