import { createHash } from "node:crypto";
import { type Db, onSnapshot, type Reads } from "~/connection/db.server";
import { log } from "~/observe/log.server";
import { TimeSlice } from "~/values/time-slice";
import { askedBy, progressOf, type ReportQuestion, reportRows } from "./answer";
import { encoderOf, MAX_ROWS } from "./encode";
import {
  type Attempt,
  type ClaimedExport,
  claimExport,
  insertPiece,
  isWanted,
  putDone,
  putFailed,
} from "./export-store";
import { PIECE_BYTES } from "./exports";
import { EXPORT_KEPT_DAYS } from "./shared";

const MAX_BYTES = 512 * 1024 * 1024;
/** Rows encoded before yielding to the event loop. */
const ROWS_AT_ONCE = 500;
/** Interval of the check for cancellation, also while a piece fills slowly. */
const LOOK_EVERY_MS = 500;

/**
 * Writes the waiting exports one after the other, each with the data that its person may see now. A job: an interrupted attempt is
 * restarted, and later writes of the old attempt are ignored. Returns the number of completed files.
 */
export async function writeExports(db: Db, signal: AbortSignal): Promise<number> {
  for (let done = 0; ; ) {
    signal.throwIfAborted();
    const claimed = await claimExport(db);
    if (claimed === null) return done;
    if (await writeExport(db, claimed, signal)) done += 1;
  }
}

async function writeExport(db: Db, claimed: ClaimedExport, signal: AbortSignal): Promise<boolean> {
  if (claimed.viewer === null) {
    await putFailed(db, claimed, "no_access");
    return false;
  }
  const question = askedBy(claimed.viewer, claimed.asked, claimed.asOf);
  const file = new ExportFile(db, claimed);
  try {
    await onSnapshot((snapshot) => fill(file, snapshot, { claimed, question, signal }));
    return await putDone(db, claimed, { ...(await file.close()), keptDays: EXPORT_KEPT_DAYS });
  } catch (error) {
    if (error instanceof Ended) return false;
    if (error instanceof TooLarge) {
      await putFailed(db, claimed, "too_large");
      return false;
    }
    log.warn({ err: error, export: claimed.id, attempt: claimed.attempt }, "an export was cut off");
    throw error;
  }
}

async function fill(
  file: ExportFile,
  snapshot: Reads,
  { claimed, question, signal }: { claimed: ClaimedExport; question: ReportQuestion; signal: AbortSignal },
): Promise<void> {
  const encoder = encoderOf(claimed.format, question);
  const slice = new TimeSlice();
  await file.add(encoder.begin());
  for await (const page of reportRows(snapshot, question)) {
    for (let first = 0; first < page.length; first += ROWS_AT_ONCE) {
      signal.throwIfAborted();
      const rows = page.slice(first, first + ROWS_AT_ONCE);
      file.rows += rows.length;
      if (file.rows > MAX_ROWS[claimed.format]) throw new TooLarge();
      await file.add(encoder.rows(rows));
      if (slice.isOver) await slice.next();
    }
    const last = page.at(-1);
    if (last !== undefined) file.percent = progressOf(question, last);
    await file.look();
  }
  await file.add(encoder.end());
}

/** The export was cancelled, or another attempt has begun. */
class Ended extends Error {}
class TooLarge extends Error {}

/** A file written in pieces of equal length. */
class ExportFile {
  rows = 0;
  percent = 0;
  readonly #db: Db;
  readonly #of: Attempt;
  readonly #hash = createHash("sha256");
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #pieces = 0;
  #lookedMs = performance.now();

  constructor(db: Db, of: Attempt) {
    this.#db = db;
    this.#of = of;
  }

  /** @throws Ended, TooLarge */
  async add(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return;
    this.#hash.update(bytes);
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#pieces * PIECE_BYTES + this.#waitingBytes > MAX_BYTES) throw new TooLarge();
    while (this.#waitingBytes >= PIECE_BYTES) await this.#write(PIECE_BYTES);
    await this.look();
  }

  /** Checks from time to time whether the export was cancelled. @throws Ended */
  async look(): Promise<void> {
    if (performance.now() - this.#lookedMs < LOOK_EVERY_MS) return;
    this.#lookedMs = performance.now();
    if (!(await isWanted(this.#db, this.#of))) throw new Ended();
  }

  async close(): Promise<{ rows: number; sha256: string }> {
    if (this.#waitingBytes > 0) await this.#write(this.#waitingBytes);
    return { rows: this.rows, sha256: this.#hash.digest("hex") };
  }

  async #write(length: number): Promise<void> {
    const all = Buffer.concat(this.#waiting);
    const content = all.subarray(0, length);
    const piece = { position: this.#pieces, content, percent: Math.min(this.percent, 99), rows: this.rows };
    if (!(await insertPiece(this.#of, piece))) throw new Ended();
    this.#pieces += 1;
    // A copy, so that the written bytes can be garbage-collected.
    this.#waiting = all.length > length ? [Uint8Array.prototype.slice.call(all, length)] : [];
    this.#waitingBytes = all.length - length;
  }
}
