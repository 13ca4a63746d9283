import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { readdir, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { log } from "~/observe/log.server";

/** Maximum characters of the instance in a file's name; the rest of 255 bytes is for suffixes. */
const MAX_INSTANCE_LENGTH = 100;
/** Time after a failed write during which nothing is written. */
const AFTER_A_FAILURE_MS = 1_000;

/** First part of the names of a process's files. */
export const fileNameOf = (instance: string): string => instance.replace(/[^\w.-]/g, "_").slice(-MAX_INSTANCE_LENGTH);

/** Log messages for a file that cannot be written, removed, or taken over from another process. */
type Failures = { write: string; remove: string; takeOver: string };

/**
 * A file, in the page cache, that only this process writes, at any offset. It survives a crash of the process, not of the machine.
 *
 * - absent: nothing was written yet, or it was removed; the next write creates it;
 * - open: it has content for the process that takes over;
 * - failed: a write failed less than a second ago; the file may be open, with an incomplete write;
 * - left: its process stopped, so the file is unchanged for a while, and another process takes it over and deletes it.
 */
export class ProcessFile {
  readonly #folder: string;
  readonly #ending: string;
  readonly #path: string;
  readonly #failures: Failures;
  #file: number | null = null;
  #failedMs = Number.NEGATIVE_INFINITY;

  constructor(folder: string, name: { instance: string; ending: string }, failures: Failures) {
    this.#folder = folder;
    this.#ending = name.ending;
    this.#path = join(folder, `${fileNameOf(name.instance)}${name.ending}`);
    this.#failures = failures;
  }

  get isOpen(): boolean {
    return this.#file !== null;
  }

  /** False for a second after a failed write. */
  get isUsable(): boolean {
    return performance.now() - this.#failedMs >= AFTER_A_FAILURE_MS;
  }

  /** Whether the file still has its name in the folder. */
  get isThere(): boolean {
    return existsSync(this.#path);
  }

  /** Writes bytes of a buffer at an offset of the file. False: the write failed or is incomplete, and was logged. */
  write(bytes: Uint8Array, at: number): boolean {
    try {
      if (this.#file === null) {
        mkdirSync(this.#folder, { recursive: true });
        this.#file = openSync(this.#path, "w");
      }
      if (writeSync(this.#file, bytes, 0, bytes.length, at) < bytes.length) throw new Error("the disk is full");
      return true;
    } catch (error) {
      this.#failedMs = performance.now();
      log.error({ err: error }, this.#failures.write);
      return false;
    }
  }

  /** Removes the file, and returns whether it is gone. */
  remove(): boolean {
    if (this.#file === null) return true;
    try {
      // Delete before closing, so that a failed delete is retried.
      rmSync(this.#path, { force: true });
      closeSync(this.#file);
      this.#file = null;
      return true;
    } catch (error) {
      log.error({ err: error, file: this.#path }, this.#failures.remove);
      return false;
    }
  }

  /**
   * Takes over the files of stopped processes: those with this ending, or whose name matches `also`, unchanged for `untouchedMs`.
   * Deletes each file after `take` has handled it. A file for which `take` fails stays, and the others are still handled.
   */
  async takeOver(
    { untouchedMs, also }: { untouchedMs: number; also?: RegExp },
    take: (path: string, name: string) => Promise<void>,
  ): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const path = join(this.#folder, name);
      if (path === this.#path || !(name.endsWith(this.#ending) || also?.test(name))) continue;
      try {
        if (Date.now() - (await stat(path)).mtimeMs < untouchedMs) continue;
        await take(path, name);
        await unlink(path);
      } catch (error) {
        // Another process may have taken the same file.
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") {
          log.error({ err: error, file: path }, this.#failures.takeOver);
        }
      }
    }
  }
}
