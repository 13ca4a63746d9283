import type { RouteHealthView } from "~/domain/routing/shared";

type PausedModel = Pick<RouteHealthView, "model" | "reason" | "coolDownEndsAt"> & {
  state: Exclude<RouteHealthView["state"], "closed">;
};

/** The models of one supplier that are sent elsewhere at the moment, and how it has answered of late. */
export type SupplierHealth = {
  /** How many of its models had traffic in this process. */
  watched: number;
  /** Those that get no requests, or a single probe: by model, with what went wrong last and when the next attempt is. */
  paused: PausedModel[];
  /** 0 to 1, by the observations; null: there are none. */
  successRate: number | null;
  firstByteMs: number | null;
};

/** What the routes of a process tell of each supplier, by its name. */
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

/** By observations: a model that is asked often says more than one that is not. */
function average(routes: readonly RouteHealthView[], value: (route: RouteHealthView) => number): number | null {
  const weight = routes.reduce((sum, { observations }) => sum + observations, 0);
  if (weight === 0) return null;
  return routes.reduce((sum, route) => sum + value(route) * route.observations, 0) / weight;
}
