/** So long one piece of work may hold the process before the others have their turn. */
const SLICE_MS = 5;

const waiting: (() => void)[] = [];

/**
 * The processor time of work that takes long: a few milliseconds at once, and one such slice in each round of the event
 * loop, whoever it belongs to. However much of it there is, requests that need little come in between.
 */
export class TimeSlice {
  #since = performance.now();

  /** The time is used up: wait for `next` before going on. */
  get isOver(): boolean {
    return performance.now() - this.#since > SLICE_MS;
  }

  /** Resolves when it is this work's turn again. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(serveOne);
    });
    this.#since = performance.now();
  }
}

/** What is done with a body of so many bytes as a whole takes long. */
const LONG_BYTES = 256 * 1024;

/** Waits for a round of the event loop in which nothing else is done with long bodies; with a short one there is nothing to wait for. */
export function ownTurn(bytes: number): Promise<void> | undefined {
  return bytes > LONG_BYTES ? new TimeSlice().next() : undefined;
}

function serveOne(): void {
  waiting.shift()?.();
  // What is set inside of an immediate runs in the next round, behind whatever has come in.
  if (waiting.length > 0) setImmediate(serveOne);
}
