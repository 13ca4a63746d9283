import { LRUCache } from "lru-cache";
import type { KnownSecret } from "../policy";

/** Maximum cached keys per process; further keys cost look-ups, not memory. */
const KNOWN_BOUND = 20_000;
const UNKNOWN_BOUND = 10_000;
/** Time in milliseconds for which an unknown secret is rejected without another look-up. */
const UNKNOWN_FOR_MS = 5_000;

type Kept = { secret: KnownSecret; readAtMs: number };

/**
 * Caches the stored data of recently used secrets, by the digest of the secret: the secrets themselves are not kept in
 * memory. The caller passes the maximum age of an entry.
 */
export class SecretCache {
  readonly #known: LRUCache<string, Kept>;
  readonly #unknown: LRUCache<string, number>;
  readonly #readings = new Map<string, Promise<KnownSecret | null>>();

  constructor({ known = KNOWN_BOUND, unknown = UNKNOWN_BOUND } = {}) {
    this.#known = new LRUCache({ max: known });
    this.#unknown = new LRUCache({ max: unknown });
  }

  /** Returns the entry; null when the secret is known not to exist; undefined when the database must be read. */
  get(digest: string, nowMs: number, freshForMs: number): KnownSecret | null | undefined {
    const cached = this.#known.get(digest);
    if (cached !== undefined) return nowMs - cached.readAtMs < freshForMs ? cached.secret : undefined;
    const missedAtMs = this.#unknown.get(digest);
    if (missedAtMs === undefined) return undefined;
    return nowMs - missedAtMs < Math.min(UNKNOWN_FOR_MS, freshForMs) ? null : undefined;
  }

  /**
   * Reads the database through `read`, once for all concurrent callers with the same secret. The result of a read that
   * was in flight during an eviction is returned to its callers but not cached, because it may be older than the
   * change.
   */
  read(digest: string, nowMs: number, read: () => Promise<KnownSecret | null>): Promise<KnownSecret | null> {
    const inFlight = this.#readings.get(digest);
    if (inFlight !== undefined) return inFlight;
    const reading = read().then(
      (secret) => {
        if (this.#finish(digest, reading)) this.#keep(digest, secret, nowMs);
        return secret;
      },
      (error: unknown) => {
        this.#finish(digest, reading);
        throw error;
      },
    );
    this.#readings.set(digest, reading);
    return reading;
  }

  /** Evicts the entries that `matches` selects, or all. Reads in flight and unknown secrets are always evicted. */
  evict(matches?: (secret: KnownSecret) => boolean): void {
    this.#readings.clear();
    this.#unknown.clear();
    if (matches === undefined) {
      this.#known.clear();
      return;
    }
    for (const [digest, { secret }] of this.#known.entries()) if (matches(secret)) this.#known.delete(digest);
  }

  /** Returns false when a change has overtaken the read. */
  #finish(digest: string, reading: Promise<KnownSecret | null>): boolean {
    if (this.#readings.get(digest) !== reading) return false;
    this.#readings.delete(digest);
    return true;
  }

  // The age counts from the start of the read, not from its result.
  #keep(digest: string, secret: KnownSecret | null, readAtMs: number): void {
    if (secret === null) {
      this.#known.delete(digest);
      this.#unknown.set(digest, readAtMs);
    } else {
      this.#known.set(digest, { secret, readAtMs });
    }
  }
}
