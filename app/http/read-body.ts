import { apiError } from "~/errors/app-error";
import { ownTurn, TimeSlice } from "~/time-slice";
import { bodyBytes, brokenOff } from "./body-bytes";
import { type Connection, connectionOf } from "./connection";
import { boundBody } from "./slow-body";

/**
 * Reads a request body of at most `limitBytes` as text, which has to be there in `withinMs`.
 * @throws AppError request_too_large before more than the limit is kept in memory; unsupported_media_type for a
 *   compressed body; request_timeout; invalid_request when the client breaks off or the bytes are not UTF-8.
 */
export async function readBody(request: Request, limitBytes: number, withinMs = 60_000): Promise<string> {
  const announced = request.headers.get("content-length");
  if (announced !== null && Number(announced) > limitBytes) throw tooLarge(limitBytes);
  const encoding = request.headers.get("content-encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity") {
    throw apiError("unsupported_media_type", {
      userMessage: "Compressed request bodies are not accepted. Send the body as it is.",
    });
  }
  const connection = connectionOf(request);
  if (!connection)
    return decode(Buffer.from((await bodyBytes(request, limitBytes, () => tooLarge(limitBytes))).buffer));
  return readIncoming(connection, limitBytes, withinMs);
}

function readIncoming(connection: Connection, limitBytes: number, withinMs: number): Promise<string> {
  const { incoming } = connection;
  // Of a client that has left already no event comes any more, even if its whole body was there.
  if (incoming.destroyed) return Promise.reject(brokenOff());
  return new Promise((resolve, reject) => {
    let first: Buffer | null = null;
    let rest: Buffer[] | null = null;
    let size = 0;
    let sizeAtTurn = 0;
    // Bodies that come faster than they can be read take turns as well.
    const waitForTurn = () => {
      sizeAtTurn = size;
      incoming.pause();
      // Also of a body that is refused the rest has to be taken, or its connection stands still.
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
      try {
        resolve(first === null ? "" : rest === null ? decode(first) : joined(rest, size));
      } catch (error) {
        reject(error);
      }
    };
    const onBroken = (cause?: Error) => {
      leave();
      reject(brokenOff(cause));
    };
    const onClose = () => onBroken();
    const stopClock = boundBody(connection, withinMs, (problem) => {
      leave();
      reject(problem);
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

const MAX_BYTES_PER_TURN = 256 * 1024;

async function joined(chunks: readonly Buffer[], size: number): Promise<string> {
  await ownTurn(size);
  return decode(Buffer.concat(chunks, size));
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

function decode(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  // U+FFFD in the text is either the client's own or the mark of a bad byte; only the strict decoder can tell.
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
