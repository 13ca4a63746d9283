const WINDOW_MS = 60_000;
const MAX_IN_WINDOW = 120;
const MAX_PEOPLE = 10_000;

type Window = { startedAt: number; searches: number };

/** Counts searches of people in this process, so that nobody keeps the database busy by them: 120 a minute each. */
export class SearchAttempts {
  readonly #windows = new Map<number, Window>();

  /** Counts one; returns for how many whole seconds this person has to wait, 0: not at all. */
  count(userId: number, nowMs: number): number {
    const known = this.#windows.get(userId);
    const window =
      known !== undefined && nowMs < known.startedAt + WINDOW_MS ? known : { startedAt: nowMs, searches: 0 };
    window.searches += 1;
    // The latest last, so that the first is who has been away for longest.
    this.#windows.delete(userId);
    this.#windows.set(userId, window);
    if (this.#windows.size > MAX_PEOPLE) this.#windows.delete(this.#windows.keys().next().value as number);
    if (window.searches <= MAX_IN_WINDOW) return 0;
    return Math.max(1, Math.ceil((window.startedAt + WINDOW_MS - nowMs) / 1_000));
  }
}
