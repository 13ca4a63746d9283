import type { AppError } from "~/errors/app-error";
import { apiError } from "~/errors/app-error";
import type { Connection } from "../server/connection";

/**
 * Sets a time limit for the rest of a request body. When it expires, `late` gets the error, and the connection closes
 * after the response, because the rest of the body is never read. Returns a function that cancels the limit. No timer
 * for a complete body, the usual case.
 */
export function boundBody(
  { incoming, outgoing }: Connection,
  withinMs: number,
  late: (error: AppError) => void,
): () => void {
  if (incoming.complete) return NOTHING;
  const timer = setTimeout(() => {
    if (incoming.complete) return;
    hangUp({ incoming, outgoing });
    late(apiError("request_timeout"));
  }, withinMs);
  return () => clearTimeout(timer);
}

/**
 * Closes a connection whose client declares a body and does not send all of it in time, even if the body is not read:
 * otherwise, a client could keep open a request that needs no body, such as a GET.
 */
export function boundRequest({ incoming }: Connection, withinMs: number): void {
  const { "transfer-encoding": chunked, "content-length": length } = incoming.headers;
  if (chunked === undefined && !(Number(length) > 0)) return;
  const timer = setTimeout(() => incoming.complete || incoming.socket.destroy(), withinMs);
  incoming.once("close", () => clearTimeout(timer));
}

/**
 * The same for an upload, which may be slow but must not pause for `withinMs`. The server's own request time-out limits
 * its total time.
 */
export function boundPauses(
  { incoming, outgoing }: Connection,
  withinMs: number,
  late: (error: AppError) => void,
): () => void {
  let lastMs = performance.now();
  const onData = () => {
    lastMs = performance.now();
  };
  incoming.on("data", onData);
  const timer = setInterval(() => {
    if (incoming.complete || performance.now() - lastMs < withinMs) return;
    hangUp({ incoming, outgoing });
    late(apiError("request_timeout"));
  }, withinMs / LOOKS);
  return () => {
    clearInterval(timer);
    incoming.off("data", onData);
  };
}

/**
 * After the response, reads and discards the rest of a body that was not needed: a server that closes a connection with
 * unread bytes resets it, and the client may lose the response (RFC 9112, section 9.6). If the body ends within
 * `withinMs`, the connection serves the next request; else it closes.
 */
export function discardRest({ incoming, outgoing }: Connection, withinMs: number): void {
  outgoing.once("finish", () => {
    if (incoming.complete || incoming.destroyed) return;
    incoming.removeAllListeners("data");
    incoming.resume();
    const timer = setTimeout(() => incoming.socket.destroySoon(), withinMs).unref();
    incoming.once("close", () => clearTimeout(timer));
  });
}

const LOOKS = 6;
const NOTHING = () => undefined;

function hangUp({ incoming, outgoing }: Connection): void {
  if (!outgoing.headersSent) outgoing.shouldKeepAlive = false;
  outgoing.once("finish", () => incoming.socket.destroySoon());
}
