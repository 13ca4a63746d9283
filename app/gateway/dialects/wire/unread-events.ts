import { type SseEvent, SseSplitter } from "./sse";

/** Events are kept unread up to this many bytes; then they are read and forgotten. */
const MAX_UNREAD_BYTES = 64 * 1024;

/**
 * Events that have gone to the client unread, as one run of bytes: their text is wanted only where a supplier reports no
 * usage. One buffer for all of them, because an object for each event is what the garbage of a stream consists of.
 */
export class UnreadEvents {
  #bytes = Buffer.alloc(0);
  #length = 0;

  /** Keeps a copy of whole events; whether there are now so many that they should be taken. */
  keep(events: Buffer): boolean {
    const needed = this.#length + events.length;
    if (needed > this.#bytes.length) {
      const wider = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length, 4 * 1024));
      this.#bytes.copy(wider, 0, 0, this.#length);
      this.#bytes = wider;
    }
    events.copy(this.#bytes, this.#length);
    this.#length = needed;
    return needed > MAX_UNREAD_BYTES;
  }

  /** All events kept, in their order; afterwards there are none. */
  take(): SseEvent[] {
    if (this.#length === 0) return [];
    const splitter = new SseSplitter();
    const events = splitter.push(this.#bytes.subarray(0, this.#length));
    // A CR as the very last byte could be half a line end: what was kept is whole all the same.
    const last = splitter.rest();
    if (last !== null) events.push(last);
    this.#length = 0;
    if (this.#bytes.length > 2 * MAX_UNREAD_BYTES) this.#bytes = Buffer.alloc(0);
    return events;
  }
}
