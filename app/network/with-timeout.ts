// Own code on purpose: fifteen lines.

/** Work did not complete in time. It may still complete later. */
export class TimeoutError extends Error {
  override readonly name = "TimeoutError";
  override readonly message = "no answer in time";
}

/**
 * Waits for `work`, at most `withinMs`; its later result or error is ignored.
 * @throws TimeoutError
 */
export async function withTimeout<Result>(work: Promise<Result>, withinMs: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError()), withinMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
