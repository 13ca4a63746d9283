import type { CredentialView, Headroom } from "~/domain/credentials/shared";
import type { AutorouterAlgorithm } from "~/domain/keys/shared";
import type { BreakerState } from "./health/breaker";

export { AUTOROUTER_ALGORITHMS, type AutorouterAlgorithm, DEFAULT_ALGORITHM } from "~/domain/keys/shared";

/** Weights of cost, speed and quality for each algorithm. */
export const ALGORITHM_WEIGHTS: Readonly<
  Record<AutorouterAlgorithm, { cost: number; speed: number; quality: number }>
> = {
  cheapest: { cost: 1, speed: 0, quality: 0 },
  fastest: { cost: 0, speed: 1, quality: 0 },
  balanced: { cost: 0.5, speed: 0.2, quality: 0.3 },
  quality: { cost: 0, speed: 0, quality: 1 },
};

/** Model name with which a client leaves the choice to the autorouter. */
export const AUTO_MODEL = "auto";

/** Endpoints that support a dry run. */
export { TRANSLATED as DRY_RUN_ENDPOINTS, type TranslatedName as DryRunEndpoint } from "~/gateway/canonical/dialects";

/** Reason why a route may not serve a call. */
export type RouteExclusion = "model" | "draining" | "protocol" | "region" | "price";

/** Reason why the autorouter excluded a model. */
export type ModelExclusion = RouteExclusion | "no_lane" | "not_for_auto" | "tools" | "images" | "context" | "output";

/** A route's health for an admin page. Shares are 0 to 1; future times are ISO 8601, null: none. */
export type RouteHealthView = {
  routeId: number;
  model: string;
  supplier: string;
  region: string;
  state: BreakerState | "waiting";
  /** Last relevant error: a status, `timeout`, `connect`, `reset`, `protocol`. */
  reason: string | null;
  /** Time of the breaker's next probe, or end of the supplier's Retry-After. */
  coolDownEndsAt: string | null;
  successRate: number;
  firstByteMs: number | null;
  /** Weight of the observations, in units of fresh ones. */
  observations: number;
};

/** A credential that cools down, for an admin page; `model` null: for all models. */
export type CredentialRestView = {
  supplierId: number;
  supplier: string;
  credential: string;
  model: string | null;
  reason: "refused" | "limited";
  endsAt: string;
};

/** A credential with the data of this process: cool-downs, calls in flight, and remaining allowance at the supplier. */
export type PooledCredential = CredentialView & {
  rests: Pick<CredentialRestView, "model" | "reason" | "endsAt">[];
  inFlight: number;
  headroom: Headroom | null;
};

/** Credentials of one supplier. `usable`: number with a token and without a cool-down. */
export type SupplierPool = {
  supplierId: number;
  supplier: string;
  region: string;
  credentials: PooledCredential[];
  usable: number;
  resting: number;
};

/** Credentials of all suppliers. */
export type PoolHealth = { pools: SupplierPool[]; total: number; usable: number; resting: number };

/** Origin of a call's session id; the client sets the first three, the others are inferred. */
export type SessionSource = "header" | "body" | "agent" | "cache_key" | "conversation";

/**
 * Effect of a session on the order of routes. `kept`: it stayed on its route. `placed`: it had no pin and was placed by
 * the hash that all processes share. `moved`: its route is unavailable or not allowed. `first`: first turn of an
 * inferred session, which the weights place.
 */
export type PinUse = "kept" | "placed" | "moved" | "first";

/** Supplier's batch that the call was a line of; its prices were multiplied by `priceMillionths` / 1,000,000. */
export type BatchNote = { id: string; priceMillionths: number };

/** Reason for the route of a call, stored with the call. Amounts are nano-USD as decimal text. */
export type RoutingRecord = {
  session?: { from: SessionSource; pin: PinUse };
  lanes: RoutedRoute[];
  excluded?: { supplier: string; region: string; upstreamModel: string; why: RouteExclusion }[];
  auto?: AutoRecord;
  batch?: BatchNote;
  /** The client's batch that the call was a line of. */
  batchId?: string;
  /** The call was not charged: the sandbox answered it. */
  notCharged?: "sandbox";
};

export type RoutedRoute = {
  supplier: string;
  region: string;
  model: string;
  upstreamModel: string;
  priority: number;
  weight: number;
  inputPerMtok: string;
  outputPerMtok: string;
  /** 0 to 1, at the time of ordering. */
  health: number;
  /** The route was unavailable at the time of ordering. */
  inTrouble?: true;
  /** Result of the attempt; absent: not tried. */
  outcome?: string;
  credential?: string;
};

export type AutoRecord = {
  algorithm: AutorouterAlgorithm;
  chosen: string;
  /** Best first. */
  models: { model: string; score: number; estimatedNanoUsd: string; firstByteMs: number | null; health: number }[];
  excluded: { model: string; why: ModelExclusion }[];
  /** Cost of the call on the model that would serve it without the autorouter. */
  default: { model: string; costNanoUsd: string };
};

/** The autorouter's data of a model. Prices are nano-USD per million tokens. */
export type ModelMerits = {
  model: string;
  inputPerMtok: bigint;
  outputPerMtok: bigint;
  /** Time to the first byte in this process's own traffic; null: no recent traffic. */
  firstByteMs: number | null;
  /** 0 to 100; derived from the price if the operator has not declared it. */
  quality: number;
  isQualityStated: boolean;
  /** 0 to 1. */
  health: number;
};

/** Requests for `auto` that may use a model, and its declared quality; null: derived from the price. */
export type AutoRole = {
  tools: "yes" | "no" | "unknown";
  images: "yes" | "no" | "unknown";
  quality: number | null;
};
