import { catalogue } from "~/domain/catalogue/index.server";
import type { BatchOffer, Route } from "~/domain/catalogue/shared";
import type { PricedRoute } from "~/domain/routing/index.server";
import { AUTO_MODEL } from "~/domain/routing/shared";
import type { BatchPlace, SupplierBatches } from "../../canonical/exchange";
import type { InferenceRequest } from "../../canonical/inference-request";
import { translatorFor } from "../../dialects/translators";
import type { RoutePlan } from "../../route";
import { adapterOf } from "../../suppliers/registry";

/** A supplier that accepts batches, and the route to it. */
export type BatchTarget = { route: PricedRoute; offer: BatchOffer; batches: SupplierBatches; place: BatchPlace };

/**
 * Returns the first route of a plan whose supplier accepts the request in a batch; null if it is executed as a call.
 * Requests for `auto` become calls, because the autorouter chooses the model at the time of the call.
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
 * Returns the target for a route's lines. `credential`: name of the credential whose account has the batch; undefined
 * before it is sent. Null if the catalogue no longer has the route, the supplier or the credential.
 */
export function targetOf(routeId: number, credential?: string | null): BatchTarget | null {
  const route = routeById(routeId);
  const batches = route === null ? undefined : adapterOf(route.supplier)?.batches;
  if (route === null || batches === undefined || route.price === null) return null;
  const { supplier, price } = route;
  // If the supplier's batches were disabled meanwhile, sent ones are still read.
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

/** Placeholder: the price of a sent batch was frozen with it. */
const NO_MORE: BatchOffer = { protocol: "openai", priceMillionths: 1_000_000 };

function routeById(routeId: number): Route | null {
  for (const routes of catalogue().routes.values()) {
    const match = routes.find((route) => route.routeId === routeId);
    if (match !== undefined) return match;
  }
  return null;
}
