const MAX_SECONDS = 300;

/** When lines of a batch are sent to a supplier again, after it could not take them. Losing it costs a question or two. */
export class Pauses {
  readonly #pauses = new Map<string, { failures: number; untilMs: number }>();

  /** Whether something may be sent now. */
  isOpen(batchId: string, routeId: number): boolean {
    return (this.#pauses.get(`${batchId} ${routeId}`)?.untilMs ?? 0) <= performance.now();
  }

  /** Waits for as long as the supplier says, or longer each time. */
  add(batchId: string, routeId: number, seconds: number | null): void {
    const key = `${batchId} ${routeId}`;
    const failures = (this.#pauses.get(key)?.failures ?? 0) + 1;
    const wait = Math.min(seconds ?? 2 ** failures, MAX_SECONDS);
    this.#pauses.set(key, { failures, untilMs: performance.now() + wait * 1_000 });
    // Batches end; what is known of old ones goes with the oldest.
    if (this.#pauses.size > 1_000) this.#pauses.delete(this.#pauses.keys().next().value as string);
  }
}
