import { apiError } from "~/errors/app-error";
import { type ErrorDialect, gatewayErrorResponse } from "~/errors/envelope";
import { pathOf } from "./request-target";

/**
 * Addresses that vendors of these formats have and gw has not, where another address of gw's would be found in their place: told as what
 * is missing, and not as a method that something else does not take.
 */
const MISSING: readonly RegExp[] = [
  /^\/v1\/responses\/(?:compact|input_tokens)\/?$/,
  /^\/v1\/models\/[^/]+(?:\/[^/]+)*:[a-zA-Z]+\/?$/,
];

/** Whether a request is for an endpoint that gw does not have, although its address looks like one of gw's. */
export const isMissingEndpoint = ({ method }: Request, path: string): boolean =>
  method === "POST" && MISSING.some((pattern) => pattern.test(path));

/** 404 in the envelope, naming what is not there. `hint`: what to do instead. */
export function missingEndpoint(request: Request, hint = "The API description lists what there is."): Response {
  const path = pathOf(request.url);
  const dialect: ErrorDialect = /^(?:\/v1)*\/messages/.test(path) ? "messages" : "chat";
  const asked = `${request.method} ${path.slice(0, 200)}`;
  const response = gatewayErrorResponse(
    apiError("not_found", { userMessage: `There is no endpoint ${asked}. ${hint}` }),
    dialect,
  );
  response.headers.set("x-request-id", crypto.randomUUID());
  return response;
}
