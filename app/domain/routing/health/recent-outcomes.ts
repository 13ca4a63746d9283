// Own code on purpose: two small arrays that the breaker reads on every call, with the time as an argument.

/** Length of the window in seconds. */
const WINDOW_SECONDS = 30;

/** Counts successes and failures of the last 30 seconds, by whole seconds. */
export class RecentOutcomes {
  total = 0;
  failures = 0;
  readonly #totals = new Uint32Array(WINDOW_SECONDS);
  readonly #failures = new Uint32Array(WINDOW_SECONDS);
  #second = 0;

  add(failed: boolean, now: number): void {
    this.#moveTo(Math.floor(now / 1000));
    const slot = this.#second % WINDOW_SECONDS;
    this.#totals[slot]! += 1;
    this.total += 1;
    if (!failed) return;
    this.#failures[slot]! += 1;
    this.failures += 1;
  }

  clear(): void {
    this.#totals.fill(0);
    this.#failures.fill(0);
    this.total = 0;
    this.failures = 0;
  }

  #moveTo(second: number): void {
    if (second <= this.#second) return;
    if (second - this.#second >= WINDOW_SECONDS) this.clear();
    else {
      for (let expired = this.#second + 1; expired <= second; expired += 1) {
        const slot = expired % WINDOW_SECONDS;
        this.total -= this.#totals[slot]!;
        this.failures -= this.#failures[slot]!;
        this.#totals[slot] = 0;
        this.#failures[slot] = 0;
      }
    }
    this.#second = second;
  }
}
