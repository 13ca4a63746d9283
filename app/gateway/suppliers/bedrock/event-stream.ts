import { EventStreamCodec } from "@smithy/core/event-streams";
import type { ByteSink, ByteSource } from "../../canonical/exchange";
import { SupplierFailure } from "../../canonical/supplier-failure";
import { statusOf } from "./failure";

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes as Uint8Array).toString("utf8"),
  (text) => Buffer.from(text, "utf8"),
);

/** Maximum length of a message in the format. */
const MAX_MESSAGE_BYTES = 24 * 1024 * 1024;
/** Length of a prelude with its checksum, and the checksum of the message. */
const MIN_MESSAGE_BYTES = 16;

/**
 * Converts a source of `application/vnd.amazon.eventstream` messages into server-sent events: each message becomes an
 * event of its type, and an exception the event `error`. Checksums are verified; an invalid message fails the source.
 */
export class EventStreamSource implements ByteSource {
  readonly #source: ByteSource;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  start(sink: ByteSink): void {
    let waiting: Buffer[] = [];
    let bytes = 0;
    /** Length of the next message, so that its pieces are joined only once. */
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

/** Converts the complete messages at the beginning of `bytes`; returns the events and the remaining bytes. */
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
  // Line breaks in JSON occur only between tokens; inside strings they are escaped.
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
