import type { AppError } from "~/errors/app-error";
import { apiError } from "~/errors/app-error";
import type { Connection } from "./connection";

/**
 * Gives a client a time for the rest of its request body: when it is over, `late` gets the refusal, and the connection
 * ends with the answer, because what is left of the body will never be read. Returns what stops the clock. Bodies that
 * have arrived already, as nearly all have, cost nothing.
 */
export function boundBody(
  { incoming, outgoing }: Connection,
  withinMs: number,
  late: (problem: AppError) => void,
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
 * Ends a connection whose client announces a body and does not send the whole of it in time, whether or not anybody waits
 * for it: what is answered without its body, as a GET is, would else stay open for as long as the client likes.
 */
export function boundRequest({ incoming }: Connection, withinMs: number): void {
  const { "transfer-encoding": chunked, "content-length": length } = incoming.headers;
  if (chunked === undefined && !(Number(length) > 0)) return;
  const timer = setTimeout(() => incoming.complete || incoming.socket.destroy(), withinMs);
  incoming.once("close", () => clearTimeout(timer));
}

/**
 * The same for an upload, which may take its time but may not stand still for `withinMs`. The server's own limit for whole
 * requests bounds it altogether.
 */
export function boundPauses(
  { incoming, outgoing }: Connection,
  withinMs: number,
  late: (problem: AppError) => void,
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

const LOOKS = 6;
const NOTHING = () => undefined;

function hangUp({ incoming, outgoing }: Connection): void {
  if (!outgoing.headersSent) outgoing.shouldKeepAlive = false;
  outgoing.once("finish", () => incoming.socket.destroySoon());
}
