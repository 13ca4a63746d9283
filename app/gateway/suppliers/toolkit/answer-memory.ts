import { totalmem } from "node:os";

/** Of an answer so much is not counted: nearly all are shorter. */
const SHORT_BYTES = 1024 * 1024;
const MEGABYTE = 1024 * 1024;

/** The memory of the machine, or of the container. */
const available = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);

/** The largest whole answer that is kept in memory: 256 MiB, less in a process that may have less than 2 GiB, and 32 MiB at least. */
export const MAX_ANSWER_BYTES = Math.max(32 * MEGABYTE, Math.min(256 * MEGABYTE, Math.floor(available / 8)));

/** What all answers that are kept at once may have, beyond the first megabyte of each. */
const ROOM_BYTES = Math.max(64 * MEGABYTE, Math.floor(available / 4));

/** So long an answer waits for room: clients that read theirs slowly keep it. */
const MAX_WAIT_MS = 60_000;

/** What becomes of an answer that has to wait: it may go on, or has waited for too long. */
type Waiting = { resume(): void; giveUp(): void };

/**
 * What answers keep in memory at once: whole ones until their client has them, and events until they are whole. One that has no
 * room waits, and its supplier with it; the one that came first always goes on, so that some answer always ends.
 */
export class AnswerMemory {
  readonly #roomBytes: number;
  #bytes = 0;
  /** In the order in which they became long. */
  readonly #shares = new Set<Share>();

  constructor(roomBytes: number) {
    this.#roomBytes = roomBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** A part of it for one answer. */
  share(waiting: Waiting): Share {
    return new Share(this, waiting);
  }

  /** Whether the answer may go on now. */
  take(share: Share, bytes: number): boolean {
    this.#bytes += bytes;
    this.#shares.add(share);
    return this.#mayGoOn(share);
  }

  release(share: Share, bytes: number): void {
    this.#bytes -= bytes;
    this.#shares.delete(share);
    for (const each of [...this.#shares]) if (each.isWaiting && this.#mayGoOn(each)) each.goOn();
  }

  #mayGoOn(share: Share): boolean {
    if (this.#bytes <= this.#roomBytes) return true;
    const [first] = this.#shares;
    return share === first;
  }
}

/** The part of one answer. */
class Share {
  readonly #memory: AnswerMemory;
  readonly #waiting: Waiting;
  #bytes = 0;
  #patience: NodeJS.Timeout | null = null;

  constructor(memory: AnswerMemory, waiting: Waiting) {
    this.#memory = memory;
    this.#waiting = waiting;
  }

  get isWaiting(): boolean {
    return this.#patience !== null;
  }

  /** The answer has so many bytes now. Whether it may go on; otherwise it is told when it may, or that it has to give up. */
  has(bytes: number): boolean {
    const counted = Math.max(0, bytes - SHORT_BYTES);
    if (counted === 0) {
      this.free();
      return true;
    }
    const more = counted - this.#bytes;
    this.#bytes = counted;
    if (this.#memory.take(this, more)) return true;
    this.#patience ??= setTimeout(() => this.#waiting.giveUp(), MAX_WAIT_MS).unref();
    return false;
  }

  /** Nothing of the answer is kept any more. May be called again. */
  free(): void {
    this.#stopWaiting();
    if (this.#bytes === 0) return;
    const bytes = this.#bytes;
    this.#bytes = 0;
    this.#memory.release(this, bytes);
  }

  goOn(): void {
    this.#stopWaiting();
    this.#waiting.resume();
  }

  #stopWaiting(): void {
    if (this.#patience !== null) clearTimeout(this.#patience);
    this.#patience = null;
  }
}

export type { Share };

/** Of this process. */
export const answerMemory = new AnswerMemory(ROOM_BYTES);
