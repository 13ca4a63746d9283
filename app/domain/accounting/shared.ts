/** Budget scopes from narrow to wide; the wallet is checked last. A refusal names the first scope in this order. */
export const BUDGET_SCOPES = ["key", "user", "department", "project", "organisation"] as const;
export type BudgetScope = (typeof BUDGET_SCOPES)[number];
export const BUDGET_PERIODS = ["daily", "monthly", "rolling"] as const;
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number];

/** The scopes that a call is counted in; null: none of that kind. */
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
  /** Maximum cost of the call on its most expensive route. */
  amountNanoUsd: bigint;
  rateLimitRpm: number | null;
  priceVersion: number;
  /** False: the call does not wait for money that other calls hold. Absent: it waits for a limited time. */
  isPatient?: false;
  /** The hold is placed ahead for a future call. */
  isSpare?: true;
};

/** A call that can take a spare hold of the same parties and price. */
export type SpareRequest = Omit<HoldRequest, "callId" | "isPatient" | "isSpare">;

/** A spare hold that a call has taken. The call may be dispatched once `written` resolves; if it rejects, the call holds nothing. */
export type TakenHold = { callId: string; written: Promise<void> };

/** The money that a refused call lacked, in nano-USD. A scope's available money is limit − spent − held. */
export type Shortage = {
  /** The budget's limit; for a wallet, balance plus credit limit. */
  limitNanoUsd: bigint;
  /** Spent in the budget's period; 0 for a wallet, whose balance already excludes it. */
  spentNanoUsd: bigint;
  /** Held by calls in flight. */
  heldNanoUsd: bigint;
  /** Maximum hold that a call of the same key could have placed, by its tightest scope; may be negative. */
  freeNanoUsd: bigint;
  tightest: BudgetScope | "wallet";
};

export type MoneyRefusal = {
  kind: "refused";
  code: "budget_exceeded" | "billing_limit_reached";
  scope: BudgetScope | "wallet";
  /** Whole seconds after which a retry can succeed; null when a person has to act first. */
  retryAfterSeconds: number | null;
  shortage: Shortage;
};

export type HoldVerdict =
  | { kind: "held" }
  | { kind: "refused"; code: "rate_limit_exceeded"; scope: "rate"; retryAfterSeconds: number }
  | MoneyRefusal;

/** How a call ended. `not_executed` (proof that no supplier worked) releases the hold; all others charge it. */
const OUTCOMES = ["complete", "client_abort", "upstream_abort", "error", "recovered", "not_executed"] as const;
export type CallOutcome = (typeof OUTCOMES)[number];

/** One attempt at a supplier, as the request log shows it. Times in milliseconds from the start of the call. */
export type AttemptRecord = {
  supplier: string;
  region: string;
  upstreamModel: string;
  startedMs: number;
  endedMs: number;
  /** `rejected`: the supplier refused the request itself. `client_left`: the client disconnected before the supplier answered. */
  outcome: "delivered" | "rejected" | "client_left" | "not_executed" | "failed_billed" | "unknown";
  status: number | null;
  code: string | null;
};

/** Usage beside the token counts that every call has; absent: none. */
export type UsedUnits = {
  /** Cache-write tokens with a lifetime of one hour; included in `cacheWriteTokens`. */
  cacheWriteLongTokens?: number;
  audioInputTokens?: number;
  audioOutputTokens?: number;
  milliseconds?: number;
  characters?: number;
  /** Requests as counted by the supplier. */
  requests?: number;
  /** Searches and other tools that the supplier ran and bills per use. */
  toolUses?: number;
};

/** A finished call to be posted to the ledger. Repeating it changes nothing. */
export type Settlement = Pick<HoldRequest, keyof Parties | "callId" | "priceVersion"> & {
  /** Whether the call has a hold; calls of exempt payers without limits have none. */
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
  outcome: CallOutcome;
  /** HTTP status sent to the client. */
  status: number;
  errorCode: string | null;
  attempts: readonly AttemptRecord[];
  startedAt: Date;
  firstByteMs: number | null;
  latencyMs: number;
  /** The following fields are absent or null for most calls, and in journals of older releases. */
  units?: UsedUnits | null;
  /** For `auto`: the cost of the same usage without the autorouter. */
  counterfactualNanoUsd?: bigint | null;
  /** Reasons for the chosen route and guardrail matches, as stored; null: there was neither. */
  routing?: object | null;
  /** Usage figures from the supplier that were rejected as implausible. */
  refusedUsage?: object | null;
};

export type Receipt = {
  /** Amount that the customer pays; at most the hold. */
  chargedNanoUsd: bigint;
  /** True when this settlement had been booked before. */
  repeated: boolean;
  /** Committed in the database; on disk in the local journal; or in the write-ahead log, which survives a crash of the process. */
  durable: "database" | "journal" | "write_ahead";
};

/** Who can own a wallet. Ids are those of the organisation, user or project. */
export type Payer = { kind: "organisation" | "user" | "project"; id: number; organisationId: number };

/** A wallet's current state. A new hold may take up to `availableNanoUsd`. */
export type Balance = {
  postedNanoUsd: bigint;
  heldNanoUsd: bigint;
  creditLimitNanoUsd: bigint;
  availableNanoUsd: bigint;
  /** The payer is not charged; its balance shows the cost that it would have paid. */
  exempt: boolean;
};

/** Kinds of ledger transactions. */
export const LEDGER_KINDS = [
  ...["topup", "usage", "refund", "dispute", "promo_grant", "promo_expire"],
  ...["receivable_repay", "adjustment", "write_off", "reversal", "transfer"],
] as const;

/** Filter of ledger lines; an absent field does not restrict. `until` is exclusive. */
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
  /** A note by a person, such as a reason, or by gw. */
  memo: string | null;
  /** Author: `processor`, `user:<id>`, or a part of gw. */
  actor: string;
  /** The payment that this line credits or reverses. */
  paymentId: string | null;
  /** The id of the line's only request; null: several or none. */
  requestId: string | null;
};

/** The key, person or group that a budget limits. */
export type BudgetOwner = { kind: BudgetScope; id: number; organisationId: number };

/** A limit in nano-USD (null: none) and its period. */
export type BudgetLimit = { limitNanoUsd: bigint | null; period: BudgetPeriod };

/** A new budget. `expected`: the one that it replaces; if another is in force, the change is rejected. */
export type NewBudget = BudgetLimit & { expected?: BudgetLimit };

/** A budget in its current period. Without a limit it only counts spending. */
export type BudgetView = {
  period: BudgetPeriod;
  limitNanoUsd: bigint | null;
  spentNanoUsd: bigint;
  /** Held by calls in flight; each hold is later released or spent. */
  heldNanoUsd: bigint;
  /** Limit − spent − held, at least zero: the maximum hold of the next call. Null without a limit. */
  availableNanoUsd: bigint | null;
  /** When the period ends; for rolling budgets, when the oldest counted hour leaves the window. */
  resetsAt: Date;
};

/** A call that had a hold at some time, in any state. */
export type HeldCall = Parties &
  Pick<HoldRequest, "callId" | "amountNanoUsd"> & {
    state: "reserved" | "dispatched" | "review" | "settled" | "released";
    admittedAt: Date;
  };

/** Money that a call holds: in flight, or in review because its outcome is unknown. */
export type OpenHold = Omit<HeldCall, "state"> & {
  state: "reserved" | "dispatched" | "review";
  leaseUntil: Date;
  /** Tokens at the last checkpoint; null: there is no checkpoint. */
  inputTokens: number | null;
  outputTokens: number | null;
  /** Why the call is in review. */
  reason: string | null;
};

/** A call with an unknown outcome: its hold stays until a person or a job decides. */
export type ReviewHold = Omit<OpenHold, "state" | "reason"> & {
  /** The process that served the call. */
  owner: string;
  reason: string;
  /** The batch of which the call is a line; null: none. */
  batchId: string | null;
  priceVersion: number;
  model: string;
  supplier: string;
  region: string;
  /** Cost at the checkpoint; null without a checkpoint or without its price. */
  checkpointCostNanoUsd: bigint | null;
};

/** A person's decision about a call in review. */
export type ReviewResolution = { kind: "settle"; costNanoUsd: bigint } | { kind: "release" };

/** Filter of holds; an absent field does not restrict. */
export type HoldScope = { [Field in Exclude<keyof Parties, "exempt">]?: number } & { callId?: string };

export type OpenHolds = { holds: OpenHold[]; count: number; heldNanoUsd: bigint };

/** Current state of a key's rate limiter. */
export type RateWindowView = {
  /** The database's clock when this was read. */
  at: Date;
  limit: number | null;
  usedInLast60s: number;
  /** When the next request is accepted; null: at once. */
  nextFreeAt: Date | null;
  /** Accepted requests by second, oldest first; seconds without requests are absent. */
  seconds: { second: Date; requests: number }[];
};
