export { effectivePayer, frozenPayerReason, type PayerFacts, type PayerReason } from "./effective-payer";

/** Who pays for a person: the organisation's payer, or the person's own wallet. */
export const BILLING_MODES = ["inherit", "own"] as const;
export type BillingMode = (typeof BILLING_MODES)[number];

/** A request or an agreement between the reader and a colleague about who pays. */
export type Delegation = {
  id: number;
  /** Whether the reader pays, or would pay. */
  pays: boolean;
  /** The colleague's name, or address. */
  other: string;
  askedByReader: boolean;
  askedAt: Date;
  /** Null: not accepted yet. */
  acceptedAt: Date | null;
};
