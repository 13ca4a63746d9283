import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { apiError } from "~/errors/app-error";
import { ownTurn, TimeSlice } from "~/values/time-slice";
import { type Connection, connectionOf, headerOf } from "../server/connection";
import { bodyBytes, brokenOff } from "./body-bytes";
import { boundBody } from "./slow-body";

/**
 * Reads a request body of at most `limitBytes` as text; it must arrive within `withinMs`. Decompresses a compressed
 * body; the limit applies to both the compressed and the decompressed size.
 * @throws AppError request_too_large before more than the limit is in memory; unsupported_media_type for an unknown
 *   compression; request_timeout; invalid_request when the client disconnects early, or the bytes do not match the
 *   declared encoding.
 */
export async function readBody(request: Request, limitBytes: number, withinMs = 60_000): Promise<string> {
  const announced = headerOf(request, "content-length");
  if (announced !== null && Number(announced) > limitBytes) throw tooLarge(limitBytes);
  const open = openerOf(request);
  const connection = connectionOf(request);
  const bytes = connection
    ? await readIncoming(connection, limitBytes, withinMs)
    : Buffer.from((await bodyBytes(request, limitBytes, () => tooLarge(limitBytes))).buffer);
  return decode(open === null ? bytes : await opened(open, bytes, limitBytes));
}

type Opener = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const OPENERS: Readonly<Record<string, Opener>> = {
  gzip: promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip),
  "x-gzip": promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip),
  deflate: promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate),
  br: promisify<Buffer, { maxOutputLength: number }, Buffer>(brotliDecompress),
};

/**
 * Returns the decompressor of the body; null for an uncompressed body. Several encodings on one body are not supported.
 */
function openerOf(request: Request): Opener | null {
  const encoding = headerOf(request, "content-encoding")?.trim().toLowerCase() ?? "identity";
  if (encoding === "identity" || encoding === "") return null;
  const opener = Object.hasOwn(OPENERS, encoding) ? OPENERS[encoding] : undefined;
  if (opener !== undefined) return opener;
  throw apiError("unsupported_media_type", {
    userMessage: "The request body may be compressed with gzip, deflate or br only, once. Or send it as it is.",
  });
}

/** Decompresses outside the event loop; stops as soon as the result exceeds the limit. */
async function opened(open: Opener, bytes: Buffer, limitBytes: number): Promise<Buffer> {
  try {
    return await open(bytes, { maxOutputLength: limitBytes });
  } catch (cause) {
    if ((cause as { code?: string }).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(limitBytes);
    throw apiError("invalid_request", {
      userMessage: "The request body is not compressed as its content-encoding says, or its end is missing.",
      cause,
    });
  }
}

function readIncoming(connection: Connection, limitBytes: number, withinMs: number): Promise<Buffer> {
  const { incoming } = connection;
  // A destroyed stream emits no more events, even if the whole body had arrived.
  if (incoming.destroyed) return Promise.reject(brokenOff());
  if (isPresent(incoming) && incoming.readableLength <= Math.min(limitBytes, MAX_BYTES_PER_TURN)) {
    const bytes = incoming.read() as Buffer | null;
    // The end event is still pending and must be consumed.
    incoming.resume();
    return Promise.resolve(bytes ?? NOTHING);
  }
  return new Promise((resolve, reject) => {
    let first: Buffer | null = null;
    let rest: Buffer[] | null = null;
    let size = 0;
    let sizeAtTurn = 0;
    // Bodies that arrive faster than they are read also yield to other requests.
    const waitForTurn = () => {
      sizeAtTurn = size;
      incoming.pause();
      // The rest of a rejected body must also be consumed, or its connection stalls.
      void new TimeSlice().next().then(() => incoming.resume());
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limitBytes) {
        leave();
        reject(tooLarge(limitBytes));
        return;
      }
      if (size - sizeAtTurn > MAX_BYTES_PER_TURN) waitForTurn();
      if (first === null) first = chunk;
      else if (rest === null) rest = [first, chunk];
      else rest.push(chunk);
    };
    const onEnd = () => {
      leave();
      resolve(first === null ? NOTHING : rest === null ? first : joined(rest, size));
    };
    const onBroken = (cause?: Error) => {
      leave();
      reject(brokenOff(cause));
    };
    const onClose = () => onBroken();
    const stopClock = boundBody(connection, withinMs, (error) => {
      leave();
      reject(error);
    });
    const leave = () => {
      stopClock();
      incoming.off("data", onData);
      incoming.off("end", onEnd);
      incoming.off("error", onBroken);
      incoming.off("close", onClose);
    };
    incoming.on("data", onData);
    incoming.on("end", onEnd);
    incoming.on("error", onBroken);
    incoming.on("close", onClose);
  });
}

/** Whether the whole body has arrived, as for nearly all requests by this time; then no listeners are needed. */
const isPresent = ({ complete, readableLength, headers }: IncomingMessage): boolean =>
  complete || readableLength === Number(headers["content-length"]);

const MAX_BYTES_PER_TURN = 256 * 1024;

const NOTHING = Buffer.alloc(0);

async function joined(chunks: readonly Buffer[], size: number): Promise<Buffer> {
  await ownTurn(size);
  return Buffer.concat(chunks, size);
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

function decode(bytes: Buffer): string {
  const bodyText = bytes.toString("utf8");
  // A leading byte order mark is not part of the text.
  const text = bodyText.charCodeAt(0) === 0xfeff ? bodyText.slice(1) : bodyText;
  // U+FFFD in the text is either the client's own or stands for an invalid byte; only the strict decoder can
  // distinguish them.
  if (!text.includes("\uFFFD")) return text;
  try {
    return strictUtf8.decode(bytes);
  } catch (cause) {
    throw apiError("invalid_json", { userMessage: "The request body is not valid UTF-8.", cause });
  }
}

const tooLarge = (limitBytes: number) =>
  apiError("request_too_large", {
    userMessage: `The request body is larger than the ${Math.floor(limitBytes / (1024 * 1024))} MiB that this endpoint takes.`,
  });
