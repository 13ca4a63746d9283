import type { ByteSink, ByteSource } from "../canonical/exchange";
import { executedBy, SupplierFailure } from "../canonical/supplier-failure";
import type { StreamReader } from "../dialects/dialect";
import { answerMemory, type Share } from "../suppliers/toolkit/answer-memory";

/** Where the client's bytes go. `write` says whether more may come at once; `onDrain` is called when it may again. */
export interface ClientSink {
  write(bytes: Buffer): boolean;
  onDrain(listener: () => void): void;
}

/** How a stream ended; exactly one of these, once. */
export type StreamEnd =
  | { kind: "complete" }
  | { kind: "client_gone" }
  | { kind: "drained" }
  /** A guardrail refused the rest. */
  | { kind: "refused" }
  /** The supplier reported an error, or sent what cannot be understood. */
  | { kind: "supplier_error"; code: string | null; message: string }
  /** The supplier's connection broke or fell silent before the terminal event. */
  | { kind: "supplier_cut"; message: string };

/** Output that waits for the first real content. A supplier that sends more is at work, in a shape that nobody here knows. */
const MAX_PREAMBLE_BYTES = 256 * 1024;

/** A supplier that sends no content for this long is not at work, however often it says that it is alive. */
const MAX_WAIT_MS = 600_000;

/** How long a supplier may keep its connection open behind its own terminal event. */
const LINGER_MS = 1_000;

/**
 * One streamed answer between supplier and client: bytes through the reader, back-pressure both ways, and a single
 * exit whatever happens. Before `opened` nothing is shown to the client; after it there is no second attempt.
 */
export class LiveStream implements ByteSink {
  readonly reader: StreamReader;
  /** Resolves with the first real content; rejects with SupplierFailure when the stream dies before it. */
  readonly opened: Promise<void>;
  /** Resolves once, when the stream is over. */
  readonly ended: Promise<StreamEnd>;
  /** On the clock of `performance.now()`, as the next one. */
  lastByteAt = performance.now();
  stalledSince: number | null = null;
  readonly #source: ByteSource;
  readonly #begunAt = performance.now();
  /** What an event keeps in memory until it is whole; null while none has been long. */
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

  constructor(source: ByteSource, reader: StreamReader) {
    this.#source = source;
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

  /** Sends what has come so far and everything from now on to the client. Call once, after `opened`. */
  connect(client: ClientSink): void {
    this.#client = client;
    const waiting = this.#preamble;
    this.#preamble = [];
    if (waiting.length === 0 || client.write(Buffer.concat(waiting))) this.#resume();
    else this.#waitForClient(client);
  }

  /** The client has left, or nobody wants the answer any more: the supplier's connection is closed at once. */
  abort(): void {
    this.#finish({ kind: "client_gone" });
  }

  /** The process is going down: the stream ends now and is settled as far as it came. */
  drain(): void {
    this.#finish({ kind: "drained" });
  }

  data(chunk: Buffer): void {
    if (this.#isOver) return;
    const bytes = this.reader.push(chunk);
    const held = this.reader.heldBytes ?? 0;
    if (held > MAX_FREE_BYTES || this.#memory !== null) this.#keep(held);
    // What the client sees nothing of does not keep it waiting patiently.
    if (bytes !== null) this.lastByteAt = performance.now();
    else if (this.#isOpen && isTooLong(this.lastByteAt)) this.#finish(NO_CONTENT);
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
    if (this.reader.rejection != null) {
      this.#finish({ kind: "refused" });
      return;
    }
    this.#finish(
      isComplete ? { kind: "complete" } : { kind: "supplier_cut", message: "the supplier ended before its answer did" },
    );
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
      // Until the client's side is connected the supplier waits.
      this.#source.pause();
      this.#resolveOpened();
    } else if (isTooLong(this.#begunAt)) {
      this.#finish(NO_CONTENT, new SupplierFailure("timeout", NO_CONTENT.message, { executed: "yes" }));
    }
  }

  #toClient(client: ClientSink, bytes: Buffer): void {
    if (client.write(bytes)) return;
    this.#source.pause();
    this.#waitForClient(client);
  }

  /** The supplier is through: there is nobody left to pause. */
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

  /** A long event waits for room while others fill it. */
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

  #readerFailed(): StreamEnd {
    const failure = this.reader.failure;
    return {
      kind: "supplier_error",
      code: failure?.code ?? null,
      message: failure?.message ?? "the supplier reported an error",
    };
  }

  /** After the terminal event the supplier's connection is left to end by itself, so that it can be used again. */
  #letSupplierEnd(): void {
    this.#linger = setTimeout(() => this.#source.abort(), LINGER_MS);
    this.#linger.unref();
    this.#source.resume();
  }

  /** The one exit. */
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

/** An event so long is not counted. */
const MAX_FREE_BYTES = 1024 * 1024;

const NO_ROOM = Object.freeze({ kind: "supplier_cut", message: "the supplier's answer found no room" } as const);

const NO_CONTENT = Object.freeze({ kind: "supplier_cut", message: "the supplier sent no content in time" } as const);

const isTooLong = (since: number) => performance.now() - since > MAX_WAIT_MS;

/** Why a stream died before its first content. The supplier had begun to answer, so it had worked, whatever it said. */
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
