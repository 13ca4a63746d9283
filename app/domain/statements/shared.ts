import type { PaymentView } from "~/domain/billing/shared";

/** Sum of a wallet's entries of one kind in a month. Amounts are nano-USD. */
export type Movement = { kind: string; count: number; amountNanoUsd: bigint };

/** Usage of a month for one model, key or day. */
export type UsageLine = { name: string; requests: number; chargedNanoUsd: bigint };

/** A payment credited in the month: the amount credited, the fee, and the amount charged including tax. */
export type StatementPayment = {
  id: string;
  paidAt: Date;
  creditNanoUsd: bigint;
  feeNanoUsd: bigint;
  chargedNanoUsd: bigint;
};

/** A payer's statement for a month, computed from the ledger. Amounts are nano-USD. */
export type Statement = {
  month: string;
  payer: string;
  timeZone: string;
  from: Date;
  to: Date;
  /** Whether the month has ended, so that no entries will be added. */
  isOver: boolean;
  openingNanoUsd: bigint;
  closingNanoUsd: bigint;
  movements: Movement[];
  payments: StatementPayment[];
  byModel: UsageLine[];
  byKey: UsageLine[];
  byDay: UsageLine[];
  /** Sequence number of the last entry in or before the month; 0: none. */
  lastSeq: bigint;
  /** When these were compared: opening balance plus movements with the ledger's closing balance, and usage rows with the ledger's usage. */
  checkedAt: Date;
  movedNanoUsd: bigint;
  usageNanoUsd: bigint;
  isLedgerEqual: boolean;
  isUsageEqual: boolean;
};

/** A request of a usage entry, from its hold to its charge. Amounts are nano-USD. */
export type EntryRequest = {
  requestId: string;
  startedAt: Date;
  model: string;
  key: string;
  /** Null: the request needed no hold. */
  heldNanoUsd: bigint | null;
  capturedNanoUsd: bigint | null;
  chargedNanoUsd: bigint;
};

/** An entry of a wallet's ledger with its payment or requests. Amounts are nano-USD. */
export type LedgerEntry = {
  seq: bigint;
  transaction: bigint;
  at: Date;
  kind: string;
  memo: string | null;
  /** Author; only people of the reader's organisation are named. */
  by: { kind: "processor" | "gateway" | "operator" } | { kind: "person"; name: string };
  /** The payment that the entry credits or reverses. */
  payment: PaymentView | null;
  /** The id of the entry's only request. */
  requestId: string | null;
  amountNanoUsd: bigint;
  balanceAfterNanoUsd: bigint;
  /** The month of the statement that contains the entry. */
  month: string;
  /** At most the first 1,000. */
  requests: EntryRequest[];
  requestCount: number;
  chargedNanoUsd: bigint;
  /** Whether the requests' charges sum to the entry; null: the entry has no requests. */
  isEqual: boolean | null;
};
