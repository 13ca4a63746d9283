import type { ServerBuild } from "react-router";
import { apiError } from "~/errors/app-error";
import { answerApiErrors } from "./answer-refusals";
import { isServedDirectly } from "./server/route-matcher";

type Handler = (...args: unknown[]) => Promise<unknown>;

/**
 * Returns the same routes, in which every API error that a loader, an action or a middleware throws becomes its
 * response. The gateway's own routes answer nothing here: the handler that serves them applies their limits and the
 * drain.
 */
export function answeringApiErrors(build: ServerBuild): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => {
    if (!route) return [id, route] as const;
    const { loader, action, middleware } = isServedDirectly(id) ? ELSEWHERE : route.module;
    const module = {
      ...route.module,
      loader: loader && answerApiErrors(loader as Handler),
      action: action && answerApiErrors(action as Handler),
      middleware: middleware?.map((step) => answerApiErrors(step as Handler)),
    };
    return [id, { ...route, module }] as const;
  });
  return { ...build, routes: Object.fromEntries(routes) } as ServerBuild;
}

const nothingThere = async (): Promise<never> => {
  throw apiError("not_found");
};
const ELSEWHERE = { loader: nothingThere, action: nothingThere, middleware: undefined };
