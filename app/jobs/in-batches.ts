/** So many rows in one statement: what else the database does waits no longer for it than a moment. */
const ROWS_AT_ONCE = 5_000;

/**
 * Makes a run that repeats `purge` until nothing old is left: however much comes in, no more than what is kept stays. It stops
 * between two batches when it is told to.
 */
export const inBatches =
  (purge: (maximum: number) => Promise<number>, maximum = ROWS_AT_ONCE) =>
  async (signal: AbortSignal): Promise<number> => {
    for (let total = 0; ; ) {
      signal.throwIfAborted();
      const count = await purge(maximum);
      total += count;
      if (count < maximum) return total;
    }
  };
