import { randomUUID } from "node:crypto";
import { closeSync, existsSync, rmSync, writeSync } from "node:fs";
import { open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { log } from "~/log.server";
import type { FinishedText } from "./batch-text";
import { readFinishedLine, writeFinishedLine } from "./finished-line";
import { fileNameOf } from "./journal";
import { writeSettlement } from "./journal-line";
import { openedAt, takeOverFiles } from "./process-files";

/** One of the two halves of the file: where it begins, how much of it is written, and how many of its settlements are not booked yet. */
export type Part = { readonly start: number; bytes: number; open: number };

const PART_BYTES = 256 * 1024;
/** The most that is written at once. */
const LINES_BYTES = 64 * 1024;
const ENDING = ".ahead";
/** A file that becomes part of the journal when it is whole, and one that only tries whether the disk can be written. */
const PASSING = /^\..*\.part$|^\.probe-\d+$/;
/** After a failed write clients wait for so long, and then it is tried again. */
const AFTER_A_FAILURE_MS = 1_000;

/**
 * Settlements whose clients get their answer before the turn that books them has come back. Each is written here first, into
 * the page cache, by a write of some microseconds that everybody waits for. That outlives the process, which is what it is for,
 * and not the machine: after a power cut a call whose turn had not come back is found dispatched, and goes into review.
 *
 * The file is two halves in turn, so it never grows; a half is begun anew only when all that is in it is booked. What a process
 * has left behind becomes a file of the journal, which books it. A line may be booked already: booking is idempotent.
 */
export class WriteAheadLog {
  readonly #folder: string;
  readonly #path: string;
  #file: number | null = null;
  #parts = newParts();
  /** What came during this turn of the event loop, where it goes in the file, and who waits for it. */
  readonly #lines = Buffer.alloc(LINES_BYTES);
  #filled = 0;
  #start = 0;
  #waiting: (() => void)[] = [];
  #failedMs = Number.NEGATIVE_INFINITY;

  constructor(folder: string, instance: string) {
    this.#folder = folder;
    this.#path = join(folder, `${fileNameOf(instance)}${ENDING}`);
  }

  /**
   * Writes a settlement down with all others of this turn of the event loop, and says when it is there. Null, and never a word,
   * when it cannot be: its client has to wait until it is booked. Else the part to hand to `booked`.
   */
  note(text: FinishedText, written: () => void): Part | null {
    if (performance.now() - this.#failedMs < AFTER_A_FAILURE_MS) return null;
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

  /** What was noted there is booked, or nobody can book it. */
  booked(part: Part | null): void {
    if (part !== null) part.open -= 1;
  }

  /**
   * Removes the file where all in it is booked, and finds out whether it is still there. To be called every few seconds, and behind
   * the last settlement: what is not booked then stays for the next process.
   */
  tidy(): void {
    if (this.#file === null) return;
    const isBooked = this.#parts.every(({ open }) => open === 0);
    if (!isBooked && existsSync(this.#path)) return;
    this.#letGo();
    rmSync(this.#path, { force: true });
  }

  /**
   * Makes what dead processes have left in this folder part of the journal: files that nobody has touched for so long. A process
   * that lives books what is in its file, and removes it, in less. What was not made part of it to the end goes: it is still in the
   * file it was made from.
   */
  async takeOver(untouchedMs: number): Promise<void> {
    const failure = "a write-ahead log of another process cannot be taken over";
    const isMeant = (name: string) => PASSING.test(name) || name.endsWith(ENDING);
    await takeOverFiles(
      { folder: this.#folder, isMeant, own: this.#path, untouchedMs, failure },
      async (path, name) => {
        if (PASSING.test(name)) return;
        const lines = (await readFile(path, "utf8")).split("\n").map(readFinishedLine);
        const settlements = lines.filter((settlement) => settlement !== null);
        if (settlements.length > 0) await this.#toJournal(name, settlements.map(writeSettlement).join(""));
      },
    );
  }

  #flush = (): void => {
    const waiting = this.#waiting;
    const filled = this.#filled;
    if (waiting.length === 0) return;
    this.#waiting = [];
    this.#filled = 0;
    try {
      this.#file ??= openedAt(this.#path);
      const written = writeSync(this.#file, this.#lines, 0, filled, this.#start);
      if (written < filled) throw new Error("the disk is full");
    } catch (problem) {
      this.#failedMs = performance.now();
      log.error({ err: problem }, "settlements cannot be written ahead: clients wait until they are booked");
      return;
    }
    for (const written of waiting) written();
  };

  #letGo(): void {
    this.#flush();
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
    this.#parts = newParts();
  }

  /** Where so many bytes have room: the half that is being written, or the other one when all in it is booked. */
  #partFor(bytes: number): Part | null {
    const [current, other] = this.#parts;
    if (current.bytes + bytes <= PART_BYTES) return current;
    if (other.open > 0) return null;
    other.bytes = 0;
    this.#parts = [other, current];
    return other;
  }

  /** On disk, and under its name, when it returns. */
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
