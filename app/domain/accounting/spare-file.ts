import { closeSync, readFileSync, rmSync, writeSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { log } from "~/log.server";
import { fileNameOf } from "./journal";
import { openedAt, takeOverFiles } from "./process-files";

const ENDING = ".spare";
/** An id, whether it counts in a rate window, and the end of the line. */
const RECORD_BYTES = 38;
/** How many spare holds a process may have at a time. */
const SLOTS = 1024;
const AFTER_A_FAILURE_MS = 1_000;
const NOTHING = `${" ".repeat(RECORD_BYTES - 1)}\n`;

/** A spare hold, as whoever gives it back needs to know it. */
export type SpareHold = { readonly callId: string; readonly isRated: boolean };

/**
 * The spare holds of this process, in the page cache: which of its dispatched holds certainly stand for no call. Each is written down
 * before it is placed, and crossed out before the call that takes it is dispatched, by one write of some microseconds for all calls of a
 * turn of the event loop. So after a `kill -9` they can be given back, where other dispatched holds go into review. The file says so only
 * until the machine is started again: after a power cut a line that was crossed out may be there again, and spare holds go into review
 * like all others.
 */
export class SpareFile {
  readonly #folder: string;
  readonly #path: string;
  readonly #boot = bootOf();
  /** What the file says, or will when it is written. Its first record names the start of the machine. */
  readonly #records: Buffer;
  /** The part of it that the file does not say yet. */
  #from = Number.POSITIVE_INFINITY;
  #to = 0;
  readonly #free: number[] = [];
  readonly #isTaken = new Uint8Array(SLOTS + 1);
  #file: number | null = null;
  #failedMs = Number.NEGATIVE_INFINITY;

  constructor(folder: string, instance: string) {
    this.#folder = folder;
    this.#path = join(folder, `${fileNameOf(instance)}${ENDING}`);
    this.#records = Buffer.from(`${(this.#boot ?? "").padEnd(RECORD_BYTES - 1)}\n${NOTHING.repeat(SLOTS)}`, "latin1");
    for (let slot = SLOTS; slot > 0; slot -= 1) this.#free.push(slot);
  }

  /** False for a while after a failed write: until then no spare hold is asked for or taken. */
  get isUsable(): boolean {
    return performance.now() - this.#failedMs >= AFTER_A_FAILURE_MS;
  }

  /** Adds a spare hold, and returns its place; null: there are too many. In the file it is after `write`. */
  add({ callId, isRated }: SpareHold): number | null {
    const slot = this.#free.pop();
    if (slot === undefined) return null;
    this.#isTaken[slot] = 1;
    this.#put(slot, `${callId}${isRated ? "r" : "n"}\n`);
    return slot;
  }

  /** Crosses out what is in a place. In the file it is after `write`. Safe to repeat. */
  cross(slot: number): void {
    if (this.#isTaken[slot] === 0) return;
    this.#isTaken[slot] = 0;
    this.#free.push(slot);
    this.#put(slot, NOTHING);
  }

  /** Returns whether the file says what has been added and crossed out, or else names nothing any more: then it is gone. */
  write(): boolean {
    if (this.#to === 0) return true;
    try {
      const isNew = this.#file === null;
      this.#file ??= openedAt(this.#path);
      const from = isNew ? 0 : this.#from;
      const bytes = (isNew ? this.#records.length : this.#to) - from;
      if (writeSync(this.#file, this.#records, from, bytes, from) < bytes) throw new Error("the disk is full");
      this.#from = Number.POSITIVE_INFINITY;
      this.#to = 0;
      return true;
    } catch (problem) {
      this.#failedMs = performance.now();
      log.error({ err: problem }, "spare holds cannot be written down: calls wait for holds of their own");
      return this.remove();
    }
  }

  /** Removes the file, and returns whether it is gone. What is in it is written again when it is needed. */
  remove(): boolean {
    if (this.#file === null) return true;
    try {
      // In this order: as long as it is there it is not forgotten.
      rmSync(this.#path, { force: true });
      closeSync(this.#file);
      this.#file = null;
      return true;
    } catch (problem) {
      log.error({ err: problem, file: this.#path }, "the file of spare holds cannot be removed");
      return false;
    }
  }

  /**
   * Hands over what dead processes have left in this folder: files that nobody has touched for so long. A process that lives has its spare
   * holds for a fraction of a second. Each file goes when what it names has been given back.
   */
  async takeOver(untouchedMs: number, giveBack: (spares: readonly SpareHold[]) => Promise<void>): Promise<void> {
    const failure = "spare holds of another process cannot be given back";
    const isMeant = (name: string) => name.endsWith(ENDING);
    await takeOverFiles({ folder: this.#folder, isMeant, own: this.#path, untouchedMs, failure }, async (path) => {
      const [boot, ...lines] = (await readFile(path, "latin1")).split("\n");
      const spares = this.#boot !== null && boot?.trim() === this.#boot ? lines.flatMap(readLine) : [];
      if (spares.length > 0) await giveBack(spares);
    });
  }

  #put(slot: number, line: string): void {
    const at = slot * RECORD_BYTES;
    this.#records.write(line, at, "latin1");
    if (at < this.#from) this.#from = at;
    if (at + RECORD_BYTES > this.#to) this.#to = at + RECORD_BYTES;
  }
}

const LINE = /^([0-9a-f-]{36})([rn])$/;

function readLine(line: string): SpareHold[] {
  const found = LINE.exec(line);
  return found === null ? [] : [{ callId: found[1]!, isRated: found[2] === "r" }];
}

/** Which start of the machine this is, as Linux tells it; null: nobody knows. */
function bootOf(): string | null {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim() || null;
  } catch {
    return null;
  }
}
