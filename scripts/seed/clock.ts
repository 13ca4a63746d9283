import type pg from "pg";
import { db, newSqlClient } from "~/connection/db.server";

const SystemDate = globalThis.Date;

/**
 * A clock for a simulated history: `Date` in this process and `app_now()` on its registered connections return the set
 * time, and continue from there. The pool must have one connection. Other processes on the database keep their own
 * time.
 */
export class Clock {
  #offsetMs = 0;
  readonly #clients = new Set<pg.Client>();

  /** The current time of this clock, in milliseconds. */
  readonly now = (): number => SystemDate.now() + this.#offsetMs;

  /** Replaces `Date`, until `remove`. */
  install(): void {
    const now = this.now;
    globalThis.Date = new Proxy(SystemDate, {
      construct: (date, values) => (values.length === 0 ? new date(now()) : Reflect.construct(date, values)),
      get: (date, name) => (name === "now" ? now : Reflect.get(date, name)),
    });
  }

  async remove(): Promise<void> {
    await this.set(SystemDate.now());
    this.#offsetMs = 0;
    globalThis.Date = SystemDate;
  }

  async set(atMs: number): Promise<void> {
    this.#offsetMs = Math.min(0, Math.round(atMs - SystemDate.now()));
    await db().$queryRaw`SELECT set_config('gw.clock_offset', ${this.#setting}, false)`;
    for (const client of this.#clients) await this.#tell(client);
  }

  /** Opens a separate connection that follows this clock. */
  readonly connect = async (): Promise<pg.Client> => {
    const client = await newSqlClient();
    client.on("end", () => this.#clients.delete(client));
    await this.#tell(client);
    this.#clients.add(client);
    return client;
  };

  get #setting(): string {
    return `${this.#offsetMs} milliseconds`;
  }

  async #tell(client: pg.Client): Promise<void> {
    await client.query("SELECT set_config('gw.clock_offset', $1, false)", [this.#setting]);
  }
}
