import type { RouteHealthView } from "~/domain/routing/shared";

type PausedModel = Pick<RouteHealthView, "model" | "reason" | "coolDownEndsAt"> & {
  state: Exclude<RouteHealthView["state"], "closed">;
};

/** Paused models of one supplier, and its recent results. */
export type SupplierHealth = {
  /** Number of its models with traffic in this process. */
  watched: number;
  /** Models that get no requests, or only a probe: with the last error and the time of the next attempt. */
  paused: PausedModel[];
  /** 0 to 1, weighted by observations; null: no observations. */
  successRate: number | null;
  firstByteMs: number | null;
};

/** Summarises the health of a process's routes by supplier name. */
export function supplierHealth(routes: readonly RouteHealthView[]): Record<string, SupplierHealth> {
  const names = [...new Set(routes.map(({ supplier }) => supplier))];
  return Object.fromEntries(names.map((name) => [name, healthOf(routes.filter(({ supplier }) => supplier === name))]));
}

function healthOf(routes: readonly RouteHealthView[]): SupplierHealth {
  const timed = routes.filter(({ firstByteMs }) => firstByteMs !== null);
  return {
    watched: routes.length,
    paused: routes.flatMap(({ model, state, reason, coolDownEndsAt }) =>
      state === "closed" ? [] : [{ model, state, reason, coolDownEndsAt }],
    ),
    successRate: average(routes, ({ successRate }) => successRate),
    firstByteMs: average(timed, ({ firstByteMs }) => firstByteMs ?? 0),
  };
}

/** Weighted by observations: a model with more requests counts more. */
function average(routes: readonly RouteHealthView[], value: (route: RouteHealthView) => number): number | null {
  const weight = routes.reduce((sum, { observations }) => sum + observations, 0);
  if (weight === 0) return null;
  return routes.reduce((sum, route) => sum + value(route) * route.observations, 0) / weight;
}
