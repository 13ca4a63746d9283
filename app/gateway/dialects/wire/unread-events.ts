import { type SseEvent, SseSplitter } from "./sse";

/** Events are kept unread up to this many bytes; then they are read and forgotten. */
const MAX_UNREAD_BYTES = 64 * 1024;

/**
 * Events that have gone to the client unread: their text is wanted only where a supplier reports no usage. Kept as one string, a
 * character for each byte, to which the engine adds without a copy. Buffers are no place for them: memory outside the engine's heap
 * counts as pressure on it, and a few kilobytes a stream make it collect everything several times a second.
 */
export class UnreadEvents {
  #events = "";

  /** Keeps whole events, as Latin-1; whether there are now so many that they should be taken. */
  keep(events: string): boolean {
    this.#events += events;
    return this.#events.length > MAX_UNREAD_BYTES;
  }

  /** All events kept, in their order; afterwards there are none. */
  take(): SseEvent[] {
    if (this.#events === "") return [];
    const splitter = new SseSplitter();
    const events = splitter.push(Buffer.from(this.#events, "latin1"));
    // A CR as the very last byte could be half a line end: what was kept is whole all the same.
    const last = splitter.rest();
    if (last !== null) events.push(last);
    this.#events = "";
    return events;
  }
}
