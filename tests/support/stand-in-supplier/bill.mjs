import { closeSync, fsync, openSync, write } from "node:fs";
import { promisify } from "node:util";

const writeFile = promisify(write);
const syncFile = promisify(fsync);

/**
 * @typedef {object} BillEntry
 * @property {number} number counts up from 1
 * @property {string} id the `x-request-id` of the request
 * @property {string} model
 * @property {boolean} stream
 * @property {number} promptTokens
 * @property {number} completionTokens
 * @property {string} reason how the answer ended
 * @property {string} fault
 */

/** The supplier's own record of its work: append-only, one JSON line per entry, on disk before it can be read. */
export class Bill {
  /** @type {BillEntry[]} */
  #entries = [];
  #descriptor;
  #written = 0;
  /** @type {Promise<void> | null} */
  #flushing = null;

  /** @param {string} path */
  constructor(path) {
    this.#descriptor = openSync(path, "a");
  }

  /** @param {Omit<BillEntry, "number">} entry */
  add(entry) {
    this.#entries.push({ number: this.#entries.length + 1, ...entry });
    void this.#flush();
  }

  /** Writes all entries to disk and returns them. @returns {Promise<BillEntry[]>} */
  async read() {
    while (this.#written < this.#entries.length) await this.#flush();
    return this.#entries;
  }

  async close() {
    await this.read();
    closeSync(this.#descriptor);
  }

  #flush() {
    this.#flushing ??= this.#writeOut().finally(() => {
      this.#flushing = null;
      if (this.#written < this.#entries.length) void this.#flush();
    });
    return this.#flushing;
  }

  async #writeOut() {
    const upTo = this.#entries.length;
    const lines = this.#entries.slice(this.#written, upTo).map((entry) => `${JSON.stringify(entry)}\n`);
    await writeFile(this.#descriptor, lines.join(""));
    await syncFile(this.#descriptor);
    this.#written = upTo;
  }
}
