import type { RequestListener } from "node:http";

/**
 * Paths that are not queued: API calls, which have their own limits, and health checks, which must be answered at once.
 */
const AT_ONCE = /^\/(?:v[12]\/|health)/;

/**
 * Starts at most one portal request per turn of the event loop. When many arrive at once, such as hundreds of sign-ins,
 * streams and health checks that become ready meanwhile run between them.
 */
export function oneByOne(listener: RequestListener): RequestListener {
  const waiting: Parameters<RequestListener>[] = [];
  const next = (): void => {
    const first = waiting.shift();
    if (waiting.length > 0) setImmediate(next);
    // Skip a request whose client has disconnected.
    if (first !== undefined && !first[1].destroyed) listener(...first);
  };
  return (...request) => {
    if (AT_ONCE.test(request[0].url ?? "")) return listener(...request);
    if (waiting.push(request) === 1) setImmediate(next);
  };
}
