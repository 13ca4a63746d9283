import type { Model, Route } from "~/domain/catalogue/shared";
import { type AppError, apiError } from "~/errors/app-error";
import { DIALECT_NAMES, DIALECTS, type DialectName } from "../canonical/dialects";
import { translatorFor } from "../dialects/translators";
import { adapterOf } from "../suppliers/registry";

/** Whether the route's supplier can serve a client's dialect, directly or by translation. */
export function canReach(route: Route, dialect: DialectName): boolean {
  const spoken = adapterOf(route.supplier)?.speaks(dialect, route) ?? null;
  return spoken !== null && translatorFor(dialect, spoken) !== undefined;
}

/**
 * Whether a model has the endpoint's capability and one of its routes can serve it, even if that route is closed now.
 */
export const servesEndpoint = ({ capability }: Model, routes: readonly Route[], dialect: DialectName): boolean =>
  capability === DIALECTS[dialect].capability && routes.some((route) => canReach(route, dialect));

/** Returns the error for an endpoint that a model does not serve: permanent, with the endpoints that it does serve. */
export function wrongEndpoint(model: Model, routes: readonly Route[], dialect: DialectName): AppError {
  const served = DIALECT_NAMES.filter((name) => servesEndpoint(model, routes, name));
  const operations = served.map((name) => `POST /v1/${DIALECTS[name].endpoint}`);
  const instead = operations.length === 0 ? "It serves no endpoint here." : `It serves ${inOneLine(operations)}.`;
  return apiError("capability_unsupported", {
    userMessage: `“${model.id}” does not serve ${DIALECTS[dialect].title}. ${instead}`,
    param: "model",
  });
}

const inOneLine = (names: readonly string[]): string =>
  names.length === 1 ? names[0]! : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
