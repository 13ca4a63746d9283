import type { IncomingMessage, ServerResponse } from "node:http";

/** The Node side of a request that gw's own server dispatched. */
export type Connection = { incoming: IncomingMessage; outgoing: ServerResponse };

const CONNECTION = Symbol("connection");
type Bound = Request & { [CONNECTION]?: Connection };

/** Remembers the Node connection behind a request, so that bodies and disconnects need no web streams. */
export function bindConnection(request: Request, connection: Connection): void {
  (request as Bound)[CONNECTION] = connection;
}

/** The Node connection behind a request, or undefined when it came through another server (React Router, a test). */
export function connectionOf(request: Request): Connection | undefined {
  return (request as Bound)[CONNECTION];
}

/**
 * A header that is no credential, by its name in small letters; null when it is not there. Where the connection is known Node has
 * read it already; the request's own headers look for it, and check it, each time they are asked.
 */
export function headerOf(request: Request, name: string): string | null {
  const connection = connectionOf(request);
  if (connection === undefined) return request.headers.get(name);
  const value = connection.incoming.headers[name];
  return typeof value === "string" ? value : null;
}

/**
 * Calls `listener` once if the client leaves before its answer is complete. Returns a function that stops listening.
 * `request.signal` alone is not relied on where the connection is known: re-wrapped requests lose it to garbage collection.
 */
export function onClientAbort(request: Request, listener: () => void): () => void {
  const connection = connectionOf(request);
  if (!connection) {
    request.signal.addEventListener("abort", listener, { once: true });
    return () => request.signal.removeEventListener("abort", listener);
  }
  const { outgoing } = connection;
  const onClose = () => {
    if (!outgoing.writableFinished) listener();
  };
  outgoing.once("close", onClose);
  return () => outgoing.off("close", onClose);
}
