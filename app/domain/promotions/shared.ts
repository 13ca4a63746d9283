import { z } from "zod";
import { isLine } from "~/domain/identity/shared";
import { issue } from "~/errors/message";

/** Who gets a promotion: whoever redeems its code, everybody who registers from then on, one organisation, one person. */
export const AUDIENCES = ["code", "new", "organisation", "user"] as const;
export type Audience = (typeof AUDIENCES)[number];

export const MAX_GIVEN = 1_000_000;

export const PromotionName = z
  .string()
  .trim()
  .min(1, issue("problems:fillIn"))
  .max(120)
  .refine(isLine, issue("problems:textUnshowable"));

/** A code as somebody types it: capitals or not, with or without the hyphen. */
export const TypedCode = z.string().trim().min(1, issue("problems:fillIn")).max(60);

/** How a promotion stands: it is given, or its end, its day or its total limit keeps it from being given. */
type PromotionState = "active" | "ended" | "expired" | "exhausted";

/** A promotion as its administrators see it. Amounts are nano-USD; sums cover everything given so far. */
export type PromotionView = {
  id: number;
  name: string;
  amountNanoUsd: bigint;
  audience: Audience;
  /** The organisation or person it is for; null for the other audiences. */
  recipient: { id: number; name: string } | null;
  /** As it is shown: `ABCDE-FGHJK`. */
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

/** Promotional credit in a wallet, up to the last run of the job. Amounts are nano-USD. */
export type PromotionCreditView = {
  id: bigint;
  name: string;
  amountNanoUsd: bigint;
  spentNanoUsd: bigint;
  remainingNanoUsd: bigint;
  /** Taken back because its time was over. */
  expiredNanoUsd: bigint;
  expiresAt: Date | null;
  createdAt: Date;
};

/** The same with whose wallet it is in, for administrators. */
export type GivenCredit = PromotionCreditView & { payer: string; redeemedBy: string | null };
