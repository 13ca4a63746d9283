import { createRequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import type { TrustedProxies } from "~/config/trusted-proxies";
import { apiError } from "~/errors/app-error";
import { portalErrorResponse } from "~/errors/envelope";
import { answeringApiErrors } from "./answering-refusals";
import { clientAddress, clientAddressContext } from "./client-address";
import { compressAnswer } from "./compress-answer";
import type { Connection } from "./connection";
import { staticFiles } from "./static-files";

/** React Router answers others without a code. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Everything that is not the gateway's: built files, then React Router, compressed as the client likes it. `readBuild` is
 * asked once, or for every request in development, where Vite serves the files. `builtFiles`: the folder of the built files,
 * wherever the process was started. `proxies`: those in front whose word counts. What loaders and actions refuse is answered with
 * its code and status.
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
    leaveOutUnreadableOrigin(request.headers);
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
 * React Router answers an origin that is no address itself, in its own way. Left out, it counts as a client that does not
 * say where it comes from, which the portal's check refuses.
 */
function leaveOutUnreadableOrigin(headers: Headers): void {
  const origin = headers.get("origin");
  if (origin !== null && origin !== "null" && !URL.canParse(origin)) headers.delete("origin");
}
