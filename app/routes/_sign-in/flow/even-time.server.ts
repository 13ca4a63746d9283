/**
 * Runs `work` and returns at least `minimumMs` after the start, so that the duration does not show whether there was
 * work. An error is thrown at once, so `work` may only throw errors that do not depend on the account.
 */
export async function inEvenTime<Result>(minimumMs: number, work: () => Promise<Result>): Promise<Result> {
  const startedMs = performance.now();
  const result = await work();
  const remainingMs = minimumMs - (performance.now() - startedMs);
  if (remainingMs > 0) await new Promise((resolve) => setTimeout(resolve, remainingMs));
  return result;
}
