/** Maximum time in milliseconds that long work may block the event loop at once. */
const SLICE_MS = 5;

const waiting: (() => void)[] = [];

/**
 * Splits long work into slices of a few milliseconds, and runs one slice of all such work per round of the event loop.
 * Short requests run in between, regardless of the amount of long work.
 */
export class TimeSlice {
  #since = performance.now();

  /** Whether the slice is used up; then await `next` before continuing. */
  get isOver(): boolean {
    return performance.now() - this.#since > SLICE_MS;
  }

  /** Resolves when the next slice of this work may run. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(serveOne);
    });
    this.#since = performance.now();
  }
}

/** Body size from which processing the body at once takes long. */
const LONG_BYTES = 256 * 1024;

/**
 * Waits for a round of the event loop without other work on long bodies; undefined for a short body, which need not
 * wait.
 */
export function ownTurn(bytes: number): Promise<void> | undefined {
  return bytes > LONG_BYTES ? new TimeSlice().next() : undefined;
}

function serveOne(): void {
  waiting.shift()?.();
  // An immediate that is set inside an immediate runs in the next round, after the events that have arrived.
  if (waiting.length > 0) setImmediate(serveOne);
}
