/** Budgets, from the narrowest scope to the widest; the wallet is the last gate. Also the order in which a refusal is named. */
export const BUDGET_SCOPES = ["key", "user", "department", "project", "organisation"] as const;
export type BudgetScope = (typeof BUDGET_SCOPES)[number];
export const BUDGET_PERIODS = ["daily", "monthly", "rolling"] as const;
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number];

/** Who a call belongs to; every scope that is not null is counted. */
export type Parties = {
  keyId: number;
  userId: number | null;
  departmentId: number | null;
  projectId: number | null;
  organisationId: number;
  walletId: number;
  exempt: boolean;
};

export type HoldRequest = Parties & {
  /** UUID of the call; the hold's identity. */
  callId: string;
  /** The most the call can cost at its dearest candidate. */
  amountNanoUsd: bigint;
  rateLimitRpm: number | null;
  priceVersion: number;
  /** False: it does not wait for money that others hold. Absent: it does, for a while. */
  isPatient?: false;
  /** It is placed for a call that is yet to come. */
  isSpare?: true;
};

/** A call that takes any hold that was placed for one like it. */
export type SpareRequest = Omit<HoldRequest, "callId" | "isPatient" | "isSpare">;

/** A hold that was placed before its call came. The call may be dispatched when `written` resolves; where it rejects, it holds nothing. */
export type TakenHold = { callId: string; written: Promise<void> };

/** What a call was short of, in nano-USD, when it was refused. A scope's available money is limit − spent − held. */
export type Shortage = {
  /** The budget's limit; of a wallet its balance and its credit limit together. */
  limitNanoUsd: bigint;
  /** In the budget's period; 0 of a wallet, whose balance has gone down by it already. */
  spentNanoUsd: bigint;
  /** Of calls in flight. */
  heldNanoUsd: bigint;
  /** The most that a call of the same key could have held, which the tightest of all its scopes says; may be below zero. */
  freeNanoUsd: bigint;
  tightest: BudgetScope | "wallet";
};

export type MoneyRefusal = {
  kind: "refused";
  code: "budget_exceeded" | "billing_limit_reached";
  scope: BudgetScope | "wallet";
  /** Whole seconds after which a retry can succeed; null when only somebody's action helps. */
  retryAfterSeconds: number | null;
  shortage: Shortage;
};

export type HoldVerdict =
  | { kind: "held" }
  | { kind: "refused"; code: "rate_limit_exceeded"; scope: "rate"; retryAfterSeconds: number }
  | MoneyRefusal;

/** How a call ended. `not_executed` frees the hold (proof that no supplier worked); all others are captured. */
const OUTCOMES = ["complete", "client_abort", "upstream_abort", "error", "recovered", "not_executed"] as const;
export type CallOutcome = (typeof OUTCOMES)[number];

/** One attempt at a supplier, as the request log shows it. Times in milliseconds from the start of the call. */
export type AttemptRecord = {
  supplier: string;
  region: string;
  upstreamModel: string;
  startedMs: number;
  endedMs: number;
  /** `rejected`: the supplier found fault with the request itself. `client_left`: before the supplier had answered. */
  outcome: "delivered" | "rejected" | "client_left" | "not_executed" | "failed_billed" | "unknown";
  status: number | null;
  code: string | null;
};

/** What else a call used, beside the token counts that every call has; absent: nothing of it. */
export type UsedUnits = {
  /** Part of the tokens written to a cache: those kept for an hour. */
  cacheWriteLongTokens?: number;
  audioInputTokens?: number;
  audioOutputTokens?: number;
  milliseconds?: number;
  characters?: number;
  /** What the supplier counted as requests. */
  requests?: number;
  /** Searches and other tools that the supplier ran and bills one by one. */
  toolUses?: number;
};

/** A finished call on its way into the ledger. Repeating it changes nothing. */
export type Settlement = Parties & {
  callId: string;
  /** Whether a hold was placed; exempt payers without limits have none. */
  held: boolean;
  endpoint: string;
  requestedModel: string;
  model: string;
  supplier: string;
  region: string;
  stream: boolean;
  sessionId: string | null;
  inputTokens: number;
  cachedInputTokens: number;
  cacheWriteTokens: number;
  outputTokens: number;
  reasoningTokens: number;
  tokenSource: "supplier" | "checkpoint" | "estimated";
  costNanoUsd: bigint;
  priceVersion: number;
  outcome: CallOutcome;
  /** HTTP status the client got. */
  status: number;
  errorCode: string | null;
  attempts: readonly AttemptRecord[];
  startedAt: Date;
  firstByteMs: number | null;
  latencyMs: number;
  /** The rest is absent or null for most calls, and in journals of older releases. */
  units?: UsedUnits | null;
  /** For `auto`: what the usage would have cost without the autorouter. */
  counterfactualNanoUsd?: bigint | null;
  /** Why the call went where it went, as it is to be stored; null where there was no choice. */
  /** And what guardrails found in it, where they found something. */
  routing?: object | null;
  /** What the supplier claimed and nobody believed. */
  refusedUsage?: object | null;
};

export type Receipt = {
  /** What the customer pays: never more than the hold. */
  chargedNanoUsd: bigint;
  /** True when this settlement had been booked before. */
  repeated: boolean;
  /** Committed in the database; on disk in the local journal until the database is back; or written ahead, where it outlives the process. */
  durable: "database" | "journal" | "write_ahead";
};

/** Who can own a wallet. Ids are those of the organisation, user or project. */
export type Payer = { kind: "organisation" | "user" | "project"; id: number; organisationId: number };

/** A wallet as it stands. `availableNanoUsd` is what a new hold may take. */
export type Balance = {
  postedNanoUsd: bigint;
  heldNanoUsd: bigint;
  creditLimitNanoUsd: bigint;
  availableNanoUsd: bigint;
  /** The payer is not charged; its balance says what it would have paid. */
  exempt: boolean;
};

/** What moves a ledger, as its transactions name it. */
export const LEDGER_KINDS = [
  ...["topup", "usage", "refund", "dispute", "promo_grant", "promo_expire"],
  ...["receivable_repay", "adjustment", "write_off", "reversal", "transfer"],
] as const;

/** Which lines of a ledger are wanted; what is not named does not restrict. `until` does not count itself. */
export type LedgerFilter = {
  kind?: string;
  since?: Date;
  until?: Date /** In either direction. */;
  minimumNanoUsd?: bigint;
};

/** One line of a wallet's ledger. Amounts are nano-USD; `seq` counts a wallet's lines without gaps. */
export type LedgerLine = {
  seq: bigint;
  at: Date;
  kind: string;
  amountNanoUsd: bigint;
  balanceAfterNanoUsd: bigint;
  /** Words of a person, such as a reason, or of gw. */
  memo: string | null;
  /** Who posted it: `processor`, `user:<id>`, or a part of gw. */
  actor: string;
  /** The payment that it credits or takes back. */
  paymentId: string | null;
  /** The portal's number of the only request that it stands for; null: several, or none. */
  requestNumber: bigint | null;
};

/** What a budget limits. */
export type BudgetOwner = { kind: BudgetScope; id: number; organisationId: number };

/** A budget in its current period. Without a limit, spending is counted only. */
export type BudgetView = {
  period: BudgetPeriod;
  limitNanoUsd: bigint | null;
  spentNanoUsd: bigint;
  /** Of calls in flight; comes back, or becomes spent. */
  heldNanoUsd: bigint;
  /** Limit − spent − held, never below zero: what the next call can hold. Null without a limit. */
  availableNanoUsd: bigint | null;
  /** When the period ends; for rolling budgets, when the oldest counted hour leaves the window. */
  resetsAt: Date;
};

/** A call whose outcome nobody knows: its hold stays until somebody finds out. */
export type ReviewHold = Parties & {
  callId: string;
  amountNanoUsd: bigint;
  admittedAt: Date;
  leaseUntil: Date;
  /** The process that had the call. */
  owner: string;
  reason: string;
  /** The batch that it was a line of; null: none. */
  batchId: string | null;
  /** How far the call had come when its process was last heard of; null: nothing is known. */
  inputTokens: number | null;
  outputTokens: number | null;
  priceVersion: number;
  model: string;
  supplier: string;
  region: string;
  /** What the checkpoint would cost; null without a checkpoint or without its price. */
  checkpointCostNanoUsd: bigint | null;
};

/** What somebody has found out about a call in review. */
export type ReviewResolution = { kind: "settle"; costNanoUsd: bigint } | { kind: "release" };

/** Money that a call holds: in flight, or in review because nobody knows how it ended. */
export type OpenHold = Parties & {
  callId: string;
  state: "reserved" | "dispatched" | "review";
  amountNanoUsd: bigint;
  admittedAt: Date;
  leaseUntil: Date;
  /** How far it had come when it was last heard of. */
  inputTokens: number | null;
  outputTokens: number | null;
  /** Why it is in review. */
  reason: string | null;
};

/** A call that was held, whatever has become of it since. */
export type HeldCall = Parties & {
  callId: string;
  state: OpenHold["state"] | "settled" | "released";
  amountNanoUsd: bigint;
  admittedAt: Date;
};

/** Whose holds are wanted; what is not named does not restrict. */
export type HoldScope = {
  organisationId?: number;
  departmentId?: number;
  keyId?: number;
  walletId?: number;
  userId?: number;
  projectId?: number;
  callId?: string;
};

export type OpenHolds = { holds: OpenHold[]; count: number; heldNanoUsd: bigint };

/** A key's limiter as it stands. */
export type RateWindowView = {
  /** The database's clock when this was read. */
  at: Date;
  limit: number | null;
  usedInLast60s: number;
  /** When one more request is accepted; null: at once. */
  nextFreeAt: Date | null;
  /** Requests by the second in which they were accepted, oldest first; seconds without one are missing. */
  seconds: { second: Date; requests: number }[];
};
