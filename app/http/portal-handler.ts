import { createRequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import type { TrustedProxies } from "~/config/trusted-proxies";
import { apiError } from "~/errors/app-error";
import { portalErrorResponse } from "~/errors/envelope";
import { answeringApiErrors } from "./answering-refusals";
import { clientAddress, clientAddressContext } from "./server/client-address";
import { compressAnswer } from "./server/compress-answer";
import type { Connection } from "./server/connection";
import { staticFiles } from "./server/static-files";

/** Supported methods; React Router answers other methods without an error code. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Handles all requests that are not for the gateway: built files, then React Router, with compressed responses.
 * `readBuild` is called once, or for every request in development, where Vite serves the files. `builtFiles`: absolute
 * folder of the built files. `proxies`: the trusted proxies. API errors of loaders and actions are answered with their
 * code and status.
 */
export function portalHandler({
  readBuild,
  builtFiles,
  development,
  proxies,
}: {
  readBuild: () => Promise<ServerBuild>;
  builtFiles: string;
  development: boolean;
  proxies: TrustedProxies;
}): (request: Request, connection: Connection) => Promise<Response> {
  const files = development ? null : staticFiles(builtFiles);
  let handler: ReturnType<typeof createRequestHandler> | null = null;
  return async (request, { incoming }) => {
    if (!METHODS.has(request.method)) return portalErrorResponse(apiError("method_not_allowed"));
    dropUnreadableOrigin(request.headers);
    const file = files?.(request);
    if (file !== undefined) return file;
    if (handler === null || development)
      handler = createRequestHandler(answeringApiErrors(await readBuild()), development ? "development" : "production");
    const context = new RouterContextProvider();
    context.set(clientAddressContext, clientAddress(incoming, proxies));
    const response = await handler(request, context);
    return development ? response : compressAnswer(request, response);
  };
}

/**
 * Removes a malformed Origin header, which React Router would answer itself. Without the header, the portal's
 * same-origin check rejects the request.
 */
function dropUnreadableOrigin(headers: Headers): void {
  const origin = headers.get("origin");
  if (origin !== null && origin !== "null" && !URL.canParse(origin)) headers.delete("origin");
}
