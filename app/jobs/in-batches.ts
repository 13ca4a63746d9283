/** Maximum rows per statement, so that other statements do not wait long for it. */
const ROWS_AT_ONCE = 5_000;

/**
 * Creates a run that repeats `purge` until no expired rows remain, whatever their number. It stops between two batches
 * when `signal` aborts.
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
