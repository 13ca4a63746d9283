import { GENERAL } from "~/domain/catalogue/profiles";
import type { ByteSink, ByteSource } from "../canonical/exchange";
import { executedBy, SupplierFailure } from "../canonical/supplier-failure";
import type { StreamReader } from "../dialects/dialect";
import { answerMemory, type Share } from "../suppliers/toolkit/answer-memory";

/**
 * Writes bytes to the client. `write` returns false if the caller should pause; `onDrain` calls back when writing may
 * continue.
 */
export interface ClientSink {
  write(bytes: Buffer): boolean;
  onDrain(listener: () => void): void;
}

/** How a stream ended. Each stream ends exactly once. */
export type StreamEnd =
  | { kind: "complete" }
  | { kind: "client_gone" }
  | { kind: "drained" }
  /** A guardrail refused the rest. */
  | { kind: "refused" }
  /** The supplier reported an error, or sent data that cannot be parsed. */
  | { kind: "supplier_error"; code: string | null; message: string }
  /** The supplier's connection broke or fell silent before the terminal event. */
  | { kind: "supplier_cut"; message: string };

/**
 * Maximum output buffered before the first real content. A supplier that sends more is producing an answer in an
 * unknown format.
 */
const MAX_PREAMBLE_BYTES = 256 * 1024;

/** Milliseconds a supplier may keep its connection open after its own terminal event. */
const LINGER_MS = 1_000;

/**
 * One streamed answer between supplier and client. Passes bytes through the reader, applies back-pressure in both
 * directions, and ends in one place. Before `opened` the client sees nothing; after it there is no second attempt.
 */
export class LiveStream implements ByteSink {
  readonly reader: StreamReader;
  /** Resolves with the first real content; rejects with SupplierFailure if the stream ends before it. */
  readonly opened: Promise<void>;
  /** Resolves once, when the stream is over. */
  readonly ended: Promise<StreamEnd>;
  /** On the clock of `performance.now()`, as is `stalledSince`. */
  lastByteAt = performance.now();
  stalledSince: number | null = null;
  readonly #source: ByteSource;
  readonly #begunAt = performance.now();
  readonly #silenceMs: number;
  /** Share of memory for an incomplete event; null as long as no event was long. */
  #memory: Share | null = null;
  #linger: NodeJS.Timeout | null = null;
  #isOpen = false;
  #isOver = false;
  #preamble: Buffer[] = [];
  #preambleBytes = 0;
  #client: ClientSink | null = null;
  #resolveOpened!: () => void;
  #rejectOpened!: (failure: SupplierFailure) => void;
  #resolveEnded!: (end: StreamEnd) => void;

  /** `silenceMs`: maximum time without content. Keep-alive events do not extend it. */
  constructor(source: ByteSource, reader: StreamReader, silenceMs = GENERAL.silence.contentMs) {
    this.#source = source;
    this.#silenceMs = silenceMs;
    this.reader = reader;
    this.opened = new Promise((resolve, reject) => {
      this.#resolveOpened = resolve;
      this.#rejectOpened = reject;
    });
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    source.start(this);
  }

  /** Sends the buffered output and everything after it to the client. Call once, after `opened`. */
  connect(client: ClientSink): void {
    this.#client = client;
    const waiting = this.#preamble;
    this.#preamble = [];
    if (waiting.length === 0 || client.write(Buffer.concat(waiting))) this.#resume();
    else this.#waitForClient(client);
  }

  /**
   * Ends the stream because the client has left or the answer is not needed; closes the supplier's connection at once.
   */
  abort(): void {
    this.#finish({ kind: "client_gone" });
  }

  /** Ends the stream because the process is shutting down; the output so far is settled. */
  drain(): void {
    this.#finish({ kind: "drained" });
  }

  data(chunk: Buffer): void {
    if (this.#isOver) return;
    const bytes = this.reader.push(chunk);
    const heldBytes = this.reader.heldBytes ?? 0;
    if (heldBytes > MAX_FREE_BYTES || this.#memory !== null) this.#keep(heldBytes);
    // Bytes that produce no output for the client do not extend the time limit.
    if (bytes !== null) this.lastByteAt = performance.now();
    else if (this.#isOpen && this.#isTooLong(this.lastByteAt)) this.#finish(NO_CONTENT);
    if (!this.#isOpen) this.#beforeOpen(bytes);
    else if (bytes !== null && this.#client !== null) this.#toClient(this.#client, bytes);
    else if (bytes !== null) this.#preamble.push(bytes);
    if (this.#isOver) return;
    if (this.reader.rejection != null) this.#finish({ kind: "refused" });
    else if (this.reader.state === "finished") this.#finish({ kind: "complete" });
    else if (this.reader.state === "failed") this.#finish(this.#readerFailed());
  }

  end(): void {
    if (this.#linger !== null) clearTimeout(this.#linger);
    if (this.#isOver) return;
    const isComplete = this.reader.end();
    if (this.reader.late != null) this.#lastToClient(this.reader.late);
    if (this.reader.rejection != null) this.#finish({ kind: "refused" });
    else if (isComplete) this.#finish({ kind: "complete" });
    else this.#finish(this.reader.state === "failed" ? this.#readerFailed() : CUT_SHORT);
  }

  fail(failure: SupplierFailure): void {
    if (this.#linger !== null) clearTimeout(this.#linger);
    if (this.#isOver) return;
    this.#finish({ kind: "supplier_cut", message: failure.message }, failure);
  }

  #beforeOpen(bytes: Buffer | null): void {
    if (bytes !== null) {
      this.#preamble.push(bytes);
      this.#preambleBytes += bytes.length;
    }
    const isAtWork = this.#preambleBytes > MAX_PREAMBLE_BYTES && this.reader.state !== "failed";
    if (this.reader.started || isAtWork || this.reader.state === "finished") {
      this.#isOpen = true;
      // The supplier waits until the client's side is connected.
      this.#source.pause();
      this.#resolveOpened();
    } else if (this.#isTooLong(this.#begunAt)) {
      this.#finish(NO_CONTENT, new SupplierFailure("timeout", NO_CONTENT.message, { executed: "yes" }));
    }
  }

  #toClient(client: ClientSink, bytes: Buffer): void {
    if (client.write(bytes)) return;
    this.#source.pause();
    this.#waitForClient(client);
  }

  /** Writes without back-pressure: the supplier has finished, so there is nothing to pause. */
  #lastToClient(bytes: Buffer): void {
    if (this.#client === null) this.#preamble.push(bytes);
    else this.#client.write(bytes);
  }

  #waitForClient(client: ClientSink): void {
    this.stalledSince = performance.now();
    client.onDrain(() => {
      this.stalledSince = null;
      this.#resume();
    });
  }

  /** Reserves memory for a long event; pauses the supplier while other answers use all of it. */
  #keep(bytes: number): void {
    this.#memory ??= answerMemory.share({
      resume: () => this.#resume(),
      giveUp: () => this.#finish(NO_ROOM),
    });
    if (!this.#memory.has(bytes)) this.#source.pause();
  }

  #resume(): void {
    const isWanted = this.#client !== null ? this.stalledSince === null : !this.#isOpen;
    if (isWanted && !(this.#memory?.isWaiting ?? false)) this.#source.resume();
  }

  #isTooLong(since: number): boolean {
    return performance.now() - since > this.#silenceMs;
  }

  #readerFailed(): StreamEnd {
    const failure = this.reader.failure;
    return {
      kind: "supplier_error",
      code: failure?.code ?? null,
      message: failure?.message ?? "the supplier reported an error",
    };
  }

  /** Lets the supplier end its connection after the terminal event, so that it can be reused. */
  #letSupplierEnd(): void {
    this.#linger = setTimeout(() => this.#source.abort(), LINGER_MS);
    this.#linger.unref();
    this.#source.resume();
  }

  /** The only place where a stream ends. */
  #finish(end: StreamEnd, failure?: SupplierFailure): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#memory?.free();
    if (end.kind !== "complete") this.#source.abort();
    else this.#letSupplierEnd();
    if (!this.#isOpen) {
      this.#isOpen = true;
      if (end.kind === "complete" || end.kind === "refused") this.#resolveOpened();
      else this.#rejectOpened(failure ?? beforeContent(end, this.reader));
    }
    this.#resolveEnded(end);
  }
}

/** Events up to this length need no share of memory. */
const MAX_FREE_BYTES = 1024 * 1024;

const CUT_SHORT: StreamEnd = Object.freeze({
  kind: "supplier_cut",
  message: "the supplier ended before its answer did",
});

const NO_ROOM = Object.freeze({ kind: "supplier_cut", message: "the supplier's answer found no room" } as const);

const NO_CONTENT = Object.freeze({ kind: "supplier_cut", message: "the supplier sent no content in time" } as const);

/**
 * Builds the failure of a stream that ended before its first content. The supplier had begun to answer, so it counts as
 * executed, whatever its message says.
 */
function beforeContent(end: StreamEnd, reader: StreamReader): SupplierFailure {
  if (end.kind === "client_gone" || end.kind === "drained") {
    return new SupplierFailure("aborted", "the call was given up", { executed: "yes" });
  }
  const message = end.kind === "complete" || end.kind === "refused" ? "the supplier's answer was empty" : end.message;
  const status = end.kind === "supplier_error" ? reader.failure?.status : undefined;
  return new SupplierFailure(kindOf(end, reader), message, {
    executed: executedBy({ status: 200, isSent: true }),
    status,
    supplierCode: reader.failure?.code ?? null,
    supplierType: reader.failure?.type ?? null,
    supplierParam: reader.failure?.param,
    isReported: end.kind === "supplier_error" && reader.failure?.protocol === false,
  });
}

function kindOf(end: StreamEnd, { failure }: StreamReader): SupplierFailure["kind"] {
  if (end.kind === "supplier_cut") return "reset";
  if (end.kind === "supplier_error" && failure?.status !== undefined) return "status";
  return failure?.tooLarge === true ? "too_large" : "protocol";
}
