// Own code on purpose: fifteen lines.

/** Work that did not come to its end in time. It may still do so. */
export class TooLate extends Error {
  override readonly name = "TooLate";
  override readonly message = "no answer in time";
}

/**
 * Waits for `work`, at most so long; what it does afterwards is nobody's affair here, also when it fails.
 * @throws TooLate
 */
export async function inTime<Result>(work: Promise<Result>, withinMs: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TooLate()), withinMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
