import { performance } from "node:perf_hooks";
import type pg from "pg";
import { log } from "~/observe/log.server";
import { OneTextQuery, type SqlValue } from "./one-text-query";
import { CUT_OFF, LinkLost, problemOf, type SqlProblem } from "./sql-problem";

export type LinkOptions = {
  /** Names the link in logs and its prepared statements. */
  label: string;
  /** Opens a connection for exclusive use. */
  connect: () => Promise<pg.Client>;
  /** Sent first on every new connection. */
  setup?: readonly string[];
  /** Time-out of connecting; default 1.5 seconds. */
  connectWithinMs?: number;
};

const FIRST_PAUSE_MS = 20;
const MAX_PAUSE_MS = 500;
const CONNECT_WITHIN_MS = 1_500;
let statements = 0;

/**
 * One exclusive connection to the database, replaced whenever it breaks. Statements are sent one at a time with callbacks,
 * because a promise each would cost more than the statement. A statement without an answer in time counts as lost, and its
 * connection is replaced.
 */
export class SqlLink {
  readonly #options: LinkOptions;
  #client: pg.Client | null = null;
  #connecting: Promise<void> | null = null;
  #closed = true;
  /** Names of prepared statements, new for each connection. Unique in the process: connections of the embedded database share a session. */
  #names = new Map<string, string>();
  readonly #upListeners = new Set<() => void>();
  readonly #downListeners = new Set<() => void>();
  #lastAnswer: Promise<unknown> = Promise.resolve();
  /** When the connection was lost or first wanted (performance.now()); null while it is up. */
  downSinceMs: number | null = null;
  /** When a statement was last answered (performance.now()); errors about conflicts or values count as answers. */
  answeredMs = Number.NEGATIVE_INFINITY;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  get isUp(): boolean {
    return this.#client !== null;
  }

  /** Calls `listener` whenever a connection has been made. */
  onUp(listener: () => void): void {
    this.#upListeners.add(listener);
  }

  /** Calls `listener` whenever the connection has been lost. */
  onDown(listener: () => void): void {
    this.#downListeners.add(listener);
  }

  /** Connects, and reconnects until `close`. Resolves with the first connection. */
  open(): Promise<void> {
    this.#closed = false;
    this.downSinceMs ??= performance.now();
    this.#connecting ??= this.#connect();
    return this.#connecting;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const client = this.#client;
    this.#client = null;
    if (client === null) return;
    await Promise.race([client.end().catch(() => undefined), pause(500)]);
    client.connection.stream.destroy();
  }

  /** Sends one statement that returns one text. Calls `done` exactly once. */
  send(
    text: string,
    values: readonly SqlValue[],
    timeoutMs: number,
    done: (problem: SqlProblem | null, answer: string) => void,
  ): void {
    const client = this.#client;
    if (client === null) {
      done({ kind: "lost", cause: new LinkLost("not connected") }, "");
      return;
    }
    let open = true;
    const finish = (problem: SqlProblem | null, answer: string) => {
      if (!open) return;
      open = false;
      clearTimeout(timer);
      if (problem?.kind === "lost") this.#lose(client);
      else if (problem?.kind !== "away" || problem.sqlState === CUT_OFF) this.answeredMs = performance.now();
      done(problem, answer);
    };
    const late = () => finish({ kind: "lost", cause: new LinkLost("no answer in time") }, "");
    // An answer that arrived while this process was busy or suspended is read before the statement counts as lost.
    const timer = setTimeout(() => setImmediate(late), timeoutMs);
    client.query(
      new OneTextQuery({ name: this.#nameOf(text), text }, values, (failure, answer) =>
        finish(failure === null ? null : problemOf(failure), answer),
      ),
    );
  }

  /**
   * `send` as a promise, one statement after the other. Rejects with the error's cause. Waits for the connection within the same
   * time-out. A link uses either `ask` or `send`.
   */
  ask(text: string, values: readonly SqlValue[], timeoutMs: number): Promise<string> {
    const answer = this.#lastAnswer.then(() => this.#ask(text, values, timeoutMs));
    this.#lastAnswer = answer.catch(() => undefined);
    return answer;
  }

  async #ask(text: string, values: readonly SqlValue[], timeoutMs: number): Promise<string> {
    if (!this.isUp) await Promise.race([this.#connecting, pause(timeoutMs)]);
    return new Promise((resolve, reject) => {
      this.send(text, values, timeoutMs, (problem, answer) => (problem ? reject(problem.cause) : resolve(answer)));
    });
  }

  #nameOf(text: string): string {
    let name = this.#names.get(text);
    if (name === undefined) {
      name = `${this.#options.label}_${process.pid}_${statements++}`;
      this.#names.set(text, name);
    }
    return name;
  }

  #lose(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    this.downSinceMs = performance.now();
    client.connection.stream.destroy();
    if (!this.#closed) this.#connecting = this.#connect();
    for (const listener of this.#downListeners) listener();
  }

  async #connect(): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; !this.#closed; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
      try {
        const client = await this.#connectOnce();
        if (this.#closed) return void (await client.end());
        this.#names = new Map();
        this.#client = client;
        this.#connecting = null;
        this.downSinceMs = null;
        for (const listener of this.#upListeners) listener();
        return;
      } catch (error) {
        log.warn({ err: error, link: this.#options.label }, "accounting cannot reach the database");
        await pause(pauseMs * (0.75 + Math.random() / 2));
      }
    }
    this.#connecting = null;
  }

  async #connectOnce(): Promise<pg.Client> {
    const connecting = this.#options.connect();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const tooLate = () => reject(new LinkLost("no connection in time"));
      timer = setTimeout(() => setImmediate(tooLate), this.#options.connectWithinMs ?? CONNECT_WITHIN_MS);
    });
    try {
      const client = await Promise.race([connecting, late]);
      client.on("error", () => this.#lose(client));
      client.on("end", () => this.#lose(client));
      for (const statement of this.#options.setup ?? []) await Promise.race([client.query(statement), late]);
      return client;
    } catch (error) {
      // A connection that opens after the time-out is not used.
      connecting.then((client) => client.connection.stream.destroy()).catch(() => undefined);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
