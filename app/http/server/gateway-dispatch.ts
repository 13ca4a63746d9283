// Own code on purpose: HEAD, other methods, unknown paths and draining are answered in the error catalogue's envelope;
// only route matching is Hono's.
import type { ServerBuild } from "react-router";
import { apiError } from "~/errors/app-error";
import { gatewayErrorResponse, methodNotAllowedResponse } from "~/errors/envelope";
import { preflightAnswer, sharedAnswer } from "../cross-origin";
import { bindConnection, type Connection } from "./connection";
import { isDraining } from "./drain";
import { isMissingEndpoint, missingEndpoint } from "./missing-endpoint";
import { isGatewayPath, pathOf } from "./request-target";
import { type MatchedRoute, matcherOf } from "./route-matcher";

type Dispatch = (request: Request, connection: Connection) => Promise<Response> | Response | undefined;

/**
 * Answers the gateway's own URLs from the modules of the route table, before React Router; returns undefined for all
 * others. Decides by the request's URL, as React Router does. With a function as input, reads the route table for every
 * request (development with hot reload).
 */
export function gatewayDispatch(build: ServerBuild | (() => Promise<ServerBuild>)): Dispatch {
  if (typeof build === "function") {
    return (request, connection) => {
      if (!isGatewayPath(pathOf(request.url)) && !UNVERSIONED.test(pathOf(request.url))) return undefined;
      return build().then((fresh) => dispatch(matcherOf(fresh.routes), request, connection) ?? nothingThere());
    };
  }
  const match = matcherOf(build.routes);
  return (request, connection) => dispatch(match, request, connection);
}

function dispatch(
  match: (path: string) => MatchedRoute | null,
  request: Request,
  connection: Connection,
): ReturnType<Dispatch> {
  const path = pathOf(request.url);
  if (!isGatewayPath(path)) return isUnversioned(request, path) ? missingEndpoint(request, ADD_VERSION) : undefined;
  if (isDraining() && !HEALTH.test(path)) return refuseWhileDraining();
  if (isSocket(request, path)) return upgradeRequired();
  if (isMissingEndpoint(request, path)) return missingEndpoint(request);
  const route = match(path);
  if (route === null) return nothingThere();
  bindConnection(request, connection);
  const { method } = request;
  if (method === "OPTIONS" && !MANAGE.test(path)) {
    const preflight = preflightAnswer(request);
    if (preflight !== null) return preflight;
  }
  const handler = method === "GET" || method === "HEAD" ? route.loader : route.action;
  if (handler === undefined) return methodNotAllowedResponse(route.loader ? ["GET", "HEAD"] : ["POST"]);
  const answered = handler({ request, params: route.params, context: undefined });
  if (connection.incoming.headers.origin === undefined) return answered;
  // A stream has already sent its headers.
  return Promise.resolve(answered).then((response) =>
    connection.outgoing.headersSent ? response : sharedAnswer(request, response),
  );
}

/** Hint for the most common misconfiguration of a client library. */
const ADD_VERSION = "Add /v1 to the base URL.";
/** API paths without the version. No page of the portal has one of these paths. */
const UNVERSIONED = new RegExp(
  `^/(?:${[
    ...["chat/completions", "completions", "messages(?:/count_tokens)?", "embeddings", "rerank", "moderations"],
    ...["(?:responses|models|files|batches)(?:/.+)?", "images/(?:generations|edits)"],
    ...["audio/(?:speech|transcriptions|translations)"],
  ].join("|")})/?$`,
);

/**
 * Whether a program requests an API path without its version. Browsers that navigate get the portal's error page
 * instead.
 */
function isUnversioned({ method, headers }: Request, path: string): boolean {
  if (!UNVERSIONED.test(path)) return false;
  if (method !== "GET" && method !== "HEAD") return method !== "OPTIONS";
  const accept = headers.get("accept") ?? "";
  return headers.has("authorization") || headers.has("x-api-key") || /\bjson\b/.test(accept);
}

/** Paths where clients try a WebSocket before they fall back to HTTP. */
const SOCKETS = /^\/v1\/(?:(?:vendorb\/)?responses|realtime)(?:\/|$)/;

const isSocket = ({ headers }: Request, path: string): boolean =>
  SOCKETS.test(path) && /\bwebsocket\b/i.test(headers.get("upgrade") ?? "");

/** Status 426 makes agents fall back to HTTP at once; after other statuses they retry. */
function upgradeRequired(): Response {
  const error = apiError("not_implemented", {
    status: 426,
    userMessage: "Web sockets are not offered here. Send the request by HTTP, with stream set to true.",
  });
  const response = gatewayErrorResponse(error);
  response.headers.set("upgrade", "HTTP/1.1");
  response.headers.set("connection", "Upgrade");
  return named(response);
}

/** The management API answers no preflights: admin keys must not be used in a browser. */
const MANAGE = /^\/v1\/manage(?:\/|$)/;

const HEALTH = /^\/health\/?$/;

const nothingThere = () => named(gatewayErrorResponse(apiError("not_found")));

function refuseWhileDraining(): Response {
  const response = gatewayErrorResponse(apiError("pod_draining", { retryAfterSeconds: 1 }));
  response.headers.set("connection", "close");
  return named(response);
}

/** Adds a request id, which client libraries show with each error. */
function named(response: Response): Response {
  response.headers.set("x-request-id", crypto.randomUUID());
  return response;
}
