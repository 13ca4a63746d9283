import { catalogue } from "~/domain/catalogue/index.server";
import type { Lane, Model } from "~/domain/catalogue/shared";
import type { Caller } from "~/domain/keys/shared";
import { allowedLanes, type Lock, whyNot } from "~/domain/routing/index.server";
import { AUTO_MODEL } from "~/domain/routing/shared";
import { type AppError, refusal } from "~/errors/app-error";
import type { Ask } from "../canonical/ask";
import { chooseModel } from "./auto-route";
import { lockOf } from "./lock";
import { type Asking, hintsFor, order } from "./order";
import { type Plan, planOf } from "./plan";
import { servesEndpoint, wrongEndpoint } from "./served-endpoints";

export type { Plan, PricedLane } from "./plan";

/**
 * Picks the lanes that may serve an ask, best first: the key's models, the regions of the key and of the call, the
 * dialect, a known price; then session, priority, weight and health among these. Restrictions come before preferences,
 * so nothing later can widen them.
 * @throws AppError model_not_found, model_not_allowed, model_not_configured, capability_unsupported,
 *   model_does_not_support_tools, which no repetition changes; no_providers_available, sovereign_route_unavailable,
 *   supplier_price_unresolved; for `auto` autorouter_no_candidate, unsupported_auto_mode, unsupported_autorouter_algorithm.
 */
export function route(asking: Asking): Plan {
  const { caller, ask, dialect } = asking;
  const lock = lockOf(caller, ask, dialect);
  if (ask.requestedModel === AUTO_MODEL) return chooseModel(asking, lock);
  const model = namedModel(caller, ask);
  const all = catalogue().lanes.get(model.id) ?? NO_LANES;
  checkAbilities(model, all, asking);
  const lanes = allowedLanes(all, lock);
  if (lanes.length === 0) throw noLane(all, lock);
  return planOf(model, { considered: all, lock, order: order(lanes, all, asking), auto: null });
}

const NO_LANES: readonly Lane[] = [];

function namedModel(caller: Caller, ask: Ask): Model {
  const model = catalogue().models.get(ask.requestedModel);
  if (model === undefined) {
    throw refusal("model_not_found", {
      human: `There is no model named ${quoted(ask.requestedModel)} here.`,
      param: "model",
    });
  }
  if (caller.allowedModels.length > 0 && !caller.allowedModels.includes(model.id)) {
    throw refusal("model_not_allowed", { human: `This key may not use the model ${model.id}.`, param: "model" });
  }
  return model;
}

/** What a model cannot do now it cannot do in ten seconds either: nobody is told to wait for it. */
function checkAbilities(model: Model, lanes: readonly Lane[], { ask, dialect }: Asking): void {
  if (lanes.length === 0) throw refusal("model_not_configured", { param: "model" });
  if (!servesEndpoint(model, lanes, dialect.name)) throw wrongEndpoint(model, lanes, dialect.name);
  if (model.tools !== false && model.images !== false) return;
  const { tools, images } = hintsFor(ask, dialect);
  if (tools && model.tools === false) throw refusal("model_does_not_support_tools", { param: "tools" });
  if (images && model.images === false)
    throw refusal("capability_unsupported", { human: `“${model.id}” does not read images.`, param: "model" });
}

/** What stands in the way when no lane is open: the last obstacle that any of them met. */
function noLane(lanes: readonly Lane[], lock: Lock): AppError {
  const reasons = new Set(lanes.map((lane) => whyNot(lane, lock)));
  if (reasons.has("price")) return refusal("supplier_price_unresolved");
  if (!reasons.has("region")) return refusal("no_providers_available");
  // The lock does not change by waiting, as a supplier that is being drained may: a client library that repeats the
  // request by itself only keeps its caller waiting.
  return refusal("sovereign_route_unavailable", {
    human: "No supplier of this model is inside the region that the request or its key is locked to.",
    doNotRepeat: !reasons.has("draining"),
  });
}

/** A name from outside inside a message: short and printable. */
const quoted = (name: string) => JSON.stringify(name.slice(0, 80));
