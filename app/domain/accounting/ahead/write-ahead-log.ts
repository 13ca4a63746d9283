import { randomUUID } from "node:crypto";
import { open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import type { FinishedText } from "../call-text";
import { ProcessFile } from "./process-file";
import { readFinishedLine, writeFinishedLine, writeSettlement } from "./settlement-line";

/** One half of the file: its offset, its bytes written, and the number of its settlements that are not booked. */
export type Part = { readonly start: number; bytes: number; open: number };

const PART_BYTES = 256 * 1024;
/** Maximum bytes of one write. */
const LINES_BYTES = 64 * 1024;
const ENDING = ".ahead";
/** A journal file that is not complete yet, and the probe that tests whether the disk is writable. */
const PASSING = /^\..*\.part$|^\.probe-\d+$/;
const FAILURES = {
  write: "settlements cannot be written ahead: clients wait until they are booked",
  remove: "the write-ahead log cannot be removed",
  takeOver: "a write-ahead log of another process cannot be taken over",
};

/**
 * Settlements whose clients are answered before they are booked. Each is written here first: one write of some microseconds, into
 * the page cache, for all settlements of an event-loop tick. It survives a crash of the process, not of the machine: after a power
 * cut, the hold of a call that was not booked is still dispatched and goes into review.
 *
 * The file has two halves that are used in turn, so it never grows. A half is
 * - current: settlements are added to it;
 * - full: it waits until all its settlements are booked; if the other half fills up meanwhile, clients wait for their booking;
 * - free: all its settlements are booked, so it becomes the current one and is overwritten.
 *
 * A settlement is noted (in the buffer of this tick), written (its client is answered), and booked or abandoned.
 * The file of a stopped process becomes a file of the journal, which books it. A line may be booked already: booking is idempotent.
 */
export class WriteAheadLog {
  readonly #folder: string;
  readonly #file: ProcessFile;
  #parts = newParts();
  /** Lines of this event-loop tick, their offset in the file, and their callbacks. */
  readonly #lines = Buffer.alloc(LINES_BYTES);
  #filled = 0;
  #start = 0;
  #waiting: (() => void)[] = [];

  constructor(folder: string, instance: string) {
    this.#folder = folder;
    this.#file = new ProcessFile(folder, { instance, ending: ENDING }, FAILURES);
  }

  /**
   * Writes a settlement together with all others of this event-loop tick, then calls `written`. Returns the part to pass to
   * `booked`. Null: the settlement cannot be written and `written` is never called, so the client must wait for the booking.
   */
  note(text: FinishedText, written: () => void): Part | null {
    if (!this.#file.isUsable) return null;
    let bytes = writeFinishedLine(this.#lines.subarray(this.#filled), text);
    if (this.#filled > 0 && (bytes === 0 || this.#parts[0].bytes + bytes > PART_BYTES)) {
      this.#flush();
      bytes = writeFinishedLine(this.#lines, text);
    }
    const part = bytes === 0 ? null : this.#partFor(bytes);
    if (part === null) return null;
    if (this.#filled === 0) {
      this.#start = part.start + part.bytes;
      setImmediate(this.#flush);
    }
    this.#filled += bytes;
    this.#waiting.push(written);
    part.bytes += bytes;
    part.open += 1;
    return part;
  }

  /** Reports that a settlement of this part is booked or abandoned. */
  booked(part: Part | null): void {
    if (part !== null) part.open -= 1;
  }

  /**
   * Removes the file if all its settlements are booked, and notices if it was deleted. Call it every few seconds and after the last
   * settlement; a file with unbooked settlements stays for the next process.
   */
  tidy(): void {
    if (!this.#file.isOpen) return;
    const isBooked = this.#parts.every(({ open }) => open === 0);
    if (!isBooked && this.#file.isThere) return;
    this.#flush();
    if (this.#file.remove()) this.#parts = newParts();
  }

  /**
   * Moves the logs of stopped processes to the journal: files that are unchanged for `untouchedMs`. A live process books its file
   * and removes it sooner. Deletes incomplete journal files, because their source still exists.
   */
  takeOver(untouchedMs: number): Promise<void> {
    return this.#file.takeOver({ untouchedMs, also: PASSING }, async (path, name) => {
      if (PASSING.test(name)) return;
      const lines = (await readFile(path, "utf8")).split("\n").map(readFinishedLine);
      const settlements = lines.filter((settlement) => settlement !== null);
      if (settlements.length > 0) await this.#toJournal(name, settlements.map(writeSettlement).join(""));
    });
  }

  #flush = (): void => {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    const lines = this.#lines.subarray(0, this.#filled);
    this.#waiting = [];
    this.#filled = 0;
    if (this.#file.write(lines, this.#start)) for (const written of waiting) written();
  };

  /** The half with room for the bytes: the current one, or the other one if all its settlements are booked; else null. */
  #partFor(bytes: number): Part | null {
    const [current, other] = this.#parts;
    if (current.bytes + bytes <= PART_BYTES) return current;
    if (other.open > 0) return null;
    other.bytes = 0;
    this.#parts = [other, current];
    return other;
  }

  /** Writes a journal file; it is on disk under its final name on return. */
  async #toJournal(name: string, lines: string): Promise<void> {
    const path = join(this.#folder, `${name.slice(0, -ENDING.length)}-${randomUUID()}.jsonl`);
    const part = join(this.#folder, `.${randomUUID()}.part`);
    const file = await open(part, "w");
    try {
      await file.writeFile(lines);
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(part, path);
  }
}

const newParts = (): [Part, Part] => [
  { start: 0, bytes: 0, open: 0 },
  { start: PART_BYTES, bytes: 0, open: 0 },
];
