import { catalogue } from "~/domain/catalogue/index.server";
import type { Lane, Model } from "~/domain/catalogue/shared";
import type { Caller } from "~/domain/keys/shared";
import { isRegionAllowed, orderLanes } from "~/domain/routing/policy";
import { refusal } from "~/errors/app-error";
import type { Ask } from "./canonical/ask";
import type { Dialect } from "./dialects/dialect";
import { passageBetween } from "./dialects/passages";
import { adapterOf } from "./suppliers/registry";

/** Where a call may go: the allowed lanes, best first, all priced. Nothing else is ever dispatched. */
export type Plan = { model: Model; lanes: readonly PricedLane[] };
export type PricedLane = Lane & { price: NonNullable<Lane["price"]> };

/**
 * Picks the lanes that may serve an ask: the key's models, the regions of the key and of the call, the dialect, a known
 * price. Restrictions come before preferences, so nothing later can widen them.
 * @throws AppError model_not_found, model_not_allowed, no_providers_available, sovereign_route_unavailable,
 *   supplier_price_unresolved.
 */
export function route(caller: Caller, ask: Ask, dialect: Dialect): Plan {
  const { models, lanes: lanesByModel } = catalogue();
  const model = models.get(ask.requestedModel);
  if (model === undefined) {
    throw refusal("model_not_found", {
      human: `There is no model named ${quoted(ask.requestedModel)} here.`,
      param: "model",
    });
  }
  if (caller.allowedModels.length > 0 && !caller.allowedModels.includes(model.id)) {
    throw refusal("model_not_allowed", { human: `This key may not use the model ${model.id}.`, param: "model" });
  }
  if (model.capability !== dialect.capability) {
    throw refusal("invalid_request", {
      human: `The model ${model.id} is for ${model.capability}, not for this endpoint.`,
      param: "model",
    });
  }
  const lanes = lanesByModel.get(model.id) ?? [];
  const usable = lanes.filter((lane) => !lane.supplier.draining && canReach(lane, dialect));
  if (usable.length === 0) throw refusal("no_providers_available");
  const allowed = usable.filter(({ supplier }) => isRegionAllowed(supplier.region, caller.allowedRegions, ask.region));
  if (allowed.length === 0) {
    throw refusal("sovereign_route_unavailable", {
      human: "No supplier of this model is inside the region that the request or its key is locked to.",
    });
  }
  const priced = allowed.filter((lane): lane is PricedLane => lane.price !== null);
  if (priced.length === 0) throw refusal("supplier_price_unresolved");
  return { model, lanes: orderLanes(priced) };
}

/** Whether the lane's supplier can be asked in the client's dialect, as it is or translated. */
function canReach(lane: Lane, dialect: Dialect): boolean {
  const spoken = adapterOf(lane.supplier)?.speaks(dialect.name, lane) ?? null;
  return spoken !== null && passageBetween(dialect.name, spoken) !== undefined;
}

/** A name from outside inside a message: short and printable. */
const quoted = (name: string) => JSON.stringify(name.slice(0, 80));
