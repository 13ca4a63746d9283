// Own code on purpose: see docs/decisions/010-own-server-for-the-embedded-database.md.
import { createServer } from "node:net";
import { SharedSession } from "./shared-session.mjs";
import { applicationName, readFrames, statementNames } from "./wire-frames.mjs";

const SYNC = 0x53;
const QUERY = 0x51;
const FLUSH = 0x48;
const FUNCTION_CALL = 0x46;
const TERMINATE = 0x58;
const SYNC_MESSAGE = Buffer.from([SYNC, 0, 0, 0, 4]);
const ENDS_A_UNIT = new Set([SYNC, QUERY, FLUSH, FUNCTION_CALL]);

/**
 * Serves the PostgreSQL protocol on a socket for one PGlite session.
 *
 * The session is shared, so a connection owns it from the first message of a unit (up to Sync or a simple query) to the
 * end of its transaction; the others wait in order. Otherwise the Parse of one connection and the Bind of another would
 * use the same unnamed statement, and a query would return another connection's rows. Each connection has its own
 * settings.
 */
export class WireServer {
  #database;
  #session;
  #idleTransactionMs;
  #beforeUnit;
  #onFatal;
  #greeting = Buffer.alloc(0);
  #waiting = [];
  #owner = null;
  #ownerTimer = null;
  #running = false;
  #closing = false;
  #connections = new Set();
  #server = null;
  #nextId = 1;
  units = 0;

  /**
   * `beforeUnit`: called before each use of the session. `onFatal`: called when the session is unusable; the process
   * must then end.
   */
  constructor(database, { idleTransactionMs, beforeUnit = () => undefined, onFatal }) {
    this.#database = database;
    this.#session = new SharedSession(database, (message) => this.#execute(Buffer.concat([message, SYNC_MESSAGE])));
    this.#idleTransactionMs = idleTransactionMs;
    this.#beforeUnit = beforeUnit;
    this.#onFatal = onFatal;
  }

  async listen(address) {
    this.#greeting = await this.#firstGreeting();
    this.#server = createServer({ noDelay: true }, (socket) => this.#welcome(socket));
    await new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(address, resolve);
    });
    return this.#server.address();
  }

  /** Runs `work` alone on the session, outside any transaction. */
  exclusively(work) {
    return new Promise((resolve, reject) => {
      const run = () => this.#session.seat().then(work).then(resolve, reject);
      this.#waiting.push({ connection: null, run });
      void this.#drain();
    });
  }

  async close() {
    // The session ends, so connections need no clean-up.
    this.#closing = true;
    for (const connection of this.#connections) connection.socket.destroy();
    await new Promise((resolve) => (this.#server ? this.#server.close(resolve) : resolve()));
    while (this.#running) await new Promise((resolve) => setImmediate(resolve));
  }

  async #execute(bytes) {
    this.#beforeUnit();
    const answer = [];
    await this.#database.execProtocolRawStream(bytes, {
      syncToFs: false,
      onRawData: (data) => answer.push(Buffer.from(data)),
    });
    return answer.length === 1 ? answer[0] : Buffer.concat(answer);
  }

  // The session is opened once, and every client gets the same start-up response.
  #firstGreeting() {
    const parameters = Buffer.from("user\0postgres\0database\0postgres\0\0");
    const startup = Buffer.alloc(8 + parameters.length);
    startup.writeInt32BE(startup.length, 0);
    startup.writeInt32BE(196608, 4);
    parameters.copy(startup, 8);
    return this.#execute(startup);
  }

  #welcome(socket) {
    const connection = {
      id: this.#nextId++,
      socket,
      pending: Buffer.alloc(0),
      started: false,
      unit: [],
      isGuest: true,
      /** Messages that prepared its statements, by statement name. */
      names: new Map(),
    };
    this.#session.join(connection);
    this.#connections.add(connection);
    socket.on("data", (data) => this.#receive(connection, data));
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#leave(connection));
  }

  #receive(connection, data) {
    const { frames, rest, broken } = readFrames(connection, data);
    connection.pending = rest;
    if (broken) return connection.socket.destroy();
    for (const frame of frames) {
      if (frame.kind === "ssl") connection.socket.write("N");
      else if (frame.kind === "startup") this.#greet(connection, frame);
      else if (frame.kind === "cancel" || frame.type === TERMINATE) return connection.socket.end();
      else this.#collect(connection, frame);
    }
    void this.#drain();
  }

  #greet(connection, { bytes }) {
    connection.isGuest = applicationName(bytes) !== "gw";
    connection.socket.write(this.#greeting);
  }

  #collect(connection, frame) {
    const renamed = statementNames(frame, `c${connection.id}_`);
    if (renamed.opened !== null) connection.names.set(renamed.opened, renamed.bytes);
    if (renamed.closed !== null) connection.names.delete(renamed.closed);
    connection.unit.push(renamed.bytes);
    if (!ENDS_A_UNIT.has(frame.type)) return;
    const bytes = connection.unit.length === 1 ? connection.unit[0] : Buffer.concat(connection.unit);
    connection.unit = [];
    this.#waiting.push({ connection, flushOnly: frame.type === FLUSH, run: null, bytes });
  }

  async #drain() {
    if (this.#running) return;
    this.#running = true;
    try {
      for (let next = this.#take(); next !== null; next = this.#take()) {
        if (next.connection === null) await next.run();
        else await this.#serve(next);
      }
    } catch (error) {
      this.#onFatal(error);
    } finally {
      this.#running = false;
    }
  }

  #take() {
    if (this.#waiting.length === 0) return null;
    if (this.#owner === null) return this.#waiting.shift();
    const index = this.#waiting.findIndex((unit) => unit.connection === this.#owner);
    return index === -1 ? null : this.#waiting.splice(index, 1)[0];
  }

  async #serve({ connection, bytes, flushOnly }) {
    clearTimeout(this.#ownerTimer);
    this.units += 1;
    if (this.#owner === null) await this.#session.seat(connection);
    const answer = await this.#execute(bytes);
    const keeps = flushOnly || this.#database.isInTransaction();
    this.#owner = keeps ? connection : null;
    if (connection.socket.destroyed) return this.#forget(connection);
    if (keeps) this.#ownerTimer = setTimeout(() => connection.socket.destroy(), this.#idleTransactionMs);
    if (answer.length > 0 && connection.socket.writable) connection.socket.write(answer);
  }

  #leave(connection) {
    this.#connections.delete(connection);
    this.#waiting = this.#waiting.filter((unit) => unit.connection !== connection);
    if (this.#closing) return;
    const farewell = { connection: null, run: () => this.#forget(connection) };
    if (this.#owner === connection) {
      // Clean up the owner's state before the next waiting connection uses the session.
      clearTimeout(this.#ownerTimer);
      this.#owner = null;
      this.#waiting.unshift(farewell);
    } else if (connection.started) {
      this.#waiting.push(farewell);
    }
    void this.#drain();
  }

  async #forget(connection) {
    this.#owner = null;
    // Send a Sync first: a connection that closed in the middle of a unit must not leave the session waiting for its
    // end.
    await this.#execute(SYNC_MESSAGE);
    if (this.#database.isInTransaction()) await this.#execute(simpleQuery("ROLLBACK"));
    await this.#session.leave(connection);
  }
}

function simpleQuery(sql) {
  const text = Buffer.from(`${sql}\0`);
  const head = Buffer.from([QUERY, 0, 0, 0, 0]);
  head.writeInt32BE(text.length + 4, 1);
  return Buffer.concat([head, text]);
}
