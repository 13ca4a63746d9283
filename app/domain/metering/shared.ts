import type { AttemptRecord } from "~/domain/accounting/shared";
import type { GuardrailAction } from "~/domain/guardrails/shared";
import type { PayerReason } from "~/domain/identity/shared";
import type { ErrorDetails } from "~/errors/app-error";
import type { Range, Window } from "~/time-range";

export type { RecentRequest } from "./dashboard/shared";

/** One finished call, as the audit log shows it. */
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
  /** What the customer was charged. */
  chargedNanoUsd: bigint;
  outcome: string;
  status: number;
  errorCode: string | null;
  attempts: number;
  firstByteMs: number | null;
  latencyMs: number;
  notCharged: NotCharged | null;
};

/** Why nobody was charged for a call: a sandbox answered, or its payer is exempt from billing. */
type NotCharged = "sandbox" | "exempt";

/** Which calls of an organisation are wanted; null: no restriction. `since` is inclusive, `until` is not. */
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
 * Whose usage is wanted. The organisation is always said, null for all of them (operators only); lists restrict further
 * and an absent list does not. An empty list matches nothing. Ids are those of the tables.
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

/** A key out of money, its own or its payer's: every request since then was rejected. */
export type OutOfMoney = { code: "budget_exceeded" | "billing_limit_reached"; since: Date };
/** `rejections`: how many of its requests were rejected for want of money in the last 24 hours. */
export type KeyOutOfMoney = OutOfMoney & { keyId: number; rejections: number };

/** What usage is asked about: when, by days where somebody's clock is (both counted) or by a range; and whose, by ids of the tables. */
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

/** A span of time that somebody asked for, and the one of the same length before it. */
export type UsageWindow = Window & { before: { from: Date; to: Date }; range: Range | "custom" };

/** What sums can be told apart by. */
const USAGE_GROUPS = ["organisation", "key", "user", "department", "project", "model", "supplier", "region"] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** Sums over finished calls. Averages are sums divided by counts: `latencyMs / requests`, `firstByteMs / firstBytes`. */
export type UsageCounters = {
  requests: number;
  /** Of the requests: those that were not answered well. */
  errors: number;
  /** Answered by another than the first supplier that was tried. */
  failovers: number;
  /** Chosen by the autorouter. */
  routed: number;
  inputTokens: bigint;
  cachedInputTokens: bigint;
  cacheWriteTokens: bigint;
  outputTokens: bigint;
  reasoningTokens: bigint;
  /** What the calls cost, and what of it the customers were charged. */
  costNanoUsd: bigint;
  chargedNanoUsd: bigint;
  /** What the customers of those that the autorouter chose would have paid more without it; below zero where it chose dearer. */
  savedNanoUsd: bigint;
  latencyMs: bigint;
  firstByteMs: bigint;
  /** How many requests had a first byte. */
  firstBytes: number;
};

/** `group` is an id for organisation, key, user, department and project (null: none), a name for the others; null when not grouped. */
export type UsagePoint = UsageCounters & { bucket: Date; group: number | string | null };
export type UsageTotal = UsageCounters & { group: number | string | null };

/** Requests of a key that were refused one after the other for the same reason before they reached a supplier, as the first of them. */
export type Rejection = {
  /** When the last of them was. */
  at: Date;
  times: number;
  requestId: string;
  endpoint: string;
  /** The model that was asked for; empty when the request was not understood so far. */
  model: string;
  code: string;
  status: number;
  /** The field of the request that was wrong; null when it was none. */
  param: string | null;
  /** The sentence for people that the client got. */
  humanMessage: string;
  retryAfterSeconds: number | null;
  /** The arithmetic of a refusal for want of money, as the client was told it; null for other refusals. */
  details: ErrorDetails | null;
};

/** A burst of refusals as the request log lists it: who sent them, and with which key. */
export type RejectedRequests = Rejection & {
  id: bigint;
  /** When the first of them was. */
  firstAt: Date;
  keyId: number;
  keyName: string;
  userId: number | null;
  userName: string | null;
};

/** How many requests were refused in a bucket for one reason. `scope`: whose limit it was; empty where it was none. */
export type RejectionPoint = { bucket: Date; code: string; scope: string; rejections: number };

/** How many requests of a group were refused in a bucket; `group` as of usage. */
export type GroupRejections = { bucket: Date; group: UsageTotal["group"]; rejections: number };

/** How many requests were refused for one reason in a span, when the last of them was, and from which key most of them came. */
export type RejectionReason = Omit<RejectionPoint, "bucket"> & { lastAt: Date; keys: number; keyId: number };

/** Which refusals of a scope are wanted; what is absent does not restrict. `since` is inclusive, `until` is not; `none`: none of them. */
export type RejectionFilter = { none?: boolean; code?: string; requestId?: string; since?: Date; until?: Date };

/** A refusal on its way to be remembered. */
export type NewRejection = Omit<Rejection, "times"> & {
  keyId: number;
  organisationId: number;
  /** Which budget refused, or the wallet; null where it was refused for something else. */
  scope: string | null;
  /** The wallet that refused; null: something else did. */
  walletId: number | null;
};

/** Refusals that followed one another within one hour (UTC). `at` and `requestId` are those of the first, which tell it apart. */
export type RejectionBurst = NewRejection & {
  lastAt: Date;
  /** How many there were since it was written last. */
  times: number;
  /** False: the burst is written already, and goes on. */
  isFirst: boolean;
};

/** How a call went for its client. */
export const REQUEST_OUTCOMES = ["complete", "error", "failed", "interrupted"] as const;
type RequestOutcome = (typeof REQUEST_OUTCOMES)[number];

/** Which finished calls of a scope are wanted; what is absent does not restrict. `since` is inclusive, `until` is not. */
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
  /** A guardrail found something and did this. */
  guardrail?: GuardrailAction;
  /** The autorouter chose the model. */
  routed?: true;
};

/** How many finished calls there were in a bucket, and how many of them usage counts as errors. */
export type RequestCount = { bucket: Date; requests: number; errors: number };

/** One finished call, as the request log lists it. `id` is the portal's number of it. */
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
  /** What the client got; 0 when nobody knows. */
  status: number;
  errorCode: string | null;
  attempts: number;
  firstByteMs: number | null;
  latencyMs: number;
  settledAt: Date;
  departmentName: string | null;
  /** The regions that its key or the call itself locked it to; null: it could go anywhere. */
  lockedTo: string | null;
  notCharged: NotCharged | null;
};

/** How long the answered calls of a model or a supplier took, in milliseconds; null: none had a first byte. */
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

/** One finished call with everything that is stored of it. */
export type RequestDetail = LoggedRequest & {
  /** Times are milliseconds since the call came in. */
  attemptList: AttemptRecord[];
  /**
   * Why the call went where it went, and what guardrails found (`guardrails`); null where there was one candidate and nothing was
   * found. The shape is the routing room's `RoutingRecord`.
   */
  routing: unknown;
  /** Where the counts of tokens come from. */
  tokenSource: string;
  /** The posting in the ledger; null: nothing was charged. Calls that are settled together share one. */
  ledgerId: string | null;
  /** The wallet, and the number of that posting's entry in its ledger. */
  walletId: number;
  entrySeq: bigint | null;
  /** What the call cost, of which the payer was charged `chargedNanoUsd`. */
  costNanoUsd: bigint;
  exempt: boolean;
  /** Whose wallet the call was admitted to, and why theirs: frozen in its hold, whatever has changed since. */
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
  /** What was held before the call went out, and since when; null: a key without limits of an exempt payer needs no hold. */
  heldNanoUsd: bigint | null;
  heldAt: Date | null;
  priceVersion: bigint;
};

/** What the autorouter chose for requests that have the model that served, the algorithm and the default model in common. */
export type RoutedSum = {
  model: string;
  algorithm: string;
  /** The model that would have served without the autorouter. */
  defaultModel: string;
  requests: number;
  chargedNanoUsd: bigint;
  /** What the same usage would have cost on the default model, at the prices of its time. */
  defaultNanoUsd: bigint;
};

/** One request whose model the autorouter chose. */
export type RoutedRequest = Omit<RoutedSum, "requests"> & {
  id: bigint;
  requestId: string;
  startedAt: Date;
  keyId: number;
  keyName: string;
};

/** What the autorouter did in a span. */
export type AutorouterReport = {
  requests: number;
  chargedNanoUsd: bigint;
  defaultNanoUsd: bigint;
  /** Chat requests of the keys that used `auto`, and how many of these named a model themselves. */
  eligible: number;
  overridden: number;
  /** Most requests first. */
  sums: RoutedSum[];
  /** By the day of UTC. */
  days: { day: Date; requests: number; savedNanoUsd: bigint }[];
};

/** By what the quality explorer groups. */
export const QUALITY_GROUPS = ["both", "model", "supplier"] as const;
export type QualityGroup = (typeof QUALITY_GROUPS)[number];

/** Figures of one group of calls. A name is empty where it is not grouped by. */
export type QualityRow = {
  model: string;
  supplier: string;
  requests: number;
  complete: number;
  /** Of the complete: those without a token of output, where there should be text. */
  empty: number;
  /** Broken off by the supplier, or by the process. */
  truncated: number;
  clientAborts: number;
  failed: number;
  /** Needed more than one attempt. */
  retried: number;
  /** Of the failed, by the class of their error; together all of them. */
  rateLimited: number;
  timedOut: number;
  unavailable: number;
  refused: number;
  /** The median and the 95th percentile of the complete; null: none. */
  latencyMs: number[] | null;
  /** The median; null: none. */
  firstByteMs: number | null;
};

/** What a model did in a region on a day of UTC, whoever called it. */
export type StatusDay = {
  day: Date;
  model: string;
  region: string;
  requests: number;
  /** Of the requests: those that no supplier answered. */
  errors: number;
  latencyMs: bigint;
  firstByteMs: bigint;
  firstBytes: number;
};

/** Attempts at a supplier in one slot of time, and those that it did not answer. */
export type SupplierErrors = { supplier: string; slot: number; attempts: number; failed: number };

/** What a model did at a supplier: tokens of all its requests, those that were answered, and what their customers owe. */
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
