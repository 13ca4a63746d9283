import { apiError } from "~/errors/app-error";
import { type ErrorDialect, gatewayErrorResponse } from "~/errors/envelope";
import { pathOf } from "./request-target";

/**
 * Endpoints that vendors of these formats have and gw lacks, and whose paths match another route of gw. They are
 * reported as missing, rather than as a wrong method of that other route.
 */
const MISSING: readonly RegExp[] = [
  /^\/v1\/responses\/(?:compact|input_tokens)\/?$/,
  /^\/v1\/models\/[^/]+(?:\/[^/]+)*:[a-zA-Z]+\/?$/,
];

/** Whether a request is for an endpoint that gw lacks, although its path matches a route of gw. */
export const isMissingEndpoint = ({ method }: Request, path: string): boolean =>
  method === "POST" && MISSING.some((pattern) => pattern.test(path));

/** Returns a 404 in the envelope that names the missing endpoint. `hint`: an alternative. */
export function missingEndpoint(request: Request, hint = "The API description lists what there is."): Response {
  const path = pathOf(request.url);
  const dialect: ErrorDialect = /^(?:\/v1)*\/messages/.test(path) ? "messages" : "chat";
  const requested = `${request.method} ${path.slice(0, 200)}`;
  const response = gatewayErrorResponse(
    apiError("not_found", { userMessage: `There is no endpoint ${requested}. ${hint}` }),
    dialect,
  );
  response.headers.set("x-request-id", crypto.randomUUID());
  return response;
}
