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
 * Finds the resource routes that gw's server answers itself, without React Router in between: the same modules from the
 * same table (product decision: a tenth of the processor time a request). More static segments win, a splat comes last;
 * what a splat stands for is no parameter. Fixed paths are looked up; the others are found by Hono's router alone: an application of
 * Hono's around it costs each request a microsecond and answers HEAD and other methods in its own way.
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

/** Whether a row is one of those that the gateway answers and React Router does not. */
export const isServedDirectly = (id: string) => /^routes\/v[12]\//.test(id) || id === "routes/health";

/** The router prefers what was added first: paths with the fewest parameters, then splats. */
const rankOf = (path: string): number => path.split("/:").length + (path.endsWith("*") ? 100 : 0);

/** The router names parameters by their place in a list, or, where paths are too much alike for that, by their values. */
function firstOf([matches, values]: Result<RouteModule>): MatchedRoute | null {
  const [found] = matches;
  if (found === undefined) return null;
  const [module, named] = found;
  const params: Record<string, string> = {};
  for (const [name, value] of Object.entries(named)) {
    params[name] = decoded(typeof value === "number" ? (values?.[value] ?? "") : value);
  }
  return { loader: module.loader, action: module.action, params };
}
