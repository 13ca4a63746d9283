import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { ProcessFile } from "./process-file";

/** Bytes of a record: an id, a letter for "counts in a rate window", a line feed. */
const RECORD_BYTES = 38;
/** Maximum spare holds of a process. */
const SLOTS = 1024;
const NOTHING = `${" ".repeat(RECORD_BYTES - 1)}\n`;
const FAILURES = {
  write: "spare holds cannot be written down: calls wait for holds of their own",
  remove: "the file of spare holds cannot be removed",
  takeOver: "spare holds of another process cannot be given back",
};

/** A spare hold, with the facts that its release needs. */
export type SpareHold = { readonly callId: string; readonly isRated: boolean };

/**
 * A file, in the page cache, of this process's spare holds: the dispatched holds that certainly belong to no call. Each is recorded
 * before it is placed, and crossed out before the call that takes it is dispatched, by one write of some microseconds for all calls
 * of an event-loop tick. After a `kill -9` these holds can be released, while other dispatched holds go into review. The file is
 * valid until the machine restarts: after a power cut a crossed-out line may reappear, so spare holds then go into review as well.
 */
export class SpareFile {
  readonly #file: ProcessFile;
  readonly #boot = bootOf();
  /** Content of the file after the next write. The first record names the machine's boot. */
  readonly #records: Buffer;
  /** The range of `#records` that is not written yet. */
  #from = Number.POSITIVE_INFINITY;
  #to = 0;
  readonly #free: number[] = [];
  readonly #isTaken = new Uint8Array(SLOTS + 1);

  constructor(folder: string, instance: string) {
    this.#file = new ProcessFile(folder, { instance, ending: ".spare" }, FAILURES);
    this.#records = Buffer.from(`${(this.#boot ?? "").padEnd(RECORD_BYTES - 1)}\n${NOTHING.repeat(SLOTS)}`, "latin1");
    for (let slot = SLOTS; slot > 0; slot -= 1) this.#free.push(slot);
  }

  /** False for a second after a failed write; no spare hold is requested or taken meanwhile. */
  get isUsable(): boolean {
    return this.#file.isUsable;
  }

  /** Adds a spare hold and returns its slot; null: all are taken. `write` stores it. */
  add({ callId, isRated }: SpareHold): number | null {
    const slot = this.#free.pop();
    if (slot === undefined) return null;
    this.#isTaken[slot] = 1;
    this.#put(slot, `${callId}${isRated ? "r" : "n"}\n`);
    return slot;
  }

  /** Crosses out a slot. `write` stores it. Safe to repeat. */
  cross(slot: number): void {
    if (this.#isTaken[slot] === 0) return;
    this.#isTaken[slot] = 0;
    this.#free.push(slot);
    this.#put(slot, NOTHING);
  }

  /** Writes the changes. If that fails, removes the file. False: neither worked, so the file is out of date. */
  write(): boolean {
    if (this.#to === 0) return true;
    const [from, to] = this.#file.isOpen ? [this.#from, this.#to] : [0, this.#records.length];
    if (!this.#file.write(this.#records.subarray(from, to), from)) return this.remove();
    this.#from = Number.POSITIVE_INFINITY;
    this.#to = 0;
    return true;
  }

  /** Removes the file, and returns whether it is gone. The next write recreates it. */
  remove(): boolean {
    return this.#file.remove();
  }

  /**
   * Releases the spare holds of stopped processes, by their files in this folder that are unchanged for `untouchedMs`. A live process
   * keeps a spare hold for a fraction of a second only. Deletes each file after its holds are released.
   */
  takeOver(untouchedMs: number, giveBack: (spares: readonly SpareHold[]) => Promise<void>): Promise<void> {
    return this.#file.takeOver({ untouchedMs }, async (path) => {
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
  const match = LINE.exec(line);
  return match === null ? [] : [{ callId: match[1]!, isRated: match[2] === "r" }];
}

/** The machine's boot id (Linux); null: unknown. */
function bootOf(): string | null {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim() || null;
  } catch {
    return null;
  }
}
