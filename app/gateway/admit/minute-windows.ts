const WINDOW_SECONDS = 60;
/** Number of windows from which on empty ones are removed before another is added. */
const KEPT = 1_000;

/** Counted events by the second in which they arrived, oldest first. */
type Window = { used: number; seconds: Map<number, number> };

/** Counts the events of the last minute per id, to the second. Times are milliseconds of one monotonic clock. */
export class MinuteWindows {
  readonly #windows = new Map<number, Window>();

  /**
   * Counts one more event and returns 0 if fewer than `limit` are counted. Otherwise returns the whole seconds until
   * there is room.
   */
  take(of: number, limit: number, nowMs: number): number {
    const second = Math.floor(nowMs / 1000);
    const window = this.#windowOf(of, second);
    expire(window, second);
    if (window.used >= limit) return this.#waitOf(window, limit, second);
    window.used += 1;
    window.seconds.set(second, (window.seconds.get(second) ?? 0) + 1);
    return 0;
  }

  /** Removes an event that was counted at this time. Call once per event; without effect if the event has expired. */
  giveBack(of: number, atMs: number): void {
    const window = this.#windows.get(of);
    const second = Math.floor(atMs / 1000);
    const count = window?.seconds.get(second);
    if (window === undefined || count === undefined) return;
    window.used -= 1;
    if (count > 1) window.seconds.set(second, count - 1);
    else window.seconds.delete(second);
  }

  #windowOf(of: number, second: number): Window {
    const known = this.#windows.get(of);
    if (known !== undefined) return known;
    if (this.#windows.size >= KEPT) this.#forgetIdle(second);
    const window = { used: 0, seconds: new Map<number, number>() };
    this.#windows.set(of, window);
    return window;
  }

  #forgetIdle(second: number): void {
    for (const [of, window] of this.#windows) {
      expire(window, second);
      if (window.used === 0) this.#windows.delete(of);
    }
  }

  /** Returns the seconds until enough of the oldest events have expired to count one more. */
  #waitOf({ used, seconds }: Window, limit: number, now: number): number {
    let remaining = used;
    for (const [second, count] of seconds) {
      remaining -= count;
      if (remaining < limit) return second + WINDOW_SECONDS + 1 - now;
    }
    return WINDOW_SECONDS;
  }
}

/** Removes expired events: a second expires when all of it is a minute ago. */
function expire(window: Window, now: number): void {
  for (const [second, count] of window.seconds) {
    if (second + WINDOW_SECONDS >= now) return;
    window.seconds.delete(second);
    window.used -= count;
  }
}
