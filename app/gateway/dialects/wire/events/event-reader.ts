import { log } from "~/observe/log.server";
import { isErrorObject, reportedError } from "../../../canonical/reported-error";
import type { Usage } from "../../../canonical/usage";
import type { StreamReader } from "../../dialect";
import { parseJson } from "../long-texts";
import { EventTooLong, type SseEvent, SseSplitter } from "./sse";

/** Maximum bytes of a stream, because its text is retained until settlement. No model writes nearly that much. */
export const MAX_STREAM_BYTES = 256 * 1024 * 1024;

const OPENING_BRACE = 123;

/** Keep-alive texts that some suppliers send as data instead of as a comment. */
export const SIGN_OF_LIFE = /^[\s:[]*(?:ping|pong|keep-?alive|heartbeat|processing)\b[^{}]*$/i;

/** Removes the second `data:` prefix of an event that two layers of a server have prefixed. */
function withoutPrefix({ event, data }: SseEvent): SseEvent {
  const rest = data.slice("data:".length).trimStart();
  const name = event === "" ? "" : `event: ${event}\n`;
  return { event, data: rest, bytes: Buffer.from(`${name}data: ${rest.replaceAll("\n", "\ndata: ")}\n\n`) };
}

const TOO_LARGE: NonNullable<StreamReader["failure"]> = Object.freeze({
  code: null,
  type: null,
  message: "the supplier's answer is too large",
  protocol: true,
  tooLarge: true,
});

/**
 * Base of all readers of event streams: assembles events from chunks, fails in one way, and ignores input after the
 * end. Each dialect adds the meaning of an event.
 */
export abstract class EventReader implements StreamReader {
  started = false;
  state: StreamReader["state"] = "open";
  failure: StreamReader["failure"] = null;
  late: Buffer | null = null;
  abstract readonly usage: Usage | null;
  abstract readonly terminal: Buffer;
  readonly #splitter = new SseSplitter();
  #bytes = 0;

  get heldBytes(): number {
    return this.#splitter.pendingBytes;
  }

  abstract outputText(): string;
  /** Reads one event of an open stream. Returns the bytes for the client. */
  protected abstract take(event: SseEvent): Buffer | null;
  /** Whether the answer is complete although there was no terminal event. */
  protected abstract isComplete(): boolean;

  /**
   * Returns the number of bytes at the start of a chunk that are complete events to pass on unparsed. Called only after
   * the first content, and only for chunks that start with a new event. Dialects without such events leave it out.
   * `text` is the chunk as Latin-1, one character per byte.
   */
  protected ordinaryLength?(text: string): number;

  /** Passes on complete ordinary events, given as bytes and as Latin-1. Returns the bytes for the client. */
  protected passOn(events: Buffer, _text: string): Buffer {
    return events;
  }

  push(chunk: Buffer): Buffer | null {
    this.#bytes += chunk.length;
    if (this.#bytes > MAX_STREAM_BYTES) return this.fail(TOO_LARGE);
    if (!this.ordinaryLength || !this.started || this.state !== "open" || !this.#splitter.isBetweenEvents)
      return this.#pushEvents(chunk);
    const text = chunk.toString("latin1");
    const ordinary = this.ordinaryLength(text);
    if (ordinary === 0) return this.#pushEvents(chunk);
    if (ordinary === chunk.length) return this.passOn(chunk, text);
    const passed = this.passOn(chunk.subarray(0, ordinary), text.slice(0, ordinary));
    const rest = this.#pushEvents(chunk.subarray(ordinary));
    return rest === null ? passed : Buffer.concat([passed, rest]);
  }

  #pushEvents(chunk: Buffer): Buffer | null {
    let events: SseEvent[];
    try {
      events = this.#splitter.push(chunk);
    } catch (error) {
      if (!(error instanceof EventTooLong)) throw error;
      return this.failProtocol("the supplier sent an event that is too long");
    }
    if (events.length === 1) return this.#takeOpen(events[0]!);
    const out: Buffer[] = [];
    for (const event of events) {
      const bytes = this.#takeOpen(event);
      if (bytes !== null) out.push(bytes);
    }
    return out.length === 0 ? null : out.length === 1 ? out[0]! : Buffer.concat(out);
  }

  end(): boolean {
    const rest = this.state === "open" ? this.#splitter.rest() : null;
    if (rest !== null) this.late = this.#takeOpen(rest);
    if (this.state === "open" && this.isComplete()) this.state = "finished";
    return this.state === "finished";
  }

  #takeOpen(event: SseEvent): Buffer | null {
    if (this.state !== "open" || SIGN_OF_LIFE.test(event.data)) return null;
    if (event.data.startsWith("data:")) return this.#takeOpen(withoutPrefix(event));
    if (event.data === "")
      return event.bytes[0] === OPENING_BRACE ? this.#takeBare(event.bytes.toString("utf8")) : null;
    try {
      return this.take(event);
    } catch (error) {
      // Values nested thousands of levels deep can be read but not written again.
      if (error instanceof RangeError) return this.failProtocol("the supplier sent an event that is nested too deeply");
      // Suppliers may send any value anywhere. A value that no reader expects ends only this stream.
      log.error({ err: error }, "an event of a supplier could not be read");
      return this.failProtocol("the supplier sent an event that cannot be understood");
    }
  }

  /** Reads JSON without a `data:` prefix. Many servers write errors into a stream in this form. */
  #takeBare(text: string): null {
    let wire: unknown = null;
    try {
      wire = parseJson(text);
    } catch {
      // Not JSON: ignore it.
    }
    return isErrorObject(wire, "choices") ? this.failReported(wire) : null;
  }

  protected fail(failure: NonNullable<StreamReader["failure"]>): null {
    this.state = "failed";
    this.failure = failure;
    return null;
  }

  /** Fails because the supplier violated its dialect. */
  protected failProtocol(message: string): null {
    return this.fail({ code: null, type: null, message, protocol: true });
  }

  /** Fails with an error that the supplier reported, in any of the known shapes. */
  protected failReported(wire: unknown): null {
    const { code, status, type, param, message } = reportedError(wire);
    return this.fail({
      code,
      type,
      param,
      message: message ?? "the supplier reported an error",
      protocol: false,
      ...(status === null ? {} : { status }),
    });
  }
}
