import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";

/** Lifetime of an unused pin in milliseconds. */
export const IDLE_MS = 3_600_000;
/** Maximum number of pins; the least recently used one is evicted. */
const MAX_PINS = 20_000;

/** Maximum length of session names that are stored in full; longer ones are hashed. */
const MAX_KEPT_NAME_LENGTH = 255;

/** The last route of a session, and its credential there. */
export type Pin = { routeId: number; credential: string | null };

/**
 * The route of each session, in this process. A lost pin costs only a supplier's prompt cache, because a session
 * without a pin is placed by a hash that all processes share.
 */
export class SessionPins {
  readonly #pins: LRUCache<string, { pin: Pin; usedAt: number }>;

  constructor(capacity = MAX_PINS) {
    this.#pins = new LRUCache({ max: capacity });
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

/** Hashed, not truncated: V8 implements a substring as a slice that retains the whole string. */
const keyOf = (session: string) =>
  session.length > MAX_KEPT_NAME_LENGTH ? hash("sha256", session, "base64") : session;
