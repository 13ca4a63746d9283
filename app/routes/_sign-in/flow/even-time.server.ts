/**
 * Does some work and answers no sooner than `minimumMs` after the beginning, so that the time tells nobody whether there was
 * something to do. A refusal that everybody gets comes at once.
 */
export async function inEvenTime<Result>(minimumMs: number, work: () => Promise<Result>): Promise<Result> {
  const startedMs = performance.now();
  const result = await work();
  const left = minimumMs - (performance.now() - startedMs);
  if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
  return result;
}
