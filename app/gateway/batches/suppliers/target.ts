import { catalogue } from "~/domain/catalogue/index.server";
import type { BatchOffer, Route } from "~/domain/catalogue/shared";
import type { PricedRoute } from "~/domain/routing/index.server";
import { AUTO_MODEL } from "~/domain/routing/shared";
import type { BatchPlace, SupplierBatches } from "../../canonical/exchange";
import type { InferenceRequest } from "../../canonical/inference-request";
import { translatorFor } from "../../dialects/translators";
import type { RoutePlan } from "../../route";
import { adapterOf } from "../../suppliers/registry";

/** A supplier that takes batches, by one of a model's routes. */
export type BatchTarget = { route: PricedRoute; offer: BatchOffer; batches: SupplierBatches; place: BatchPlace };

/**
 * The first of a plan's routes whose supplier takes the request in a batch; null: it is carried out as a call. What the autorouter
 * chooses is chosen when it is called.
 */
export function batchRouteOf({ routes }: RoutePlan, inference: InferenceRequest): number | null {
  if (inference.requestedModel === AUTO_MODEL) return null;
  return routes.find((route) => takesBatches(route, inference))?.routeId ?? null;
}

function takesBatches(route: Route, { dialect }: InferenceRequest): boolean {
  const adapter = adapterOf(route.supplier);
  const spoken = adapter?.speaks(dialect, route) ?? null;
  return (
    route.supplier.batch !== undefined &&
    spoken !== null &&
    adapter?.batches?.takes(spoken) === true &&
    translatorFor(dialect, spoken) !== undefined
  );
}

/**
 * Where lines for a route are sent, or were. `credential`: the name of the one whose account they lie in; undefined: there is none yet.
 * Null: the catalogue has no such route, supplier or credential any more.
 */
export function targetOf(routeId: number, credential?: string | null): BatchTarget | null {
  const route = routeById(routeId);
  const batches = route === null ? undefined : adapterOf(route.supplier)?.batches;
  if (route === null || batches === undefined || route.price === null) return null;
  const { supplier, price } = route;
  // Where it is no longer offered, what was sent is still read.
  const offer = supplier.batch ?? (credential === undefined ? undefined : NO_MORE);
  const used =
    credential === undefined
      ? (supplier.credentials[0] ?? null)
      : credential === null
        ? null
        : supplier.credentials.find(({ name }) => name === credential);
  if (offer === undefined || used === undefined) return null;
  return { route: { ...route, price }, offer, batches, place: { supplier, credential: used } };
}

/** The price is what was frozen when it was sent. */
const NO_MORE: BatchOffer = { protocol: "openai", priceMillionths: 1_000_000 };

function routeById(routeId: number): Route | null {
  for (const routes of catalogue().routes.values()) {
    const found = routes.find((route) => route.routeId === routeId);
    if (found !== undefined) return found;
  }
  return null;
}
