import { totalmem } from "node:os";

/** Bytes of an answer that are not counted; nearly all answers are shorter. */
const SHORT_BYTES = 1024 * 1024;
const MEGABYTE = 1024 * 1024;

/** Memory of the machine or the container, in bytes. */
const available = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);

/** Maximum bytes of a whole answer in memory: 256 MiB; less in a process with less than 2 GiB, but at least 32 MiB. */
export const MAX_ANSWER_BYTES = Math.max(32 * MEGABYTE, Math.min(256 * MEGABYTE, Math.floor(available / 8)));

/** Maximum bytes of all answers in memory, beyond the first megabyte of each. */
const ROOM_BYTES = Math.max(64 * MEGABYTE, Math.floor(available / 4));

/** Maximum milliseconds that an answer waits for memory; clients that read slowly occupy it. */
const MAX_WAIT_MS = 60_000;

/** Callbacks of a waiting answer: it may continue, or it has waited too long. */
type Waiting = { resume(): void; giveUp(): void };

/**
 * Bounds the memory of all answers: whole ones until their client has received them, and events until they are
 * complete. An answer without room waits, and its supplier with it. The oldest one always continues, so that some
 * answer always completes.
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

  /** Creates the share of one answer. */
  share(waiting: Waiting): Share {
    return new Share(this, waiting);
  }

  /** Adds bytes to a share. Returns whether its answer may continue now. */
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

/** The share of one answer. */
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

  /**
   * Reports the answer's current size in bytes. Returns whether the answer may continue; if not, `resume` or `giveUp`
   * is called later.
   */
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

  /** Releases the share. May be repeated. */
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

/** The instance of this process. */
export const answerMemory = new AnswerMemory(ROOM_BYTES);
