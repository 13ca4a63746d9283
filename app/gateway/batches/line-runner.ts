import { db } from "~/connection/db.server";
import {
  beginLine,
  dueLines,
  endLine,
  postponeLine,
  refundLineAttempt,
  stopBatch,
} from "~/domain/batches/index.server";
import type { Batch, BatchError, BatchLine } from "~/domain/batches/shared";
import { callerOfKey } from "~/domain/keys/index.server";
import { AppError } from "~/errors/app-error";
import { log } from "~/observe/log.server";
import { nextStep } from "./after-call";
import { executeLine, type LineAnswer } from "./execute-line";
import { errorOf } from "./validate";
import { answerLine, errorLine } from "./write-line";

type Round = { isOver(): boolean; concurrency: number };

/** State of a batch in this process; after its loss a few lines are tried once more. */
type Progress = {
  inFlight: Set<number>;
  /** No line starts before this time, by this process's clock. */
  pausedUntilMs: number;
  /** Consecutive failures for lack of money. From the first on, lines run one at a time. */
  fundsRetries: number;
};

/**
 * Retries with a single line before giving up for lack of money: holds of the batch's other lines may be the reason.
 */
const MAX_FUNDS_RETRIES = 3;
const FUNDS_RETRY_MS = 3_000;
const FAILED_WAIT_SECONDS = 10;
const POLL_MS = 250;

/** Executes lines of all batches in turn, several at once. */
export class LineRunner {
  readonly #progress = new Map<string, Progress>();

  /** Deletes the state of batches that have ended. */
  retainOnly(batches: readonly Batch[]): void {
    const open = new Set(batches.map(({ id }) => id));
    for (const id of this.#progress.keys()) if (!open.has(id)) this.#progress.delete(id);
  }

  /**
   * Executes lines until none is due or the round is over, then waits for running ones. Returns the number of lines
   * that ended.
   */
  async run(batches: readonly Batch[], { isOver, concurrency }: Round): Promise<number> {
    const running = new Set<Promise<void>>();
    let ended = 0;
    while (!isOver()) {
      const next = await this.#nextLines(batches, concurrency - running.size);
      for (const { batch, line } of next) {
        const work = this.#carryOut(batch, line)
          .then((hasEnded) => {
            if (hasEnded) ended += 1;
          })
          .finally(() => running.delete(work));
        running.add(work);
      }
      if (running.size === 0) break;
      await Promise.race([...running, ...(running.size < concurrency ? [pause(POLL_MS)] : [])]);
    }
    await Promise.all(running);
    return ended;
  }

  /** Returns the next lines, one of each batch in turn. */
  async #nextLines(batches: readonly Batch[], room: number): Promise<{ batch: Batch; line: BatchLine }[]> {
    if (room <= 0) return [];
    const now = performance.now();
    const lists: { batch: Batch; line: BatchLine }[][] = [];
    for (const batch of batches) {
      const { inFlight, pausedUntilMs, fundsRetries } = this.#progressOf(batch.id);
      const limit = fundsRetries > 0 ? 1 - inFlight.size : room;
      if (limit <= 0 || pausedUntilMs > now) continue;
      const lines = await dueLines(db(), batch.id, { except: [...inFlight], limit });
      lists.push(lines.map((line) => ({ batch, line })));
    }
    const turns = Math.max(0, ...lists.map(({ length }) => length));
    const inTurn = Array.from({ length: turns }, (_, turn) => lists.flatMap((list) => list[turn] ?? [])).flat();
    const chosen = inTurn.slice(0, room);
    for (const { batch, line } of chosen) this.#progressOf(batch.id).inFlight.add(line.position);
    return chosen;
  }

  /** Executes a line and returns whether it has ended. Never rejects. */
  async #carryOut(batch: Batch, line: BatchLine): Promise<boolean> {
    const progress = this.#progressOf(batch.id);
    const { position } = line;
    try {
      const caller = await callerOfKey(db(), batch);
      if (!(await beginLine(db(), batch.id, position))) {
        progress.pausedUntilMs = Number.POSITIVE_INFINITY;
        return false;
      }
      const answer = await executeLine(batch, line, { caller, mayCall: true });
      return await this.#follow(batch, line, answer);
    } catch (error) {
      if (error instanceof AppError && !error.mayRetry) {
        // The key may not make calls any more, or the file was deleted: every other line would fail too.
        await this.#stop(batch, errorOf(error, null));
        return false;
      }
      log.warn({ err: error, batch: batch.id, line: position }, "a line of a batch could not be carried out");
      await postponeLine(db(), batch.id, { position, seconds: FAILED_WAIT_SECONDS }).catch(() => undefined);
      progress.pausedUntilMs = performance.now() + FAILED_WAIT_SECONDS * 1_000;
      return false;
    } finally {
      progress.inFlight.delete(position);
    }
  }

  async #follow(batch: Batch, line: BatchLine, answer: LineAnswer): Promise<boolean> {
    const progress = this.#progressOf(batch.id);
    const { position } = line;
    const step = nextStep(answer, line.tries + 1);
    switch (step.kind) {
      case "retry":
        await postponeLine(db(), batch.id, { position, seconds: step.seconds });
        return false;
      case "pause":
        progress.pausedUntilMs = performance.now() + step.seconds * 1_000;
        await refundLineAttempt(db(), batch.id, position);
        return false;
      case "short":
        return this.#whenShort(batch, line, answer);
      default:
        if (answer.code === null) progress.fundsRetries = 0;
        await endLine(db(), batch.id, endOf(batch, line, answer));
        return true;
    }
  }

  /** Handles a line without money. If even a single line cannot be paid, the batch is stopped. */
  async #whenShort(batch: Batch, line: BatchLine, answer: LineAnswer): Promise<boolean> {
    const progress = this.#progressOf(batch.id);
    const isAlone = progress.inFlight.size === 1;
    if (isAlone) progress.fundsRetries += 1;
    else progress.fundsRetries = Math.max(progress.fundsRetries, 1);
    if (!isAlone || progress.fundsRetries < MAX_FUNDS_RETRIES) {
      progress.pausedUntilMs = performance.now() + FUNDS_RETRY_MS;
      return false;
    }
    await endLine(db(), batch.id, endOf(batch, line, answer));
    const error = { code: answer.code ?? "", message: answer.message, param: null, line: line.position + 1 };
    await this.#stop(batch, error);
    return true;
  }

  /**
   * Stops a batch: it starts no more lines. Never rejects; if the database is unreachable, a later line tries again.
   */
  async #stop(batch: Batch, error: BatchError): Promise<void> {
    const progress = this.#progressOf(batch.id);
    try {
      await stopBatch(db(), batch.id, { outcome: "failed", errors: [error] });
      progress.pausedUntilMs = Number.POSITIVE_INFINITY;
    } catch (problem) {
      log.warn({ err: problem, batch: batch.id }, "a batch could not be stopped; it will be tried again");
      progress.pausedUntilMs = performance.now() + FAILED_WAIT_SECONDS * 1_000;
    }
  }

  #progressOf(id: string): Progress {
    const known = this.#progress.get(id) ?? { inFlight: new Set<number>(), pausedUntilMs: 0, fundsRetries: 0 };
    this.#progress.set(id, known);
    return known;
  }
}

/** Builds a line's entry for the output file or the error file. */
export function endOf(batch: Batch, line: BatchLine, answer: LineAnswer) {
  const location = { batchId: batch.id, line };
  const { customId, code, message, isUnknown } = answer;
  const content = isUnknown
    ? errorLine(location, customId, { code: code ?? "", message })
    : answerLine(location, answer);
  return { position: line.position, failed: code !== null, content };
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
