import { log } from "~/observe/log.server";
import type { PricedRoute } from "../route/route-plan";

/** Warnings for the operator about a supplier. */
export type Warning =
  | "a supplier costs more than its price in the catalogue brings in"
  | "a supplier reports more usage than its request can have caused: gw's own count is charged instead";

/** Minimum milliseconds between two equal warnings about a route. */
const WARN_AGAIN_MS = 60_000;
const warnedAt = new Map<string, number>();

/** Logs a warning about a supplier, at most once a minute for each route, however many calls cause it. */
export function warnOperator(warning: Warning, route: PricedRoute, about: Readonly<Record<string, unknown>>): void {
  const now = Date.now();
  const subject = `${route.routeId} ${warning}`;
  if (now - (warnedAt.get(subject) ?? 0) < WARN_AGAIN_MS) return;
  warnedAt.set(subject, now);
  const { supplier, model, upstreamModel } = route;
  log.warn({ supplier: supplier.name, model: model.id, upstreamModel, ...about }, warning);
}
