import type { IncomingMessage, ServerResponse } from "node:http";

/** The Node side of a request that gw's own server dispatched. */
export type Connection = { incoming: IncomingMessage; outgoing: ServerResponse };

const CONNECTION = Symbol("connection");
type Bound = Request & { [CONNECTION]?: Connection };

/** Attaches the Node connection to a request, so that reading bodies and detecting disconnects needs no web streams. */
export function bindConnection(request: Request, connection: Connection): void {
  (request as Bound)[CONNECTION] = connection;
}

/**
 * Returns the Node connection of a request, or undefined when it came through another server (React Router, a test).
 */
export function connectionOf(request: Request): Connection | undefined {
  return (request as Bound)[CONNECTION];
}

/**
 * Returns a header by its lower-case name, or null; not for credentials. Reads Node's parsed headers where the
 * connection is known, because `request.headers` searches and validates on every access.
 */
export function headerOf(request: Request, name: string): string | null {
  const connection = connectionOf(request);
  if (connection === undefined) return request.headers.get(name);
  const value = connection.incoming.headers[name];
  return typeof value === "string" ? value : null;
}

/**
 * Calls `listener` once if the client disconnects before its response is complete. Returns a function that stops
 * listening. Uses the connection rather than `request.signal` where it is known: copied requests lose the signal to
 * garbage collection.
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
