import type { ServerBuild } from "react-router";
import { answerRefusals } from "./answer-refusals";

type Handler = (...args: unknown[]) => Promise<unknown>;

/** The same routes, with a refusal that a loader, an action or a middleware throws made its answer, wherever it is thrown. */
export function answeringRefusals(build: ServerBuild): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => {
    if (!route) return [id, route] as const;
    const { loader, action, middleware } = route.module;
    const module = {
      ...route.module,
      loader: loader && answerRefusals(loader as Handler),
      action: action && answerRefusals(action as Handler),
      middleware: middleware?.map((step) => answerRefusals(step as Handler)),
    };
    return [id, { ...route, module }] as const;
  });
  return { ...build, routes: Object.fromEntries(routes) } as ServerBuild;
}
