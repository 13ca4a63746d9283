import type pg from "pg";

const READ_ONLY = "25006";

/**
 * Cuts pooled connections that do not come back in time. A server that vanishes without a word (a machine that lost its
 * network, a fail-over) never answers, and the operating system waits for it for a quarter of an hour. Whoever waits on
 * such a connection is told that it broke, and the pool replaces it.
 */
export class StaleConnectionReaper {
  /** Of connections that are taken out from now on. */
  patienceMs: number;
  readonly #out = new Map<pg.Client, NodeJS.Timeout>();

  constructor(patienceMs: number) {
    this.patienceMs = patienceMs;
  }

  watch(pool: pg.Pool): void {
    pool.on("acquire", (client) => this.#begin(client as pg.Client));
    pool.on("release", (_problem, client) => this.#end(client as pg.Client));
  }

  /** For what a connection is asked before it is anybody's. */
  async during(client: pg.Client, work: () => Promise<void>): Promise<void> {
    this.#begin(client);
    await work().finally(() => this.#end(client));
  }

  /** Cuts all that are out now. */
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
 * Ends a connection whose server refuses to write. It is that of a demoted server, or it was opened while the database was
 * set to read only: both last for as long as the connection does, while the next one may lead to where writing works.
 */
export function dropReadOnlyConnections(client: pg.Client | pg.PoolClient): void {
  const { connection } = client as pg.Client;
  connection.on("errorMessage", ({ code }: { code?: string }) => {
    if (code === READ_ONLY) connection.stream.destroy();
  });
}
