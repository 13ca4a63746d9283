import type { RequestListener } from "node:http";

/** What has its own limits, or has to be answered at once: programs' calls and health checks. */
const AT_ONCE = /^\/(?:v[12]\/|health)/;

/**
 * Lets the portal's requests begin one in each turn of the event loop. Of a crowd that arrives at the same moment, such as
 * hundreds of sign-ins, each begins after the streams and health checks that have become ready in the meantime.
 */
export function oneByOne(listener: RequestListener): RequestListener {
  const waiting: Parameters<RequestListener>[] = [];
  const next = (): void => {
    const first = waiting.shift();
    if (waiting.length > 0) setImmediate(next);
    // Nobody waits any more for an answer to somebody who has left.
    if (first !== undefined && !first[1].destroyed) listener(...first);
  };
  return (...request) => {
    if (AT_ONCE.test(request[0].url ?? "")) return listener(...request);
    if (waiting.push(request) === 1) setImmediate(next);
  };
}
