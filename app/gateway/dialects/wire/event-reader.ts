import { log } from "~/log.server";
import { reportedError } from "../../canonical/reported-error";
import type { Usage } from "../../canonical/usage";
import type { StreamReader } from "../dialect";
import { EventTooLong, type SseEvent, SseSplitter } from "./sse";

/** The longest stream, many times what a model writes: its text is kept until it is settled. */
export const MAX_STREAM_BYTES = 256 * 1024 * 1024;

const TOO_LARGE: NonNullable<StreamReader["failure"]> = Object.freeze({
  code: null,
  type: null,
  message: "the supplier's answer is too large",
  protocol: true,
  tooLarge: true,
});

/**
 * What all readers of event streams have in common: whole events from any pieces, one way to fail, nothing taken in
 * behind the end. A dialect adds what an event means.
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
  /** One event in, while the stream is open; what the client sees of it out. */
  protected abstract take(event: SseEvent): Buffer | null;
  /** Whether the answer is whole although no terminal event came. */
  protected abstract isComplete(): boolean;

  /**
   * How many bytes at the beginning of a chunk, which begins with an event, are whole events that go on without being
   * taken apart. Asked only once content has been seen, and for a chunk in which no event of an earlier one ends; of a
   * dialect that has no such events, not at all. `text`: the chunk as Latin-1, a character for each byte.
   */
  protected ordinaryLength?(text: string): number;

  /** Whole ordinary events in, as bytes and as Latin-1; what the client sees of them out. */
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
    } catch (problem) {
      if (!(problem instanceof EventTooLong)) throw problem;
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
    if (this.state !== "open" || event.data === "") return null;
    try {
      return this.take(event);
    } catch (problem) {
      // Values nested thousands of levels deep can be read but not written again.
      if (problem instanceof RangeError)
        return this.failProtocol("the supplier sent an event that is nested too deeply");
      // Suppliers may send anything in any place; what no reader expected ends this stream, and nothing else.
      log.error({ err: problem }, "an event of a supplier could not be read");
      return this.failProtocol("the supplier sent an event that cannot be understood");
    }
  }

  protected fail(failure: NonNullable<StreamReader["failure"]>): null {
    this.state = "failed";
    this.failure = failure;
    return null;
  }

  /** The supplier sent what its dialect does not allow. */
  protected failProtocol(message: string): null {
    return this.fail({ code: null, type: null, message, protocol: true });
  }

  /** The supplier reported an error, in any of the shapes that are about. */
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
