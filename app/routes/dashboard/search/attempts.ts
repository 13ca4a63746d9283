const WINDOW_MS = 60_000;
const MAX_IN_WINDOW = 120;
const MAX_PEOPLE = 10_000;

type Window = { startedAt: number; searches: number };

/** Limits searches to 120 per minute and person in this process, to protect the database. */
export class SearchAttempts {
  readonly #windows = new Map<number, Window>();

  /** Counts a search; returns the number of whole seconds to wait, 0 if it is allowed. */
  count(userId: number, nowMs: number): number {
    const known = this.#windows.get(userId);
    const window =
      known !== undefined && nowMs < known.startedAt + WINDOW_MS ? known : { startedAt: nowMs, searches: 0 };
    window.searches += 1;
    // Reinserted at the end, so that the first entry is the least recently active person.
    this.#windows.delete(userId);
    this.#windows.set(userId, window);
    if (this.#windows.size > MAX_PEOPLE) this.#windows.delete(this.#windows.keys().next().value as number);
    if (window.searches <= MAX_IN_WINDOW) return 0;
    return Math.max(1, Math.ceil((window.startedAt + WINDOW_MS - nowMs) / 1_000));
  }
}
