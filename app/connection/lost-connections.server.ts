import type pg from "pg";

const READ_ONLY = "25006";

/**
 * Closes pooled connections that are not returned in time. A server that disappears (a lost network, a fail-over) never
 * responds, and the operating system waits 15 minutes for it. Work on such a connection gets a connection error, and
 * the pool replaces the connection.
 */
export class StaleConnectionReaper {
  /** Time limit of connections that are checked out from now on. */
  patienceMs: number;
  readonly #out = new Map<pg.Client, NodeJS.Timeout>();

  constructor(patienceMs: number) {
    this.patienceMs = patienceMs;
  }

  watch(pool: pg.Pool): void {
    pool.on("acquire", (client) => this.#begin(client as pg.Client));
    pool.on("release", (_problem, client) => this.#end(client as pg.Client));
  }

  /** Applies the time limit to statements on a connection that is not checked out yet. */
  async during(client: pg.Client, work: () => Promise<void>): Promise<void> {
    this.#begin(client);
    await work().finally(() => this.#end(client));
  }

  /** Closes all connections that are checked out. */
  all(): void {
    for (const client of this.#out.keys()) client.connection.stream.destroy();
  }

  #begin(client: pg.Client): void {
    this.#out.set(
      client,
      setTimeout(() => client.connection.stream.destroy(), this.patienceMs),
    );
  }

  #end(client: pg.Client): void {
    clearTimeout(this.#out.get(client));
    this.#out.delete(client);
  }
}

/**
 * Closes a connection whose server rejects writes: it is of a demoted server, or was opened while the database was set
 * to read-only. Both states last until the connection closes, while a new connection may allow writes.
 */
export function dropReadOnlyConnections(client: pg.Client | pg.PoolClient): void {
  const { connection } = client as pg.Client;
  connection.on("errorMessage", ({ code }: { code?: string }) => {
    if (code === READ_ONLY) connection.stream.destroy();
  });
}
