import type { CallOutcome, Settlement, UsedUnits } from "~/domain/accounting/shared";
import type { Catalogue, PriceList, Route } from "~/domain/catalogue/shared";
import { priceMaximum, priceUsage } from "~/domain/pricing/index.server";
import type { UsageBounds } from "~/domain/pricing/shared";
import { attemptRecord } from "~/gateway/call/attempt-record";
import type { Use } from "./keys";
import type { Random } from "./random";

type PricedRoute = Route & { price: PriceList };

/**
 * A simulated call: its maximum cost, and its result. Without its parties, which are resolved at the time of the call.
 */
export type SeededCall = {
  callId: string;
  amountNanoUsd: bigint;
  /** Bounds that explain the maximum cost. */
  bounds: UsageBounds;
  priceVersion: number;
  end: Omit<
    Settlement,
    "keyId" | "userId" | "departmentId" | "projectId" | "organisationId" | "walletId" | "exempt" | "held"
  >;
};

const ENDPOINTS = {
  chat: { endpoint: "chat/completions", capability: "chat" },
  messages: { endpoint: "messages", capability: "chat" },
  embed: { endpoint: "embeddings", capability: "embedding" },
  rerank: { endpoint: "rerank", capability: "rerank" },
  transcribe: { endpoint: "audio/transcriptions", capability: "transcription" },
  speak: { endpoint: "audio/speech", capability: "speech" },
} as const satisfies Record<Use, { endpoint: string; capability: string }>;

type End = { outcome: CallOutcome; status: number; errorCode: string | null };
const ENDS: readonly (readonly [End, number])[] = [
  [{ outcome: "complete", status: 200, errorCode: null }, 960],
  [{ outcome: "client_abort", status: 200, errorCode: null }, 15],
  [{ outcome: "upstream_abort", status: 200, errorCode: "stream_interrupted" }, 7],
  [{ outcome: "error", status: 502, errorCode: "upstream_error" }, 9],
  [{ outcome: "not_executed", status: 503, errorCode: "upstream_unavailable" }, 9],
];

/** Returns the routes for a use, without the models that simulate failures. */
export function routesFor(use: Use, { models, routes }: Catalogue): PricedRoute[] {
  const usable = [...models.values()].filter(
    ({ capability, auto }) => capability === ENDPOINTS[use].capability && auto !== false,
  );
  return usable.flatMap(({ id }) =>
    (routes.get(id) ?? []).filter((route): route is PricedRoute => route.price !== null),
  );
}

/** Creates a call on a route with this start time. */
export function inventCall(use: Use, route: PricedRoute, atMs: number, random: Random): SeededCall {
  const { model, supplier, price } = route;
  const end = random.weighted(ENDS);
  const isText = model.capability === "chat";
  const extent = extentOf(use, random);
  const tokens = tokensOf(route, random);
  const nothing = end.outcome === "error" || end.outcome === "not_executed";
  const used = nothing ? NOTHING : tokens;
  const latencyMs = SETTLED_WITHIN_MS + random.around(isText ? 1_900 : 320);
  const answeredMs = latencyMs - SETTLED_WITHIN_MS;
  const isStream = isText && random.next() < 0.7;
  const maximum = { inputTokens: Math.ceil(tokens.inputTokens * 1.2), outputTokens: isText ? 8_000 : 0, ...extent };
  const callId = random.callId(atMs);
  return {
    callId,
    amountNanoUsd: priceMaximum(price, maximum),
    bounds: maximum,
    priceVersion: price.version,
    end: {
      callId,
      endpoint: ENDPOINTS[use].endpoint,
      requestedModel: model.id,
      model: model.id,
      supplier: supplier.name,
      region: supplier.region,
      stream: isStream,
      sessionId: null,
      ...used,
      tokenSource: end.outcome === "client_abort" ? "estimated" : "supplier",
      costNanoUsd: nothing ? 0n : priceUsage(price, { ...used, ...extent }),
      priceVersion: price.version,
      ...end,
      attempts: [
        attemptRecord(
          route,
          { startedMs: 2, endedMs: answeredMs },
          { outcome: nothing ? "not_executed" : "delivered", status: end.status, code: end.errorCode },
        ),
      ],
      startedAt: new Date(atMs),
      // The first byte of a whole answer is recorded when all of it has arrived.
      firstByteMs: nothing ? null : isStream ? Math.round(answeredMs * (0.15 + random.next() * 0.2)) + 3 : answeredMs,
      latencyMs,
      units: nothing ? null : unitsOf(extent),
    },
  };
}

/** Maximum milliseconds between the answer and the end of a call. */
const SETTLED_WITHIN_MS = 4;

const NOTHING = { inputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 };

function tokensOf({ model }: Route, random: Random): typeof NOTHING {
  if (model.capability === "transcription" || model.capability === "speech") return NOTHING;
  const inputTokens = Math.min(random.around(model.capability === "chat" ? 14_000 : 2_500), model.contextTokens);
  if (model.capability !== "chat") return { ...NOTHING, inputTokens };
  const outputTokens = Math.min(random.around(900), 8_000);
  return {
    inputTokens,
    cachedInputTokens: random.next() < 0.45 ? Math.floor(inputTokens * (0.3 + random.next() * 0.5)) : 0,
    cacheWriteTokens: 0,
    outputTokens,
    reasoningTokens: random.next() < 0.2 ? Math.floor(outputTokens * random.next()) : 0,
  };
}

function extentOf(use: Use, random: Random): UsedUnits {
  if (use === "transcribe") return { milliseconds: random.around(120_000) };
  if (use === "speak") return { characters: random.around(900) };
  return use === "rerank" ? { requests: 1 } : {};
}

const unitsOf = (extent: UsedUnits): UsedUnits | null => (Object.keys(extent).length === 0 ? null : extent);
