import type { AttemptRecord } from "~/domain/accounting/shared";
import type { GuardrailAction } from "~/domain/guardrails/shared";
import type { PayerReason } from "~/domain/payers/shared";
import type { RoutedSum } from "~/domain/usage/shared";
import type { ErrorDetails } from "~/errors/app-error";

/** A finished call in the audit log. */
export type AuditEntry = {
  id: bigint;
  requestId: string;
  startedAt: Date;
  /** The key's public id. */
  keyId: string;
  endpoint: string;
  requestedModel: string;
  model: string;
  supplier: string;
  region: string;
  stream: boolean;
  sessionId: string | null;
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  reasoningTokens: number;
  /** Amount charged to the customer. */
  chargedNanoUsd: bigint;
  outcome: string;
  status: number;
  errorCode: string | null;
  attempts: number;
  firstByteMs: number | null;
  latencyMs: number;
  notCharged: NotCharged | null;
};

/** Why a call was free: a sandbox answered, or its payer is exempt from billing. */
type NotCharged = "sandbox" | "exempt";

/** Filter of an organisation's calls; null: no restriction. `since` is inclusive, `until` exclusive. */
export type AuditFilter = {
  organisationId: number;
  keyId: string | null;
  model: string | null;
  supplier: string | null;
  region: string | null;
  since: Date | null;
  until: Date | null;
};

/**
 * A key whose budget or payer has no money left: every request since then was rejected. `scope`: owner of the budget, or
 * the wallet. `tooSmall`: money is left, but less than the last request could have cost.
 */
export type OutOfMoney = {
  code: "budget_exceeded" | "billing_limit_reached";
  since: Date;
  scope: string | null;
  tooSmall: { maxCostNanoUsd: bigint } | null;
};
/** `rejections`: requests rejected for lack of money in the last 24 hours. */
export type KeyOutOfMoney = OutOfMoney & { keyId: number; rejections: number };

/** A burst: consecutive requests of a key rejected for the same reason before a supplier was called. Fields are those of the first. */
export type Rejection = {
  /** Time of the last request. */
  at: Date;
  times: number;
  requestId: string;
  endpoint: string;
  /** The requested model; empty when the request was rejected before it was parsed. */
  model: string;
  code: string;
  status: number;
  /** The invalid field of the request; null: none. */
  param: string | null;
  /** The message for people that the client received. */
  humanMessage: string;
  retryAfterSeconds: number | null;
  /** The amounts of a rejection for lack of money, as sent to the client; null for other rejections. */
  details: ErrorDetails | null;
};

/** A burst of rejections in the request log, with its key and the key's owner. */
export type RejectedRequests = Rejection & {
  id: bigint;
  /** Time of the first request. */
  firstAt: Date;
  keyId: number;
  keyName: string;
  userId: number | null;
  userName: string | null;
};

/** Filter of rejections; an absent field does not restrict. `since` is inclusive, `until` exclusive. `none`: no rejections at all. */
export type RejectionFilter = { none?: boolean; code?: string; requestId?: string; since?: Date; until?: Date };

/** A rejection to be stored. */
export type NewRejection = Omit<Rejection, "times"> & {
  keyId: number;
  organisationId: number;
  /** The budget that rejected, or the wallet; null: another reason. */
  scope: string | null;
  /** The wallet that rejected; null: another reason. */
  walletId: number | null;
};

/** Maximum ids stored of a burst besides its first one: of the latest requests, whose answers clients show. */
export const LATER_IDS = 20;

/** Consecutive rejections within one UTC hour. `at` and `requestId` are those of the first one and identify the burst. */
export type RejectionBurst = NewRejection & {
  lastAt: Date;
  /** Rejections since the burst was last stored. */
  times: number;
  /** False: the burst is already stored and continues. */
  isFirst: boolean;
  /** Ids of the latest rejections since the burst was last stored, without its first one. At most `LATER_IDS`. */
  laterIds: readonly string[];
};

/** Outcomes of a call as its client saw them. */
export const REQUEST_OUTCOMES = ["complete", "error", "failed", "interrupted"] as const;
type RequestOutcome = (typeof REQUEST_OUTCOMES)[number];

/** Filter of finished calls; an absent field does not restrict. `since` is inclusive, `until` exclusive. */
export type RequestFilter = {
  outcome?: RequestOutcome;
  code?: string;
  session?: string;
  requestId?: string;
  since?: Date;
  until?: Date;
  minNanoUsd?: bigint;
  maxNanoUsd?: bigint;
  minMs?: number;
  maxMs?: number;
  /** A guardrail matched and took this action. */
  guardrail?: GuardrailAction;
  /** The autorouter chose the model. */
  routed?: true;
};

/** Finished calls of a bucket, and the errors among them. */
export type RequestCount = { bucket: Date; requests: number; errors: number };

/** A finished call in the request log. `id` is the portal's number. */
export type LoggedRequest = {
  id: bigint;
  requestId: string;
  startedAt: Date;
  keyId: number;
  keyName: string;
  userId: number | null;
  userName: string | null;
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
  chargedNanoUsd: bigint;
  outcome: string;
  /** HTTP status sent to the client; 0: unknown. */
  status: number;
  errorCode: string | null;
  attempts: number;
  firstByteMs: number | null;
  latencyMs: number;
  settledAt: Date;
  departmentName: string | null;
  /** Regions to which the key or the call was restricted; null: any region. */
  lockedTo: string | null;
  notCharged: NotCharged | null;
};

/** A finished call that was a line of a batch. */
export type BatchRequest = Pick<
  LoggedRequest,
  | "requestId"
  | "startedAt"
  | "model"
  | "outcome"
  | "status"
  | "errorCode"
  | "inputTokens"
  | "outputTokens"
  | "chargedNanoUsd"
>;

/** A finished call with all its stored fields. */
export type RequestDetail = LoggedRequest & {
  /** Times are milliseconds since the call arrived. */
  attemptList: AttemptRecord[];
  /**
   * Reasons for the chosen route, and guardrail matches (`guardrails`); null: there was one candidate and no match. The shape is
   * `RoutingRecord` of the routing room.
   */
  routing: unknown;
  /** Source of the token counts. */
  tokenSource: string;
  /** The ledger transaction; null: the call was free. Calls that are settled together share one. */
  ledgerId: string | null;
  /** The wallet, and the sequence number of the transaction's entry in its ledger. */
  walletId: number;
  entrySeq: bigint | null;
  /** Cost of the call; the payer was charged `chargedNanoUsd` of it. */
  costNanoUsd: bigint;
  exempt: boolean;
  /** The payer at admission and the reason, as stored in the hold; later changes do not matter. */
  payer: { name: string | null; reason: PayerReason };
  counterfactualNanoUsd: bigint | null;
  cacheWriteLongTokens: number | null;
  audioInputTokens: number | null;
  audioOutputTokens: number | null;
  milliseconds: number | null;
  characters: number | null;
  supplierRequests: number | null;
  toolUses: number | null;
  organisationName: string | null;
  projectName: string | null;
  /** The hold and its time; null: a key without limits of an exempt payer needs no hold. */
  heldNanoUsd: bigint | null;
  heldAt: Date | null;
  priceVersion: bigint;
};

/** A request whose model the autorouter chose. */
export type RoutedRequest = Omit<RoutedSum, "requests"> & {
  id: bigint;
  requestId: string;
  startedAt: Date;
  keyId: number;
  keyName: string;
};

/** Attempts at a supplier in a time slot, and the failed ones among them. */
export type SupplierErrors = { supplier: string; slot: number; attempts: number; failed: number };

/** A finished call in a short list. */
export type RecentRequest = {
  /** The portal's id of the row. */
  id: bigint;
  requestId: string;
  startedAt: Date;
  keyId: number;
  keyName: string;
  endpoint: string;
  requestedModel: string;
  model: string;
  supplier: string;
  region: string;
  status: number;
  outcome: string;
  errorCode: string | null;
  attempts: number;
  inputTokens: number;
  outputTokens: number;
  latencyMs: number;
  chargedNanoUsd: bigint;
};

/** The figures that a list of finished calls is sorted by. `time` means the order in which they ended. */
export const REQUEST_SORTS = ["time", "cost", "latency", "tokens", "cached", "reasoning"] as const;
export type RequestSort = { by: (typeof REQUEST_SORTS)[number]; descending: boolean };
