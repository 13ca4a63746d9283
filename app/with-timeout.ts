// Own code on purpose: fifteen lines.

/** Work that did not come to its end in time. It may still do so. */
export class TimeoutError extends Error {
  override readonly name = "TimeoutError";
  override readonly message = "no answer in time";
}

/**
 * Waits for `work`, at most so long; what it does afterwards is nobody's affair here, also when it fails.
 * @throws TimeoutError
 */
export async function withTimeout<Result>(work: Promise<Result>, withinMs: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError()), withinMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
