import type { AttemptRecord } from "~/domain/accounting/shared";
import type { GuardrailAction } from "~/domain/guardrails/shared";
import type { PayerReason } from "~/domain/payers/shared";
import type { ErrorDetails } from "~/errors/app-error";
import type { Range, Window } from "~/values/time-range";

export type { RecentRequest } from "./dashboard/shared";

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
 * The scope of a usage query. The organisation is required; null: all organisations (operators only). Lists restrict further, an absent
 * list does not, and an empty list matches nothing. Ids are database ids.
 */
export type UsageScope = {
  organisationId: number | null;
  organisationIds?: readonly number[];
  keyIds?: readonly number[];
  userIds?: readonly number[];
  departmentIds?: readonly number[];
  projectIds?: readonly number[];
  models?: readonly string[];
  suppliers?: readonly string[];
  regions?: readonly string[];
};

/** A key whose budget or payer has no money left: every request since then was rejected. */
export type OutOfMoney = { code: "budget_exceeded" | "billing_limit_reached"; since: Date };
/** `rejections`: requests rejected for lack of money in the last 24 hours. */
export type KeyOutOfMoney = OutOfMoney & { keyId: number; rejections: number };

/** Filter of a usage page: days of the viewer's time zone (`since` and `until` inclusive) or a range; scopes by database id. */
export type UsageFilter = {
  range?: Range | "custom";
  since?: string;
  until?: string;
  model?: string;
  supplier?: string;
  region?: string;
  key?: number;
  user?: number;
  department?: number;
  project?: number;
  organisation?: number;
};

/** The requested time span, and the preceding one of the same length. */
export type UsageWindow = Window & { before: { from: Date; to: Date }; range: Range | "custom" };

/** Dimensions by which sums can be grouped. */
const USAGE_GROUPS = ["organisation", "key", "user", "department", "project", "model", "supplier", "region"] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** Sums over finished calls. Averages are sums divided by counts: `latencyMs / requests`, `firstByteMs / firstBytes`. */
export type UsageCounters = {
  requests: number;
  /** Requests without a successful answer; included in `requests`. */
  errors: number;
  /** Requests answered after a failed attempt. */
  failovers: number;
  /** Requests whose model the autorouter chose. */
  routed: number;
  inputTokens: bigint;
  cachedInputTokens: bigint;
  cacheWriteTokens: bigint;
  outputTokens: bigint;
  reasoningTokens: bigint;
  /** Cost of the calls, and the part charged to customers. */
  costNanoUsd: bigint;
  chargedNanoUsd: bigint;
  /** Savings by the autorouter; negative where it chose a more expensive model. */
  savedNanoUsd: bigint;
  latencyMs: bigint;
  firstByteMs: bigint;
  /** Number of requests with a first byte. */
  firstBytes: number;
};

/** `group` is an id for organisation, key, user, department and project (null: none), a name for the others; null when not grouped. */
export type UsagePoint = UsageCounters & { bucket: Date; group: number | string | null };
export type UsageTotal = UsageCounters & { group: number | string | null };

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

/** Rejections of a bucket for one reason. `scope`: the scope of the limit; empty: no limit. */
export type RejectionPoint = { bucket: Date; code: string; scope: string; rejections: number };

/** Rejections of a group in a bucket; `group` as in usage. */
export type GroupRejections = { bucket: Date; group: UsageTotal["group"]; rejections: number };

/** Rejections for one reason in a span, with the time of the last one and the key with most of them. */
export type RejectionReason = Omit<RejectionPoint, "bucket"> & { lastAt: Date; keys: number; keyId: number };

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

/** Consecutive rejections within one UTC hour. `at` and `requestId` are those of the first one and identify the burst. */
export type RejectionBurst = NewRejection & {
  lastAt: Date;
  /** Rejections since the burst was last stored. */
  times: number;
  /** False: the burst is already stored and continues. */
  isFirst: boolean;
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
  leastNanoUsd?: bigint;
  mostNanoUsd?: bigint;
  leastMs?: number;
  mostMs?: number;
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

/** Durations of the answered calls of a model or a supplier, in milliseconds; null: no call had a first byte. */
export type LatencySpread = {
  group: string;
  requests: number;
  latencyP50: number;
  latencyP95: number;
  firstByteP50: number | null;
  firstByteP95: number | null;
};

/** A finished call that was a line of a batch. */
export type BatchRequest = Pick<
  LoggedRequest,
  "startedAt" | "model" | "outcome" | "status" | "errorCode" | "inputTokens" | "outputTokens" | "chargedNanoUsd"
> & { id: number };

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

/** Sums of routed requests with the same serving model, algorithm and default model. */
export type RoutedSum = {
  model: string;
  algorithm: string;
  /** The model that would have served without the autorouter. */
  defaultModel: string;
  requests: number;
  chargedNanoUsd: bigint;
  /** Cost of the same usage on the default model, at the prices of that time. */
  defaultNanoUsd: bigint;
};

/** A request whose model the autorouter chose. */
export type RoutedRequest = Omit<RoutedSum, "requests"> & {
  id: bigint;
  requestId: string;
  startedAt: Date;
  keyId: number;
  keyName: string;
};

/** The autorouter's choices and savings in a span. */
export type AutorouterReport = {
  requests: number;
  chargedNanoUsd: bigint;
  defaultNanoUsd: bigint;
  /** Chat requests of the keys that used `auto`, and those among them with a fixed model. */
  eligible: number;
  overridden: number;
  /** Most requests first. */
  sums: RoutedSum[];
  /** By UTC day. */
  days: { day: Date; requests: number; savedNanoUsd: bigint }[];
};

/** Groupings of the quality explorer. */
export const QUALITY_GROUPS = ["both", "model", "supplier"] as const;
export type QualityGroup = (typeof QUALITY_GROUPS)[number];

/** Quality figures of one group of calls. The name of an ungrouped dimension is empty. */
export type QualityRow = {
  model: string;
  supplier: string;
  requests: number;
  complete: number;
  /** Complete calls without output tokens, of endpoints that return text. */
  empty: number;
  /** Cut off by the supplier or by a crash of gw. */
  truncated: number;
  clientAborts: number;
  failed: number;
  /** Calls with more than one attempt. */
  retried: number;
  /** The failed calls by class of error; the four add up to `failed`. */
  rateLimited: number;
  timedOut: number;
  unavailable: number;
  refused: number;
  /** Median and 95th percentile of complete calls; null: none. */
  latencyMs: number[] | null;
  /** Median; null: none. */
  firstByteMs: number | null;
};

/** Figures of a model in a region on a UTC day, over all customers. */
export type StatusDay = {
  day: Date;
  model: string;
  region: string;
  requests: number;
  /** Requests that no supplier answered; included in `requests`. */
  errors: number;
  latencyMs: bigint;
  firstByteMs: bigint;
  firstBytes: number;
};

/** Attempts at a supplier in a time slot, and the failed ones among them. */
export type SupplierErrors = { supplier: string; slot: number; attempts: number; failed: number };

/** Traffic of a model at a supplier: answered requests, tokens of all requests, and the amount charged. */
export type RouteTraffic = {
  model: string;
  supplier: string;
  requests: number;
  inputTokens: number;
  cachedInputTokens: number;
  cacheWriteTokens: number;
  outputTokens: number;
  chargedNanoUsd: bigint;
};
