import type { Connection } from "./connection";

let count = 0;

/** How many pages and management requests are being answered. Calls are counted where they are kept. */
export const requestsInFlight = (): number => count;

/** Counts a request until its answer is complete or its client has gone. */
export function countRequest({ outgoing }: Connection): void {
  count += 1;
  outgoing.once("close", () => {
    count -= 1;
  });
}
