// Own code on purpose: events pass on byte for byte, with the bytes kept beside the data; parsers from packages give
// the data only.

import { decoded } from "./long-texts";

/** One event of a server-sent event stream: its bytes up to and including the blank line, and its joined data. */
export type SseEvent = { bytes: Buffer; event: string; data: string };

/**
 * The longest single event gw keeps in memory while it waits for the event's end: a picture has up to ten megabytes, and the last
 * event of a response has all its pictures once more.
 */
export const MAX_EVENT_BYTES = 64 * 1024 * 1024;

/** Raised when a supplier sends an event longer than MAX_EVENT_BYTES. */
export class EventTooLong extends Error {}

/** Of a blank line and the line end in front of it, but for their last byte. */
const MAX_END_BYTES = 3;
const LF = 10;
const CR = 13;
/** U+FEFF in UTF-8, which some suppliers put in front of their stream. */
const BYTE_ORDER_MARK = Buffer.from("\uFEFF");

/**
 * Cuts a byte stream into events. Lines end in LF, CRLF or CR (HTML Living Standard, 9.2.5), in any mixture; an event
 * may arrive in any number of pieces, also cut inside a character. Comments and events without data are given with an
 * empty `data`.
 */
export class SseSplitter {
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #hasBegun = false;

  /** Whether the next byte begins an event: nothing is waiting for its end. */
  get isBetweenEvents(): boolean {
    return this.#hasBegun && this.#pendingBytes === 0;
  }

  /** How much waits for the end of its event. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** All events that `chunk` completes, in order. @throws EventTooLong */
  push(chunk: Buffer): SseEvent[] {
    const events: SseEvent[] = [];
    // Pieces of one event are joined once, when its end arrives: joining each would be quadratic.
    if (this.#pendingBytes > MAX_END_BYTES && !this.#endsIn(chunk)) {
      this.#keep(chunk);
      return events;
    }
    const scanned = this.#pendingBytes;
    let buffer = scanned === 0 ? chunk : Buffer.concat([...this.#pending, chunk]);
    this.#pending = [];
    this.#pendingBytes = 0;
    let start = 0;
    let from = Math.max(0, scanned - 3);
    let cr = buffer.indexOf(CR, from);
    for (;;) {
      // The ordinary stream has no CR at all: it is not looked for again behind every event.
      if (cr >= 0 && cr < from) cr = buffer.indexOf(CR, from);
      const end = endOfEvent(buffer, from, start, cr);
      if (end < 0) break;
      // Two bytes are blank lines and nothing else, of which there may be thousands in a row.
      if (end - start > 2) events.push(this.#read(buffer.subarray(start, end)));
      start = end;
      from = end;
    }
    if (start > 0) buffer = buffer.subarray(start);
    if (buffer.length > 0) this.#keep(buffer);
    return events;
  }

  /** Whether the event that waits may end in this chunk. */
  #endsIn(chunk: Buffer): boolean {
    if (!hasLineEnd(chunk) && !endsInLineEnd(this.#pending.at(-1)!)) return false;
    // An end may have begun in what waits, which is longer than any end.
    const last = this.#pending.at(-1)!;
    const before = last.length >= MAX_END_BYTES ? last : Buffer.concat(this.#pending.slice(-MAX_END_BYTES));
    const joint = Buffer.concat([before.subarray(-MAX_END_BYTES), chunk]);
    return endOfEvent(joint, 0, -1, joint.indexOf(CR)) >= 0;
  }

  #keep(piece: Buffer): void {
    this.#pending.push(piece);
    this.#pendingBytes += piece.length;
    if (this.#pendingBytes > MAX_EVENT_BYTES) throw new EventTooLong();
  }

  /** What the supplier left unfinished when its connection ended: a last event without its blank line, or null. */
  rest(): SseEvent | null {
    if (this.#pendingBytes === 0) return null;
    const bytes = Buffer.concat([...this.#pending, Buffer.from("\n\n")]);
    this.#pending = [];
    this.#pendingBytes = 0;
    return this.#read(bytes);
  }

  #read(bytes: Buffer): SseEvent {
    if (this.#hasBegun) return parseEvent(bytes);
    this.#hasBegun = true;
    return parseEvent(
      bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
        ? bytes.subarray(BYTE_ORDER_MARK.length)
        : bytes,
    );
  }
}

const hasLineEnd = (bytes: Buffer) => bytes.indexOf(LF) >= 0 || bytes.indexOf(CR) >= 0;
const endsInLineEnd = (bytes: Buffer) => bytes[bytes.length - 1] === LF || bytes[bytes.length - 1] === CR;

/**
 * The index behind the blank line that ends the event, or -1. A CR as the very last byte may be the first half of a
 * CRLF, so it ends nothing until the next byte is there. `firstCr`: where the first CR from `from` on stands, or -1.
 */
function endOfEvent(buffer: Buffer, from: number, start: number, firstCr: number): number {
  let at = from;
  let cr = firstCr;
  for (;;) {
    const lf = buffer.indexOf(LF, at);
    const limit = lf < 0 ? buffer.length : lf;
    if (cr >= 0 && cr < at) cr = buffer.indexOf(CR, at);
    if (cr >= 0 && cr < limit) {
      const next = buffer[cr + 1];
      if (next === undefined) return -1;
      if (next === LF) {
        const end = blankLineAfter(buffer, cr + 2);
        if (end !== 0) return end;
        at = cr + 2;
      } else {
        const end = blankLineAfter(buffer, cr + 1);
        if (end !== 0) return end;
        at = cr + 1;
      }
      continue;
    }
    if (lf < 0) return -1;
    if (lf === start) return lf + 1;
    const end = blankLineAfter(buffer, lf + 1);
    if (end !== 0) return end;
    at = lf + 1;
  }
}

/** The index behind an empty line that starts at `at`; 0 when the line there is not empty; -1 when it is too early to say. */
function blankLineAfter(buffer: Buffer, at: number): number {
  const byte = buffer[at];
  if (byte === undefined) return -1;
  if (byte === LF) return at + 1;
  if (byte !== CR) return 0;
  const next = buffer[at + 1];
  if (next === undefined) return -1;
  return next === LF ? at + 2 : at + 1;
}

const COLON = 58;

function parseEvent(bytes: Buffer): SseEvent {
  // A comment of one line has nothing to read.
  if (bytes[0] === COLON && bytes.indexOf(LF) === bytes.length - 2 && bytes.indexOf(CR) < 0)
    return { bytes, event: "", data: "" };
  const text = decoded(bytes);
  // Nearly every event is one line of data.
  if (
    text.startsWith("data: ") &&
    text.endsWith("\n\n") &&
    text.indexOf("\n") === text.length - 2 &&
    !text.includes("\r")
  ) {
    return { bytes, event: "", data: text.slice(6, -2) };
  }
  let event = "";
  let data = "";
  let hasData = false;
  for (const line of text.split(/\r\n|\n|\r/)) {
    const colon = line.indexOf(":");
    if (colon <= 0) continue;
    const value = line.charCodeAt(colon + 1) === 32 ? line.slice(colon + 2) : line.slice(colon + 1);
    const field = line.slice(0, colon);
    if (field === "event") event = value;
    else if (field === "data") {
      data = hasData ? `${data}\n${value}` : value;
      hasData = true;
    }
  }
  return { bytes, event, data };
}
