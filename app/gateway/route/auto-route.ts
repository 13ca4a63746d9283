import { catalogue } from "~/domain/catalogue/index.server";
import type { Model, Route } from "~/domain/catalogue/shared";
import type { Caller } from "~/domain/keys/shared";
import { priceUsage } from "~/domain/pricing/index.server";
import {
  type AllowedRoutes,
  type AutoCandidate,
  allowedRoutes,
  health,
  type Lock,
  monotonicNow,
  type Needs,
  type PricedRoute,
  pins,
  preferKnownAble,
  rankModels,
  whyNot,
  whyUnfit,
} from "~/domain/routing/index.server";
import {
  AUTOROUTER_ALGORITHMS,
  type AutorouterAlgorithm,
  DEFAULT_ALGORITHM,
  type ModelExclusion,
} from "~/domain/routing/shared";
import { apiError } from "~/errors/app-error";
import { isTranslated } from "../canonical/dialects";
import type { InferenceRequest } from "../canonical/inference-request";
import { NO_USAGE } from "../canonical/usage";
import type { Dialect } from "../dialects/dialect";
import { hintsFor, type Order, orderFor, type RoutingInput, sessionFor } from "./order";
import { planOf, type RoutePlan } from "./route-plan";

/**
 * Bytes per token of JSON around ordinary text. Other scripts have fewer, so the check of the context window uses the
 * lower number.
 */
const BYTES_A_TOKEN = 4;
const MIN_BYTES_A_TOKEN = 3;
/** Expected output tokens, unless the request sets a lower maximum. */
const EXPECTED_OUTPUT_TOKENS = 500;
/** Maximum models, and maximum exclusions, recorded with a call. */
const MAX_NOTED = 20;

type Candidate = AutoCandidate & { routes: AllowedRoutes; best: PricedRoute };

/**
 * Plans a call whose model the autorouter chooses: the key's chat models that have an open route and fit the request,
 * ranked by the algorithm. A session stays with its model. The routes of the second-best model follow.
 * @throws AppError unsupported_auto_mode, unsupported_autorouter_algorithm, autorouter_no_candidate.
 */
export function chooseModel(asking: RoutingInput, lock: Lock): RoutePlan {
  const { caller, inference, dialect } = asking;
  if (!isTranslated(dialect.name)) {
    throw apiError("unsupported_auto_mode", {
      userMessage: "The model auto is for chat, completions, messages and responses. Name a model for this endpoint.",
      param: "model",
    });
  }
  if (caller.autorouter?.algorithm === "off") throw switchedOff();
  const algorithm = algorithmOf(asking);
  const needs = needsOf(inference, dialect);
  const { candidates, excluded } = withoutSandbox(candidatesFor(inference, lock, needs));
  const { staying, leaving } = preferKnownAble(candidates, needs);
  const ranked = rankModels(algorithm, staying);
  const session = sessionFor(asking);
  const first = pinnedModel(ranked, session?.isFirstTurn === false ? session.name : null) ?? ranked[0];
  if (first === undefined) throw noCandidate(lock);
  const second = ranked.find((candidate) => candidate !== first && candidate.ready);
  const order = withRunnerUp(orderFor(first.routes, session), second && orderFor(second.routes, null));
  return planOf(covering(first.model, second?.model), {
    considered: catalogue().routes.get(first.model.id) ?? [],
    lock,
    order,
    auto: {
      algorithm,
      chosen: first.model,
      models: ranked.slice(0, MAX_NOTED).map(({ model, score, estimatedNanoUsd, firstByteMs, health: own }) => ({
        model: model.id,
        score: Math.round(score * 1000) / 1000,
        estimatedNanoUsd: String(estimatedNanoUsd),
        firstByteMs: firstByteMs === null ? null : Math.round(firstByteMs),
        health: Math.round(own * 1000) / 1000,
      })),
      excluded: [...excluded, ...leaving].slice(0, MAX_NOTED),
      default: defaultOf(ranked, caller).best,
    },
  });
}

const noCandidate = ({ callRegion }: Lock) =>
  apiError(
    "autorouter_no_candidate",
    callRegion === null
      ? {}
      : {
          userMessage:
            "No model fits this request in the region that it names, within the rules of your key. Name a model or another region, or allow more models for the key.",
        },
  );

const switchedOff = () =>
  apiError("unsupported_auto_mode", {
    userMessage: "The autorouter is off for this key. Name a model, or switch the autorouter on in the portal.",
    param: "model",
  });

/** Order of precedence: the header, the body, the key's setting. */
function algorithmOf({ call, caller, inference, dialect }: RoutingInput): AutorouterAlgorithm {
  const named =
    call.request.headers.get("x-gw-autorouter") ??
    hintsFor(inference, dialect).autorouter ??
    caller.autorouter?.algorithm ??
    null;
  if (named === null || named === "") return DEFAULT_ALGORITHM;
  const algorithm = AUTOROUTER_ALGORITHMS.find((known) => known === named.toLowerCase());
  if (algorithm !== undefined) return algorithm;
  throw apiError("unsupported_autorouter_algorithm", {
    userMessage: `The autorouter chooses by one of ${AUTOROUTER_ALGORITHMS.join(", ")}.`,
    param: "metadata.autorouter",
  });
}

function needsOf(inference: InferenceRequest, dialect: Dialect): Needs {
  const { tools, images } = hintsFor(inference, dialect);
  const { bodyBytes, hasMedia, maxOutputTokens } = inference.size;
  // The byte length of an image says nothing about its tokens.
  const inputTokens = hasMedia ? 0 : Math.ceil(bodyBytes / MIN_BYTES_A_TOKEN);
  return { tools, images: images || hasMedia, inputTokens, maxOutputTokens };
}

function candidatesFor(inference: InferenceRequest, lock: Lock, needs: Needs) {
  const { models, routes: routesByModel } = catalogue();
  const candidates: Candidate[] = [];
  const excluded: { model: string; why: ModelExclusion }[] = [];
  for (const model of models.values()) {
    // Models outside the key's list are not reported as excluded.
    if (model.capability !== "chat" || (lock.models.length > 0 && !lock.models.includes(model.id))) continue;
    const all = routesByModel.get(model.id) ?? [];
    const routes = allowedRoutes(all, lock);
    const why = whyUnfit(model, needs) ?? whyClosed(all, routes, lock);
    if (why === null) candidates.push(candidateOf(model, routes, inference));
    else excluded.push({ model: model.id, why });
  }
  return { candidates, excluded };
}

/** Removes the sandbox if any other supplier has a candidate: its answers are made up. */
function withoutSandbox(routing: ReturnType<typeof candidatesFor>): ReturnType<typeof candidatesFor> {
  const isSandbox = ({ best }: Candidate) => best.supplier.kind === "sandbox";
  const candidates = routing.candidates.filter((candidate) => !isSandbox(candidate));
  if (candidates.length === 0 || candidates.length === routing.candidates.length) return routing;
  const remaining = routing.candidates
    .filter(isSandbox)
    .map(({ model }) => ({ model: model.id, why: "not_for_auto" as const }));
  return { candidates, excluded: [...routing.excluded, ...remaining] };
}

function whyClosed(all: readonly Route[], open: AllowedRoutes, lock: Lock): ModelExclusion | null {
  const [first] = all;
  if (first === undefined) return "no_lane";
  return open.length > 0 ? null : whyNot(first, lock);
}

/** Rates a model by the route that its order would most likely begin with. */
function candidateOf(model: Model, routes: AllowedRoutes, inference: InferenceRequest): Candidate {
  const now = monotonicNow();
  const ready = routes.filter((route) => health.readyAt(route, now) === 0);
  const best = (ready.length > 0 ? ready : routes).reduce((a, b) => (b.priority < a.priority ? b : a));
  const outputTokens = Math.min(inference.size.maxOutputTokens ?? EXPECTED_OUTPUT_TOKENS, EXPECTED_OUTPUT_TOKENS);
  const inputTokens = Math.ceil(inference.size.bodyBytes / BYTES_A_TOKEN);
  return {
    model,
    routes,
    best,
    estimatedNanoUsd: priceUsage(best.price, {
      ...NO_USAGE,
      inputTokens,
      outputTokens: outputTokens * inference.size.choices,
    }),
    firstByteMs: health.firstByteMs(best, now),
    health: health.score(best, now, null),
    ready: ready.length > 0,
    listPriceNanoUsd: best.price.inputPerMtok + best.price.outputPerMtok,
  };
}

/** Returns the candidate that a session is pinned to, if it is ready. */
function pinnedModel<Ranked extends Candidate>(ranked: readonly Ranked[], session: string | null): Ranked | undefined {
  const pin = session === null ? undefined : pins.get(session, monotonicNow());
  if (pin === undefined) return undefined;
  return ranked.find(({ ready, routes }) => ready && routes.some(({ routeId }) => routeId === pin.routeId));
}

/**
 * Returns the model that would serve the call without the autorouter: the key's default, else the one of the highest
 * quality.
 */
function defaultOf(ranked: readonly Candidate[], caller: Caller): Candidate {
  const named = ranked.find(({ model }) => model.id === caller.autorouter?.defaultModel);
  return named ?? rankModels("quality", ranked)[0]!;
}

function withRunnerUp(first: Order, second: Order | undefined): Order {
  if (second === undefined) return first;
  const standings = new Map([...first.standings, ...second.standings]);
  return { ...first, routes: [...first.routes, ...second.routes], standings };
}

/** Returns the chosen model with the higher limits of both, so that the hold covers either. */
const covering = (first: Model, second: Model | undefined): Model =>
  second === undefined
    ? first
    : {
        ...first,
        contextTokens: Math.max(first.contextTokens, second.contextTokens),
        maxOutputTokens: Math.max(first.maxOutputTokens, second.maxOutputTokens),
      };
