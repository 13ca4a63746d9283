import type { PaymentView } from "~/domain/billing/shared";

/** What moved a wallet in a month, by kind of entry. Amounts are nano-USD. */
export type Movement = { kind: string; count: number; amountNanoUsd: bigint };

/** Usage of a month under one model, key or day. */
export type UsageLine = { name: string; requests: number; chargedNanoUsd: bigint };

/** A payment that was credited in the month: what the wallet got, the fee beside it, and what was charged, tax included. */
export type StatementPayment = {
  id: string;
  paidAt: Date;
  creditNanoUsd: bigint;
  feeNanoUsd: bigint;
  chargedNanoUsd: bigint;
};

/** A payer's month, computed from the ledger. Amounts are nano-USD. */
export type Statement = {
  month: string;
  payer: string;
  timeZone: string;
  from: Date;
  to: Date;
  /** The month is over: nothing comes any more. */
  isOver: boolean;
  openingNanoUsd: bigint;
  closingNanoUsd: bigint;
  movements: Movement[];
  payments: StatementPayment[];
  byModel: UsageLine[];
  byKey: UsageLine[];
  byDay: UsageLine[];
  /** The last entry of the ledger in it, or before it; zero: there was none. */
  lastSeq: bigint;
  /** What was compared, when: opening and movements with the ledger's own closing balance; usage rows with the ledger's usage. */
  checkedAt: Date;
  movedNanoUsd: bigint;
  usageNanoUsd: bigint;
  isLedgerEqual: boolean;
  isUsageEqual: boolean;
};

/** One request behind an entry of kind usage: from its hold to its charge. Amounts are nano-USD. */
export type EntryRequest = {
  requestId: string;
  startedAt: Date;
  model: string;
  key: string;
  /** Null: it needed no hold. */
  heldNanoUsd: bigint | null;
  capturedNanoUsd: bigint | null;
  chargedNanoUsd: bigint;
};

/** An entry of a wallet's ledger with what it stands for. Amounts are nano-USD. */
export type LedgerEntry = {
  seq: bigint;
  transaction: bigint;
  at: Date;
  kind: string;
  memo: string | null;
  /** Who posted it; of people, those of the reader's organisation are named. */
  by: { kind: "processor" | "gateway" | "operator" } | { kind: "person"; name: string };
  /** The payment that it credits or takes back. */
  payment: PaymentView | null;
  /** The portal's number of the only request behind it. */
  requestNumber: bigint | null;
  amountNanoUsd: bigint;
  balanceAfterNanoUsd: bigint;
  /** The month whose statement has it. */
  month: string;
  /** At most the first thousand. */
  requests: EntryRequest[];
  requestCount: number;
  chargedNanoUsd: bigint;
  /** Whether the requests' charges sum to the entry; null where an entry stands for none. */
  isEqual: boolean | null;
};
