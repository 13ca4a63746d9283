/** Pieces that follow each other more closely than this go out in one write. */
const CLOSE_MS = 1;
/** So many bytes do not wait for more. */
const MAX_WAITING_BYTES = 16 * 1024;

/** Where the bytes go: a response of Node's server, or what a test puts in its place. */
export type Outlet = { write(bytes: Buffer): boolean; readonly writableNeedDrain: boolean };

/**
 * Write coalescing for one streamed answer. A write costs more than the event it carries, and a supplier that is fast sends many
 * events within a millisecond. A piece behind a pause goes out at once; one that follows within a millisecond waits for its
 * neighbours, a millisecond or two. Bytes keep their order, and none is changed.
 */
export class CoalescedWrites {
  readonly #outlet: Outlet;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #writtenAt = Number.NEGATIVE_INFINITY;

  constructor(outlet: Outlet) {
    this.#outlet = outlet;
  }

  /** Whether more may come at once; otherwise the outlet will say that it is drained. */
  write(bytes: Buffer): boolean {
    if (this.#waitingBytes === 0) {
      const now = performance.now();
      if (now - this.#writtenAt >= CLOSE_MS) {
        this.#writtenAt = now;
        return this.#outlet.write(bytes);
      }
      flushSoon(this);
    }
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes >= MAX_WAITING_BYTES) this.flush();
    return !this.#outlet.writableNeedDrain;
  }

  /** Sends what waits. */
  flush(): void {
    const bytes = this.take();
    if (bytes === null) return;
    this.#writtenAt = performance.now();
    this.#outlet.write(bytes);
  }

  /** What waits, to be sent by the caller; null when nothing does. */
  take(): Buffer | null {
    if (this.#waitingBytes === 0) return null;
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    return waiting.length === 1 ? waiting[0]! : Buffer.concat(waiting);
  }
}

let due: CoalescedWrites[] = [];

/** One timer for the streams of a millisecond. */
function flushSoon(writes: CoalescedWrites): void {
  if (due.length === 0) setTimeout(flushDue, CLOSE_MS);
  due.push(writes);
}

function flushDue(): void {
  const writes = due;
  due = [];
  for (const each of writes) each.flush();
}
