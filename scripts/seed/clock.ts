import type pg from "pg";
import { db, newSqlClient } from "~/db.server";

const SystemDate = globalThis.Date;

/**
 * A clock for a history that is told after the fact: `Date` of this process and `app_now()` of the connections that it knows
 * say what it is set to, and go on from there. The pool must have one connection. Nothing else of the database is touched,
 * so other processes on it keep their own time.
 */
export class Clock {
  #offsetMs = 0;
  readonly #clients = new Set<pg.Client>();

  /** The time that it says, in milliseconds. */
  readonly now = (): number => SystemDate.now() + this.#offsetMs;

  /** Puts itself in the place of `Date`, until `remove`. */
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

  /** A connection of one's own that follows this clock. */
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
