import { z } from "zod";
import { isLine } from "~/domain/accounts/shared";
import { issue } from "~/errors/message";

/** Audiences: people who redeem a code, new registrations, one organisation, one person. */
export const AUDIENCES = ["code", "new", "organisation", "user"] as const;
export type Audience = (typeof AUDIENCES)[number];

export const MAX_GIVEN = 1_000_000;

export const PromotionName = z
  .string()
  .trim()
  .min(1, issue("problems:fillIn"))
  .max(120)
  .refine(isLine, issue("problems:textUnshowable"));

/** A typed code: any case, with or without the hyphen. */
export const TypedCode = z.string().trim().min(1, issue("problems:fillIn")).max(60);

/** State of a promotion: active, ended by a person, past its expiry, or at its total limit. */
type PromotionState = "active" | "ended" | "expired" | "exhausted";

/** A promotion for administrators. Amounts are nano-USD; sums cover all credits so far. */
export type PromotionView = {
  id: number;
  name: string;
  amountNanoUsd: bigint;
  audience: Audience;
  /** The receiving organisation or person; null for the other audiences. */
  recipient: { id: number; name: string } | null;
  /** Formatted: `ABCDE-FGHJK`. */
  code: string | null;
  limitPerPayer: number;
  limitTotal: number | null;
  expiresAt: Date | null;
  endedAt: Date | null;
  createdAt: Date;
  state: PromotionState;
  given: number;
  spentNanoUsd: bigint;
  remainingNanoUsd: bigint;
  expiredNanoUsd: bigint;
};

/** Promotional credit in a wallet, as of the last run of the job. Amounts are nano-USD. */
export type PromotionCreditView = {
  id: bigint;
  name: string;
  amountNanoUsd: bigint;
  spentNanoUsd: bigint;
  remainingNanoUsd: bigint;
  /** Removed after its expiry. */
  expiredNanoUsd: bigint;
  expiresAt: Date | null;
  createdAt: Date;
};

/** The same with its payer, for administrators. */
export type GivenCredit = PromotionCreditView & { payer: string; redeemedBy: string | null };
