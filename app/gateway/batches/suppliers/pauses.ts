const MAX_SECONDS = 300;

/**
 * Delays the sending of a batch's lines to a supplier that could not accept them. After a loss of this state a few
 * requests are repeated.
 */
export class Pauses {
  readonly #pauses = new Map<string, { failures: number; untilMs: number }>();

  /** Whether lines may be sent now. */
  isOpen(batchId: string, routeId: number): boolean {
    return (this.#pauses.get(`${batchId} ${routeId}`)?.untilMs ?? 0) <= performance.now();
  }

  /** Adds a delay: as long as the supplier requests, else twice as long each time. */
  add(batchId: string, routeId: number, seconds: number | null): void {
    const key = `${batchId} ${routeId}`;
    const failures = (this.#pauses.get(key)?.failures ?? 0) + 1;
    const wait = Math.min(seconds ?? 2 ** failures, MAX_SECONDS);
    this.#pauses.set(key, { failures, untilMs: performance.now() + wait * 1_000 });
    // Bounds the memory: evicts the oldest entry, whose batch has probably ended.
    if (this.#pauses.size > 1_000) this.#pauses.delete(this.#pauses.keys().next().value as string);
  }
}
