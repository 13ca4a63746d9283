import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";

/** A pin that nobody asked for in this time is forgotten. */
export const IDLE_MS = 3_600_000;
/** So many sessions are remembered; the one unused for longest makes room. */
const MAX_PINS = 20_000;

/** Names that clients give are cut to no less than this. */
const MAX_KEPT_NAME_LENGTH = 255;

/** Where a session went last: the route, and the credential it used there. */
export type Pin = { routeId: number; credential: string | null };

/**
 * Which route each session is on, in this process. Losing it costs a supplier's prompt cache and nothing else, because a
 * session without a pin is placed by a hash that all processes share.
 */
export class SessionPins {
  readonly #pins: LRUCache<string, { pin: Pin; usedAt: number }>;

  constructor(most = MAX_PINS) {
    this.#pins = new LRUCache({ max: most });
  }

  get size(): number {
    return this.#pins.size;
  }

  get(session: string, now: number): Pin | undefined {
    const key = keyOf(session);
    const entry = this.#pins.get(key);
    if (entry === undefined) return undefined;
    if (now - entry.usedAt > IDLE_MS) {
      this.#pins.delete(key);
      return undefined;
    }
    entry.usedAt = now;
    return entry.pin;
  }

  set(session: string, pin: Pin, now: number): void {
    this.#pins.set(keyOf(session), { pin, usedAt: now });
  }
}

/** To the engine a text that was cut off is a part of the whole one, and keeps all of that in memory. */
const keyOf = (session: string) =>
  session.length > MAX_KEPT_NAME_LENGTH ? hash("sha256", session, "base64") : session;
