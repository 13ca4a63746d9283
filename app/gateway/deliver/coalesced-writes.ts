/** Milliseconds: pieces that follow each other faster are combined into one write. */
const CLOSE_MS = 1;
/** Number of waiting bytes that are sent without a delay. */
const MAX_WAITING_BYTES = 16 * 1024;

/** Target of the bytes: a response of Node's server, or a substitute in tests. */
export type Outlet = { write(bytes: Buffer): boolean; readonly writableNeedDrain: boolean };

/**
 * Write coalescing for one streamed answer. A write costs more than the event that it carries, and a fast supplier
 * sends many events per millisecond. A piece after a pause is sent at once. A piece that follows within a millisecond
 * waits one or two milliseconds for more. The bytes keep their order and are not changed. See docs/decisions/049.
 */
export class CoalescedWrites {
  readonly #outlet: Outlet;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #writtenAt = Number.NEGATIVE_INFINITY;

  constructor(outlet: Outlet) {
    this.#outlet = outlet;
  }

  /**
   * Sends bytes or queues them. Returns whether the caller may continue at once; if not, the outlet emits its drain
   * event.
   */
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

  /** Sends the queued bytes. */
  flush(): void {
    const bytes = this.take();
    if (bytes === null) return;
    this.#writtenAt = performance.now();
    this.#outlet.write(bytes);
  }

  /** Removes and returns the queued bytes, for the caller to send; null if there are none. */
  take(): Buffer | null {
    if (this.#waitingBytes === 0) return null;
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    return waiting.length === 1 ? waiting[0]! : Buffer.concat(waiting);
  }
}

let due: CoalescedWrites[] = [];

/** Schedules a flush; all streams of one millisecond share a timer. */
function flushSoon(writes: CoalescedWrites): void {
  if (due.length === 0) setTimeout(flushDue, CLOSE_MS);
  due.push(writes);
}

function flushDue(): void {
  const writes = due;
  due = [];
  for (const each of writes) each.flush();
}
