import { log } from "~/log.server";
import type { PricedRoute } from "../route/route-plan";

/** What an operator is told about a supplier. */
export type Warning =
  | "a supplier costs more than its price in the catalogue brings in"
  | "a supplier reports more usage than its request can have caused: gw's own count is charged instead";

/** For each route this often at most. */
const SAY_AGAIN_MS = 60_000;
const said = new Map<string, number>();

/** Warns of something that a supplier does: once a minute for each route, however many calls show it. */
export function warnOperator(warning: Warning, route: PricedRoute, about: Readonly<Record<string, unknown>>): void {
  const now = Date.now();
  const subject = `${route.routeId} ${warning}`;
  if (now - (said.get(subject) ?? 0) < SAY_AGAIN_MS) return;
  said.set(subject, now);
  const { supplier, model, upstreamModel } = route;
  log.warn({ supplier: supplier.name, model: model.id, upstreamModel, ...about }, warning);
}
