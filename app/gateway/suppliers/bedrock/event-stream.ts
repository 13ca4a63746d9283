import { EventStreamCodec } from "@smithy/core/event-streams";
import type { ByteSink, ByteSource } from "../../canonical/exchange";
import { SupplierFailure } from "../../canonical/supplier-failure";
import { statusOf } from "./failure";

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes as Uint8Array).toString("utf8"),
  (text) => Buffer.from(text, "utf8"),
);

/** The longest message of the format. */
const MAX_MESSAGE_BYTES = 24 * 1024 * 1024;
/** A prelude and its checksum, and the checksum of the whole. */
const MIN_MESSAGE_BYTES = 16;

/**
 * A source whose bytes are messages of `application/vnd.amazon.eventstream`, as a source of server-sent events: each message is
 * an event of its type, and an exception the event `error`. Checksums are checked; a message that is broken fails the source.
 */
export class EventStreamSource implements ByteSource {
  readonly #source: ByteSource;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  start(sink: ByteSink): void {
    let waiting: Buffer[] = [];
    let bytes = 0;
    /** Of the message that comes next, so that its pieces are joined once. */
    let needed = LENGTH_BYTES;
    let isOver = false;
    this.#source.start({
      data: (chunk) => {
        if (isOver) return;
        waiting.push(chunk);
        bytes += chunk.length;
        if (bytes < needed) return;
        try {
          const { events, rest } = decoded(waiting.length === 1 ? chunk : Buffer.concat(waiting));
          waiting = rest.length === 0 ? [] : [rest];
          bytes = rest.length;
          needed = bytes < LENGTH_BYTES ? LENGTH_BYTES : rest.readUInt32BE(0);
          if (events !== "") sink.data(Buffer.from(events));
        } catch (cause) {
          isOver = true;
          this.#source.abort();
          sink.fail(new SupplierFailure("protocol", "the supplier's stream is broken", { executed: "yes", cause }));
        }
      },
      end: () => {
        if (!isOver) sink.end();
      },
      fail: (failure) => {
        if (!isOver) sink.fail(failure);
      },
    });
  }

  pause(): void {
    this.#source.pause();
  }

  resume(): void {
    this.#source.resume();
  }

  abort(): void {
    this.#source.abort();
  }
}

const LENGTH_BYTES = 4;

/** The whole messages at the beginning of `bytes` as events, and what is left behind them. */
function decoded(bytes: Buffer): { events: string; rest: Buffer } {
  let events = "";
  let at = 0;
  while (bytes.length - at >= LENGTH_BYTES) {
    const length = bytes.readUInt32BE(at);
    if (length < MIN_MESSAGE_BYTES || length > MAX_MESSAGE_BYTES) throw new Error("a message of an impossible length");
    if (bytes.length - at < length) break;
    events += eventOf(bytes.subarray(at, at + length));
    at += length;
  }
  return { events, rest: at === 0 ? bytes : bytes.subarray(at) };
}

function eventOf(message: Buffer): string {
  const { headers, body } = codec.decode(message);
  const text = (name: string) => String(headers[name]?.value ?? "");
  // Line ends of JSON stand between its members only: in a text they are written otherwise.
  const data = Buffer.from(body)
    .toString("utf8")
    .replace(/[\r\n]+/g, " ");
  const kind = text(":message-type");
  if (kind === "event") return `event: ${text(":event-type")}\ndata: ${data}\n\n`;
  const name = text(":exception-type") || text(":error-code");
  const message_ = messageIn(data) ?? (text(":error-message") || "the supplier reported an error");
  const error = { code: name, type: name, status: statusOf(name) ?? 500, message: message_ };
  return `event: error\ndata: ${JSON.stringify({ error })}\n\n`;
}

function messageIn(data: string): string | null {
  try {
    const { message } = JSON.parse(data) as { message?: unknown };
    return typeof message === "string" ? message : null;
  } catch {
    return null;
  }
}
