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
};

export type HoldVerdict =
  | { kind: "held" }
  | {
      kind: "refused";
      code: "rate_limit_exceeded" | "budget_exceeded" | "billing_limit_reached";
      scope: BudgetScope | "wallet" | "rate";
      /** Whole seconds after which a retry can succeed; null when only somebody's action helps. */
      retryAfterSeconds: number | null;
    };

/** How a call ended. `not_executed` frees the hold (proof that no supplier worked); all others are captured. */
export const OUTCOMES = ["complete", "client_abort", "upstream_abort", "error", "recovered", "not_executed"] as const;
export type CallOutcome = (typeof OUTCOMES)[number];

/** One attempt at a supplier, as the request log shows it. Times in milliseconds from the start of the call. */
export type AttemptRecord = {
  supplier: string;
  region: string;
  upstreamModel: string;
  startedMs: number;
  endedMs: number;
  outcome: "delivered" | "not_executed" | "failed_billed" | "unknown";
  status: number | null;
  code: string | null;
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
};

export type Receipt = {
  /** What the customer pays: never more than the hold. */
  chargedNanoUsd: bigint;
  /** True when this settlement had been booked before. */
  repeated: boolean;
  /** Committed in the database, or safe in the local journal until the database is back. */
  durable: "database" | "journal";
};
