import { hash } from "node:crypto";

/** A pin that nobody asked for in this time is forgotten. */
export const IDLE_MS = 3_600_000;
/** So many sessions are remembered; the one unused for longest makes room. */
export const MOST_PINS = 20_000;

/** Names that clients give are cut to no less than this. */
const LONGEST_KEPT_NAME = 255;

/** Where a session went last: the lane's route, and the credential it used there. */
export type Pin = { routeId: number; credential: string | null };

/**
 * Which lane each session is on, in this process. Losing it costs a supplier's prompt cache and nothing else, because a
 * session without a pin is placed by a hash that all processes share.
 */
export class SessionPins {
  readonly #pins = new Map<string, { pin: Pin; usedAt: number }>();
  readonly #most: number;

  constructor(most = MOST_PINS) {
    this.#most = most;
  }

  get size(): number {
    return this.#pins.size;
  }

  get(session: string, now: number): Pin | undefined {
    const key = keyOf(session);
    const entry = this.#pins.get(key);
    if (entry === undefined) return undefined;
    this.#pins.delete(key);
    if (now - entry.usedAt > IDLE_MS) return undefined;
    entry.usedAt = now;
    this.#pins.set(key, entry);
    return entry.pin;
  }

  set(session: string, pin: Pin, now: number): void {
    const key = keyOf(session);
    this.#pins.delete(key);
    this.#pins.set(key, { pin, usedAt: now });
    if (this.#pins.size <= this.#most) return;
    // A map keeps the order in which its entries were put in: the first one is the one unused for longest.
    for (const oldest of this.#pins.keys()) {
      this.#pins.delete(oldest);
      return;
    }
  }
}

/** To the engine a text that was cut off is a part of the whole one, and keeps all of that in memory. */
const keyOf = (session: string) => (session.length > LONGEST_KEPT_NAME ? hash("sha256", session, "base64") : session);
