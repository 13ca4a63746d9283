import { catalogue } from "~/domain/catalogue/index.server";
import type { Model, Route } from "~/domain/catalogue/shared";
import type { Caller } from "~/domain/keys/shared";
import { allowedRoutes, type Lock, whyNot } from "~/domain/routing/index.server";
import { AUTO_MODEL } from "~/domain/routing/shared";
import { type AppError, apiError } from "~/errors/app-error";
import type { InferenceRequest } from "../canonical/inference-request";
import { chooseModel } from "./auto-route";
import { lockOf } from "./lock";
import { hintsFor, order, type RoutingInput } from "./order";
import { planOf, type RoutePlan } from "./route-plan";
import { servesEndpoint, wrongEndpoint } from "./served-endpoints";

export type { PricedRoute, RoutePlan } from "./route-plan";

/**
 * Selects the routes that may serve a request, best first. First come restrictions: the key's models, the regions of
 * key and call, the dialect, a known price. Then come preferences: session, priority, weight and health. In this order
 * no preference can widen a restriction.
 * @throws AppError model_not_found, model_not_allowed, model_not_configured, capability_unsupported,
 * model_does_not_support_tools, all of them permanent; no_providers_available, sovereign_route_unavailable,
 * supplier_price_unresolved; for `auto` autorouter_no_candidate, unsupported_auto_mode,
 * unsupported_autorouter_algorithm.
 */
export function route(asking: RoutingInput): RoutePlan {
  const { caller, inference, dialect } = asking;
  const lock = lockOf(caller, inference, dialect);
  if (inference.requestedModel === AUTO_MODEL) return chooseModel(asking, lock);
  const model = namedModel(caller, inference);
  const all = catalogue().routes.get(model.id) ?? NO_ROUTES;
  checkAbilities(model, all, asking);
  const routes = allowedRoutes(all, lock);
  if (routes.length === 0) throw noRoute(all, lock);
  return planOf(model, { considered: all, lock, order: order(routes, all, asking), auto: null });
}

const NO_ROUTES: readonly Route[] = [];

function namedModel(caller: Caller, inference: InferenceRequest): Model {
  const model = catalogue().models.get(inference.requestedModel);
  if (model === undefined) {
    throw apiError("model_not_found", {
      userMessage: `There is no model named ${quoted(inference.requestedModel)} here.`,
      param: "model",
    });
  }
  if (caller.allowedModels.length > 0 && !caller.allowedModels.includes(model.id)) {
    throw apiError("model_not_allowed", { userMessage: `This key may not use the model ${model.id}.`, param: "model" });
  }
  return model;
}

/** Rejects requests that the model cannot serve. These errors are permanent, so none suggests a retry. */
function checkAbilities(model: Model, routes: readonly Route[], { inference, dialect }: RoutingInput): void {
  if (routes.length === 0) throw apiError("model_not_configured", { param: "model" });
  if (!servesEndpoint(model, routes, dialect.name)) throw wrongEndpoint(model, routes, dialect.name);
  if (model.tools !== false && model.images !== false) return;
  const { tools, images } = hintsFor(inference, dialect);
  if (tools && model.tools === false) throw apiError("model_does_not_support_tools", { param: "tools" });
  if (images && model.images === false)
    throw apiError("capability_unsupported", { userMessage: `“${model.id}” does not read images.`, param: "model" });
}

/** Returns the error when no route is open: the last check that any of the routes failed. */
function noRoute(routes: readonly Route[], lock: Lock): AppError {
  const reasons = new Set(routes.map((route) => whyNot(route, lock)));
  if (reasons.has("price")) return lock.tier === undefined ? apiError("supplier_price_unresolved") : unpricedTier();
  if (!reasons.has("region")) return apiError("no_providers_available");
  // A lock does not change by waiting, but the draining of a supplier may. An automatic retry by a client library would
  // only delay its caller.
  return apiError("sovereign_route_unavailable", {
    userMessage: "No supplier of this model is inside the region that the request or its key is locked to.",
    doNotRepeat: !reasons.has("draining"),
  });
}

const unpricedTier = () =>
  apiError("unsupported_parameter", {
    userMessage: "This service_tier has no price here for this model. Leave it out, or use auto, default or flex.",
    param: "service_tier",
  });

/** Quotes a name from outside for a message: short and printable. */
const quoted = (name: string) => JSON.stringify(name.slice(0, 80));
