import { METHOD_NAME_ALL, type Result, type Router } from "hono/router";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { SmartRouter } from "hono/router/smart-router";
import { TrieRouter } from "hono/router/trie-router";
import type { ServerBuild } from "react-router";
import { decoded } from "./request-target";

type Handler = (args: {
  request: Request;
  params: Record<string, string>;
  context: unknown;
}) => Promise<Response> | Response;
type RouteModule = { loader?: Handler; action?: Handler };
export type MatchedRoute = RouteModule & { params: Record<string, string> };

/**
 * Matches the resource routes that gw's server answers without React Router: the same modules from the same route table
 * (a tenth of the processor time per request). Routes with more static segments win; a splat is last, and its value is
 * no parameter. Fixed paths are in a map; the others use Hono's router alone. A Hono application around the router
 * would cost each request a microsecond, and would answer HEAD and other methods itself.
 */
export function matcherOf(routes: ServerBuild["routes"]): (path: string) => MatchedRoute | null {
  const router: Router<RouteModule> = new SmartRouter({ routers: [new RegExpRouter(), new TrieRouter()] });
  const served = Object.values(routes).flatMap((route) =>
    route?.path && isServedDirectly(route.id) ? [{ path: `/${route.path}`, module: route.module as RouteModule }] : [],
  );
  const fixed = new Map<string, RouteModule>();
  for (const { path, module } of served.toSorted((a, b) => rankOf(a.path) - rankOf(b.path))) {
    if (!/[:*]/.test(path)) {
      fixed.set(path, module).set(`${path}/`, module);
      continue;
    }
    router.add(METHOD_NAME_ALL, path, module);
    if (!path.endsWith("*")) router.add(METHOD_NAME_ALL, `${path}/`, module);
  }
  return (path) => {
    const module = fixed.get(path);
    if (module === undefined) return firstOf(router.match(METHOD_NAME_ALL, path));
    return { loader: module.loader, action: module.action, params: {} };
  };
}

/** Whether the gateway, not React Router, answers a route. */
export const isServedDirectly = (id: string) => /^routes\/v[12]\//.test(id) || id === "routes/health";

/**
 * Order of registration, as Hono's router prefers the first match: paths with the fewest parameters first, splats last.
 */
const rankOf = (path: string): number => path.split("/:").length + (path.endsWith("*") ? 100 : 0);

/**
 * Returns the first match. Depending on the paths, Hono's router reports a parameter as an index into a list, or as its
 * value.
 */
function firstOf([matches, values]: Result<RouteModule>): MatchedRoute | null {
  const [match] = matches;
  if (match === undefined) return null;
  const [module, named] = match;
  const params: Record<string, string> = {};
  for (const [name, value] of Object.entries(named)) {
    params[name] = decoded(typeof value === "number" ? (values?.[value] ?? "") : value);
  }
  return { loader: module.loader, action: module.action, params };
}
