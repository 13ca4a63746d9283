import type { Connection } from "./connection";

let count = 0;

/** Returns the number of page and management requests in flight. The gateway counts its calls itself. */
export const requestsInFlight = (): number => count;

/** Counts a request until its response is complete or its client disconnects. */
export function countRequest({ outgoing }: Connection): void {
  count += 1;
  outgoing.once("close", () => {
    count -= 1;
  });
}
