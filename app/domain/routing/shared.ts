import type { CredentialView, Headroom } from "~/domain/credentials/shared";
import type { AutorouterAlgorithm } from "~/domain/keys/shared";
import type { BreakerState } from "./breaker";

export { AUTOROUTER_ALGORITHMS, type AutorouterAlgorithm, DEFAULT_ALGORITHM } from "~/domain/keys/shared";

/** How much each algorithm makes of a low price, of speed and of quality. */
export const ALGORITHM_WEIGHTS: Readonly<
  Record<AutorouterAlgorithm, { cost: number; speed: number; quality: number }>
> = {
  cheapest: { cost: 1, speed: 0, quality: 0 },
  fastest: { cost: 0, speed: 1, quality: 0 },
  balanced: { cost: 0.5, speed: 0.2, quality: 0.3 },
  quality: { cost: 0, speed: 0, quality: 1 },
};

/** What a client names as `model` to leave the choice to the autorouter. */
export const AUTO_MODEL = "auto";

/** The endpoints whose requests can be tried without being sent. */
export const DRY_RUN_ENDPOINTS = ["chat", "completions", "messages", "responses"] as const;
export type DryRunEndpoint = (typeof DRY_RUN_ENDPOINTS)[number];

/** Why a route may not serve a call. */
export type RouteExclusion = "model" | "draining" | "protocol" | "region" | "price";

/** Why the autorouter did not consider a model. */
export type ModelExclusion = RouteExclusion | "no_lane" | "not_for_auto" | "tools" | "images" | "context" | "output";

/** A route's health for an admin page. Shares are 0 to 1; times that lie ahead are ISO 8601, null when there is none. */
export type RouteHealthView = {
  routeId: number;
  model: string;
  supplier: string;
  region: string;
  state: BreakerState | "waiting";
  /** What went wrong last, while it matters: a status, `timeout`, `connect`, `reset`, `protocol`. */
  reason: string | null;
  /** When the breaker lets a probe through, or the supplier's own Retry-After is over. */
  coolDownEndsAt: string | null;
  successRate: number;
  firstByteMs: number | null;
  /** How many fresh observations the figures rest on. */
  observations: number;
};

/** A credential that rests, for an admin page; `model` null: for all models. */
export type CredentialRestView = {
  supplierId: number;
  supplier: string;
  credential: string;
  model: string | null;
  reason: "refused" | "limited";
  endsAt: string;
};

/** A credential with what this process knows of it: where it rests, how many calls it has, what its supplier has left for it. */
export type PooledCredential = CredentialView & {
  rests: Pick<CredentialRestView, "model" | "reason" | "endsAt">[];
  inFlight: number;
  headroom: Headroom | null;
};

/** The credentials of one supplier. `usable`: neither resting nor without a token. */
export type SupplierPool = {
  supplierId: number;
  supplier: string;
  region: string;
  credentials: PooledCredential[];
  usable: number;
  resting: number;
};

/** The credentials of all suppliers. */
export type PoolHealth = { pools: SupplierPool[]; total: number; usable: number; resting: number };

/** Where a call's session identifier came from; the first three are the client's own word, the others are inferred. */
export type SessionSource = "header" | "body" | "agent" | "cache_key" | "conversation";

/**
 * What a session did to the order of routes. `kept`: it stayed where it was. `placed`: it had no pin and was placed by
 * the hash that all processes share. `moved`: its route is in trouble, or no longer allowed. `first`: an inferred session
 * whose first turn goes wherever the weights send it.
 */
export type PinUse = "kept" | "placed" | "moved" | "first";

/** That a call was a line of a supplier's batch, and what its prices were multiplied by there, in millionths. */
export type BatchNote = { id: string; priceMillionths: number };

/** Why a call went where it went, as it is stored with the call. Amounts are nano-USD as decimal text. */
export type RoutingRecord = {
  session?: { from: SessionSource; pin: PinUse };
  lanes: RoutedRoute[];
  excluded?: { supplier: string; region: string; upstreamModel: string; why: RouteExclusion }[];
  auto?: AutoRecord;
  batch?: BatchNote;
  /** The client's batch that the call was a line of. */
  batchId?: string;
  /** Nobody was charged for it: a sandbox answered. */
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
  /** 0 to 1, when the order was made. */
  health: number;
  /** The route was in trouble when the order was made. */
  inTrouble?: true;
  /** What became of it; absent when it was not tried. */
  outcome?: string;
  credential?: string;
};

export type AutoRecord = {
  algorithm: AutorouterAlgorithm;
  chosen: string;
  /** Best first. */
  models: { model: string; score: number; estimatedNanoUsd: string; firstByteMs: number | null; health: number }[];
  excluded: { model: string; why: ModelExclusion }[];
  /** What the call would have cost on the model that would serve it without the autorouter. */
  default: { model: string; costNanoUsd: string };
};

/** What the autorouter reads of a model. Prices are nano-USD a million tokens. */
export type ModelMerits = {
  model: string;
  inputPerMtok: bigint;
  outputPerMtok: bigint;
  /** The time to the first byte in this process's own traffic; null: none lately. */
  firstByteMs: number | null;
  /** 0 to 100; judged by the price where the operator has not stated it. */
  quality: number;
  isQualityStated: boolean;
  /** 0 to 1. */
  health: number;
};

/** Which requests for `auto` a model is a candidate for, and its quality as the catalogue states it; null: judged by its price. */
export type AutoRole = {
  tools: "yes" | "no" | "unknown";
  images: "yes" | "no" | "unknown";
  quality: number | null;
};
