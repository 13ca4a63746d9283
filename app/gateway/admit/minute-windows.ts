const WINDOW_SECONDS = 60;
/** So many are kept before those are looked for in which nothing counts any more. */
const KEPT = 1_000;

/** What counts, by the second in which it came, the oldest first. */
type Window = { used: number; seconds: Map<number, number> };

/** How often each of many has done something in the last minute, to the second. Times are milliseconds of one clock that never goes back. */
export class MinuteWindows {
  readonly #windows = new Map<number, Window>();

  /** Counts one more where fewer than `most` count: 0. Else the whole seconds until there is room. */
  take(of: number, most: number, nowMs: number): number {
    const second = Math.floor(nowMs / 1000);
    const window = this.#windowOf(of, second);
    expire(window, second);
    if (window.used >= most) return this.#waitOf(window, most, second);
    window.used += 1;
    window.seconds.set(second, (window.seconds.get(second) ?? 0) + 1);
    return 0;
  }

  /** Takes back what was counted at a moment. Once only; without effect when it counts no more. */
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

  /** Until enough of the oldest have left for one more. */
  #waitOf({ used, seconds }: Window, most: number, now: number): number {
    let left = used;
    for (const [second, count] of seconds) {
      left -= count;
      if (left < most) return second + WINDOW_SECONDS + 1 - now;
    }
    return WINDOW_SECONDS;
  }
}

/** What came within a second leaves when all of that second is a minute ago. */
function expire(window: Window, now: number): void {
  for (const [second, count] of window.seconds) {
    if (second + WINDOW_SECONDS >= now) return;
    window.seconds.delete(second);
    window.used -= count;
  }
}
