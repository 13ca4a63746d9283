// gw has its own parser because it forwards events byte for byte and needs the bytes beside the data; packages return
// only the data.

import { decoded } from "../long-texts";

/** One event of a server-sent event stream: its bytes up to and including the blank line, and its joined data. */
export type SseEvent = { bytes: Buffer; event: string; data: string };

/**
 * Maximum bytes of a single event, which is buffered until its end. A picture has up to ten megabytes, and the last
 * event of a response repeats all its pictures.
 */
export const MAX_EVENT_BYTES = 64 * 1024 * 1024;

/** Thrown if a supplier sends an event longer than MAX_EVENT_BYTES. */
export class EventTooLong extends Error {}

/** Maximum bytes of an incomplete end of event: a line end and a blank line without their last byte. */
const MAX_END_BYTES = 3;
const SHORT_BYTES = 64 * 1024;
const LF = 10;
const CR = 13;
/** U+FEFF in UTF-8, with which some suppliers begin a stream. */
const BYTE_ORDER_MARK = Buffer.from("\uFEFF");

/**
 * Splits a byte stream into events. Lines end in LF, CRLF or CR (HTML Living Standard, 9.2.5), in any mixture. An event
 * may arrive in any number of chunks, even split inside a character. Comments and events without data have an empty
 * `data`.
 */
export class SseSplitter {
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #hasBegun = false;

  /** Whether the next byte begins a new event, because no incomplete event is buffered. */
  get isBetweenEvents(): boolean {
    return this.#hasBegun && this.#pendingBytes === 0;
  }

  /** Bytes of the incomplete event in the buffer. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** Returns all events that `chunk` completes, in order. @throws EventTooLong */
  push(chunk: Buffer): SseEvent[] {
    const events: SseEvent[] = [];
    // Join the pieces of an event once, at its end; joining each piece would be quadratic.
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
      // Most streams have no CR, so do not search for it again after every event.
      if (cr >= 0 && cr < from) cr = buffer.indexOf(CR, from);
      const end = endOfEvent(buffer, from, start, cr);
      if (end < 0) break;
      // Two bytes are only blank lines, of which there may be thousands in a row.
      if (end - start > 2) events.push(this.#read(buffer.subarray(start, end)));
      start = end;
      from = end;
    }
    if (start > 0) buffer = buffer.subarray(start);
    if (buffer.length > 0) this.#keep(buffer);
    return events;
  }

  /** Whether the buffered event may end in this chunk. */
  #endsIn(chunk: Buffer): boolean {
    if (!hasLineEnd(chunk) && !endsInLineEnd(this.#pending.at(-1)!)) return false;
    // For short pieces a join is cheaper than a search.
    if (this.#pendingBytes < SHORT_BYTES) return true;
    // The end may begin in the buffered bytes.
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

  /** Returns the last event if the connection ended before its blank line; else null. */
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
 * Returns the index after the blank line that ends the event, or -1. A final CR may be the first half of a CRLF, so it
 * ends nothing until the next byte is known. `firstCr` is the index of the first CR at or after `from`, or -1.
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

/** Returns the index after an empty line at `at`; 0 if the line is not empty; -1 if more bytes are needed to decide. */
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
  // A one-line comment has no data.
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
