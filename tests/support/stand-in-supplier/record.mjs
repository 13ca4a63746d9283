/**
 * @typedef {object} SeenRequest
 * @property {string} id `x-request-id`
 * @property {string} method
 * @property {string} path
 * @property {Record<string, string | string[] | undefined>} headers
 * @property {string} body unchanged; base64 if it is not UTF-8
 * @property {string} fault
 * @property {number} startedAt milliseconds since 1970
 * @property {number | null} endedAt
 * @property {number | null} abortedAt set if the client closed the connection before the answer was complete
 * @property {number} bytesWritten of the answer's body
 */

/** All requests as received; tests use them to prove which data gw passed on. */
export class Record {
  /** @type {SeenRequest[]} */
  #seen = [];
  /** Requests in flight on each connection. @type {WeakMap<import("node:net").Socket, Set<SeenRequest>>} */
  #onSocket = new WeakMap();
  sockets = 0;
  maxSockets = 0;
  inFlight = 0;
  maxInFlight = 0;

  /** @param {import("node:http").IncomingMessage} request @param {Buffer} body @param {string} fault @returns {SeenRequest} */
  begin(request, body, fault) {
    const text = body.toString("utf8");
    /** @type {SeenRequest} */
    const entry = {
      id: String(request.headers["x-request-id"] ?? ""),
      method: request.method ?? "",
      path: request.url ?? "",
      headers: request.headers,
      body: text.includes("\uFFFD") ? body.toString("base64") : text,
      fault,
      startedAt: Date.now(),
      endedAt: null,
      abortedAt: null,
      bytesWritten: 0,
    };
    this.#seen.push(entry);
    this.#watch(request.socket).add(entry);
    this.inFlight += 1;
    this.maxInFlight = Math.max(this.maxInFlight, this.inFlight);
    return entry;
  }

  /** @param {SeenRequest} entry @param {boolean} complete */
  end(entry, complete) {
    if (entry.endedAt !== null) return;
    entry.endedAt = Date.now();
    if (!complete) entry.abortedAt = entry.endedAt;
    this.inFlight -= 1;
  }

  /**
   * Counts a connection at its first request. When the connection closes, marks its requests in flight as aborted: Node
   * emits no close event for a response that is queued after another one on the same connection.
   * @param {import("node:net").Socket} socket
   */
  #watch(socket) {
    const known = this.#onSocket.get(socket);
    if (known !== undefined) return known;
    /** @type {Set<SeenRequest>} */
    const entries = new Set();
    this.#onSocket.set(socket, entries);
    this.sockets += 1;
    this.maxSockets = Math.max(this.maxSockets, this.sockets);
    socket.once("close", () => {
      this.sockets -= 1;
      for (const entry of entries) this.end(entry, false);
    });
    return entries;
  }

  /** @param {string | null} id */
  read(id) {
    const requests = id === null ? this.#seen : this.#seen.filter((entry) => entry.id === id);
    const { sockets, maxSockets, inFlight, maxInFlight } = this;
    return { requests, sockets, maxSockets, inFlight, maxInFlight };
  }

  clear() {
    this.#seen = [];
    this.maxSockets = this.sockets;
    this.maxInFlight = this.inFlight;
  }
}
