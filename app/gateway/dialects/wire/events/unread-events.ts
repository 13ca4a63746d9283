import { type SseEvent, SseSplitter } from "./sse";

/** Maximum bytes of unread events; above it they are parsed and dropped. */
const MAX_UNREAD_BYTES = 64 * 1024;

/**
 * Events that were sent to the client without being parsed. Their text is needed only if the supplier reports no usage.
 * They are stored as one string with one character per byte, because the engine appends to a string without a copy.
 * Buffers would be slower: memory outside the heap counts as pressure on it, and a few kilobytes per stream cause
 * several full collections a second.
 */
export class UnreadEvents {
  #events = "";

  /** Stores complete events, as Latin-1. Returns true once they exceed the maximum and should be taken. */
  keep(events: string): boolean {
    this.#events += events;
    return this.#events.length > MAX_UNREAD_BYTES;
  }

  /** Returns all stored events in order and removes them. */
  take(): SseEvent[] {
    if (this.#events === "") return [];
    const splitter = new SseSplitter();
    const events = splitter.push(Buffer.from(this.#events, "latin1"));
    // The splitter waits after a final CR, which could be half a line end. The stored events are complete, so flush it.
    const last = splitter.rest();
    if (last !== null) events.push(last);
    this.#events = "";
    return events;
  }
}
