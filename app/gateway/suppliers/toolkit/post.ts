import type { Readable } from "node:stream";
import { type Dispatcher, errors } from "undici";
import type {
  ByteSink,
  ByteSource,
  Exchange,
  OutgoingBody,
  SupplierHeaders,
  SupplierReply,
} from "../../canonical/exchange";
import { executedBy, SupplierFailure } from "../../canonical/supplier-failure";
import { answerMemory, MAX_ANSWER_BYTES, type Share } from "./answer-memory";
import { type Decoder, decoderOf } from "./decoder";
import { readFailure } from "./read-failure";

/** Maximum milliseconds to wait for a connection, however long the answer may take. */
const MAX_CONNECT_MS = 30_000;
/** Whole answers above this many bytes need a share of the answer memory. */
const LONG_BYTES = 1024 * 1024;
/** Maximum bytes read of an error response: enough for any error object. */
const MAX_ERROR_BYTES = 64 * 1024;
/** Maximum milliseconds to wait for the body of an error response; its status is sufficient. */
const MAX_ERROR_MS = 3_000;

/** An HTTP POST to a supplier. `path` includes the version path; times in milliseconds. */
export type Post = {
  pool: Dispatcher;
  path: string;
  headers: Record<string, string>;
  body: OutgoingBody;
  stream: boolean;
  timeoutMs: number;
  idleTimeoutMs: number;
  /** Values to redact in an error response, in addition to the credential. */
  secrets?: readonly string[];
  /** Reads an error response, if the supplier has its own format. */
  readFailure?: typeof readFailure;
};

/**
 * Sends one request and never repeats it. Redirects are not followed. `reply` resolves with a 2xx answer (a stream as
 * soon as its headers have arrived) and rejects with SupplierFailure, which tells whether the request was executed.
 */
export function post(request: Post): Exchange {
  return new PostExchange(request);
}

/** Media types that are streamed if a stream was requested: events and sound. Everything else is a whole answer. */
const STREAMED = /^\s*(text\/event-stream|application\/vnd\.amazon\.eventstream|audio\/|application\/octet-stream)/i;

/** Beginning of an event stream: a field or a comment. */
const EVENTS = /^(?:data|event|id|retry)?:/;

/** Returns the body with the headers that describe it. */
function sent({ headers, body }: Post): Pick<Dispatcher.DispatchOptions, "headers" | "body"> {
  if (typeof body === "string" || Buffer.isBuffer(body)) return { headers, body };
  const { contentType, contentLength } = body;
  return {
    headers: { ...headers, "content-type": contentType, "content-length": String(contentLength) },
    // undici accepts any async iterable. Its types allow only Readable, which would read ahead.
    body: body.open() as unknown as Readable,
  };
}

class PostExchange implements Exchange, Dispatcher.DispatchHandler, ByteSource {
  readonly reply: Promise<SupplierReply>;
  #resolve!: (reply: SupplierReply) => void;
  #reject!: (failure: SupplierFailure) => void;
  readonly #wantsStream: boolean;
  readonly #failureOf: (body: Buffer) => SupplierFailure;
  #controller: Dispatcher.DispatchController | null = null;
  #aborted = false;
  #ended = false;
  #status = 0;
  #headers: SupplierHeaders = {};
  #streaming = false;
  /** A stream was requested, but the answer has another media type. */
  #mayStream = false;
  #chunks: Buffer[] = [];
  #size = 0;
  #sink: ByteSink | null = null;
  #outcome: SupplierFailure | "end" | null = null;
  /** Share of memory for a long whole answer. */
  #memory: Share | null = null;
  /** Decompresses an answer that is compressed although gw did not request that. */
  #decoder: Decoder | null = null;
  #isPaused = false;
  readonly #connectMs: number;
  #patience: NodeJS.Timeout | undefined;

  constructor(request: Post) {
    this.#wantsStream = request.stream;
    const read = request.readFailure ?? readFailure;
    // Do not keep a reference to the request: its body is long, and an exchange may last for minutes.
    const { headers, timeoutMs, secrets = [] } = request;
    this.#failureOf = (body) =>
      read({ status: this.#status, headers: this.#headers, body: withoutSecrets(body, headers, secrets) });
    this.reply = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#connectMs = Math.min(timeoutMs, MAX_CONNECT_MS);
    try {
      request.pool.dispatch(
        {
          path: request.path,
          method: "POST",
          ...sent(request),
          headersTimeout: request.timeoutMs,
          bodyTimeout: request.idleTimeoutMs,
        },
        this,
      );
    } catch (cause) {
      this.#finish(new SupplierFailure("connect", "the request could not be sent", { executed: "no", cause }));
    }
    if (openExchanges.push(this) === 1) setImmediate(watchBegun);
  }

  /** Starts the time limit for a connection, if the request still waits for one. */
  watch(): void {
    if (this.#controller !== null || this.#ended) return;
    this.#patience = setTimeout(() => this.#unreached(), this.#connectMs).unref();
  }

  abort(): void {
    if (this.#aborted || this.#ended) return;
    this.#aborted = true;
    // Without a controller the request is not on a socket yet; onRequestStart then aborts it.
    this.#controller?.abort(new errors.RequestAbortedError());
  }

  start(sink: ByteSink): void {
    this.#sink = sink;
    for (const chunk of this.#chunks.splice(0)) sink.data(chunk);
    if (this.#outcome !== null) this.#deliverOutcome(sink, this.#outcome);
    else this.resume();
  }

  pause(): void {
    if (this.#ended) return;
    this.#isPaused = true;
    this.#decoder?.pause();
    this.#controller?.pause();
  }

  resume(): void {
    if (this.#ended) return;
    this.#isPaused = false;
    this.#decoder?.resume();
    if (this.#controller?.paused && !(this.#decoder?.isFull ?? false)) this.#controller.resume();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    clearTimeout(this.#patience);
    this.#controller = controller;
    if (this.#aborted) controller.abort(new errors.RequestAbortedError());
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: SupplierHeaders): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    const encoding = headers["content-encoding"];
    if (encoding !== undefined) this.#decoder = this.#decoderFor(encoding, controller);
    if (status >= 300) this.#patience = setTimeout(() => controller.abort(new TooLarge()), MAX_ERROR_MS).unref();
    if (status >= 300 || !this.#wantsStream) return;
    if (STREAMED.test(String(headers["content-type"] ?? ""))) this.#stream();
    else this.#mayStream = true;
  }

  #stream(): void {
    this.#streaming = true;
    this.#resolve({ kind: "stream", status: this.#status, headers: this.#headers, source: this });
  }

  #decoderFor(encoding: string | string[], controller: Dispatcher.DispatchController): Decoder | null {
    return decoderOf(encoding, {
      data: (chunk) => this.#take(controller, chunk),
      end: () => this.#wholeTaken(),
      fail: (cause) => {
        const broken = "the supplier's answer cannot be opened";
        // The status of an error response is sufficient.
        this.#finish(
          this.#status >= 300
            ? this.#failureOf(Buffer.concat(this.#chunks))
            : new SupplierFailure("protocol", broken, { executed: "yes", cause }),
        );
        controller.abort(new errors.RequestAbortedError());
      },
      drain: () => {
        if (!this.#isPaused) this.resume();
      },
    });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#decoder === null) this.#take(controller, chunk);
    else if (!this.#decoder.write(chunk)) controller.pause();
  }

  #take(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#ended) return;
    if (this.#sink !== null) {
      this.#sink.data(chunk);
      return;
    }
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#mayStream) this.#recognise(chunk);
    if (this.#streaming) {
      // Without a reader: keep at most the data of one read until `start`.
      this.pause();
    } else if (this.#size > (this.#status >= 300 ? MAX_ERROR_BYTES : MAX_ANSWER_BYTES)) {
      controller.abort(new TooLarge());
    } else if (this.#size > LONG_BYTES) this.#keep(controller);
  }

  /** Some suppliers stream with another media type, or none; detect an event stream by its first line. */
  #recognise(chunk: Buffer): void {
    const beginning = chunk.toString("utf8", 0, 64).trimStart();
    if (beginning === "") return;
    this.#mayStream = false;
    if (EVENTS.test(beginning)) this.#stream();
  }

  /** Reserves memory for a long answer; pauses it while other answers use all of it. */
  #keep(controller: Dispatcher.DispatchController): void {
    this.#memory ??= answerMemory.share({
      resume: () => this.resume(),
      giveUp: () => controller.abort(new TooLarge()),
    });
    if (!this.#memory.has(this.#size)) this.pause();
  }

  onResponseEnd(): void {
    if (this.#decoder === null) this.#wholeTaken();
    else this.#decoder.end();
  }

  #wholeTaken(): void {
    if (this.#ended) return;
    if (this.#streaming) {
      this.#end("end");
      return;
    }
    const body = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks, this.#size);
    if (this.#status >= 300) this.#finish(this.#failureOf(body));
    else {
      this.#ended = true;
      this.#chunks = [];
      const memory = this.#memory;
      const memoryRelease = memory === null ? {} : { release: () => memory.free() };
      this.#resolve({ kind: "whole", status: this.#status, headers: this.#headers, body, ...memoryRelease });
    }
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    // For an error response its status and the partial body are sufficient, even if the connection breaks.
    if (this.#ended) return;
    if (this.#status >= 300 && !this.#aborted) {
      this.#finish(this.#failureOf(Buffer.concat(this.#chunks, this.#size)));
      return;
    }
    const started = this.#controller !== null;
    const status = this.#status === 0 ? null : this.#status;
    this.#finish(failureOf(error, { status, isSent: started, aborted: this.#aborted }));
  }

  /** Fails the exchange because no connection was available in time. Nothing was sent, and nothing will be. */
  #unreached(): void {
    this.#aborted = true;
    this.#finish(new SupplierFailure("timeout", "the supplier could not be reached in time", { executed: "no" }));
  }

  #finish(failure: SupplierFailure): void {
    clearTimeout(this.#patience);
    this.#memory?.free();
    if (this.#streaming) {
      this.#end(failure);
      return;
    }
    this.#ended = true;
    this.#reject(failure);
  }

  #end(outcome: SupplierFailure | "end"): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#outcome = outcome;
    if (this.#sink !== null) this.#deliverOutcome(this.#sink, outcome);
  }

  #deliverOutcome(sink: ByteSink, outcome: SupplierFailure | "end"): void {
    if (outcome === "end") sink.end();
    else sink.fail(outcome);
  }
}

/**
 * Exchanges started in this turn of the event loop. At its end nearly all have a connection and need no timer of their
 * own.
 */
let openExchanges: PostExchange[] = [];

function watchBegun(): void {
  const exchanges = openExchanges;
  openExchanges = [];
  for (const exchange of exchanges) exchange.watch();
}

/** Redacts credentials in an error response: some suppliers repeat them there, and only gw may know them. */
function withoutSecrets(body: Buffer, headers: Post["headers"], more: readonly string[]): Buffer {
  const credentials = [headers["x-api-key"], headers["x-goog-api-key"], headers["api-key"], headers.authorization];
  const all = [...credentials.map((value) => value?.replace(/^Bearer /, "")), ...more];
  const leaked = all.filter(
    (secret) => secret !== undefined && secret.length >= 8 && body.includes(secret),
  ) as string[];
  if (leaked.length === 0) return body;
  return Buffer.from(leaked.reduce((text, secret) => text.replaceAll(secret, "…"), body.toString("utf8")));
}

/** The answer exceeds a limit. */
class TooLarge extends Error {}

function failureOf(error: Error, at: { status: number | null; isSent: boolean; aborted: boolean }): SupplierFailure {
  const more = { executed: executedBy(at), cause: error };
  if (at.aborted) return new SupplierFailure("aborted", "the call was given up", more);
  if (error instanceof TooLarge) return new SupplierFailure("too_large", "the supplier's answer is too large", more);
  if (error instanceof errors.HeadersTimeoutError)
    return new SupplierFailure("timeout", "the supplier did not answer in time", more);
  if (error instanceof errors.BodyTimeoutError) return new SupplierFailure("timeout", "the supplier fell silent", more);
  if (error instanceof errors.ConnectTimeoutError)
    return new SupplierFailure("timeout", "the supplier could not be reached in time", more);
  if (!at.isSent) return new SupplierFailure("connect", "the supplier could not be reached", more);
  if (error instanceof errors.HTTPParserError)
    return new SupplierFailure("protocol", "the supplier's answer is not HTTP", more);
  return new SupplierFailure("reset", "the supplier's connection broke", more);
}
