import { LRUCache } from "lru-cache";
import type { KnownSecret } from "./policy";

/** Keys in use at one time by one process; more of them cost look-ups, not memory. */
const KNOWN_BOUND = 20_000;
const UNKNOWN_BOUND = 10_000;
/** How long a secret that does not exist is refused without another look. */
const UNKNOWN_FOR_MS = 5_000;

type Kept = { secret: KnownSecret; readAtMs: number };

/**
 * What the database said about the secrets that were presented lately, by the digest of the secret: the secrets
 * themselves do not stay in memory. The caller says how long an entry may be believed.
 */
export class SecretCache {
  readonly #known: LRUCache<string, Kept>;
  readonly #unknown: LRUCache<string, number>;
  readonly #readings = new Map<string, Promise<KnownSecret | null>>();

  constructor({ known = KNOWN_BOUND, unknown = UNKNOWN_BOUND } = {}) {
    this.#known = new LRUCache({ max: known });
    this.#unknown = new LRUCache({ max: unknown });
  }

  /** The entry, null when the secret is known not to exist, undefined when the database has to be asked. */
  get(digest: string, nowMs: number, freshForMs: number): KnownSecret | null | undefined {
    const kept = this.#known.get(digest);
    if (kept !== undefined) return nowMs - kept.readAtMs < freshForMs ? kept.secret : undefined;
    const missedAtMs = this.#unknown.get(digest);
    if (missedAtMs === undefined) return undefined;
    return nowMs - missedAtMs < Math.min(UNKNOWN_FOR_MS, freshForMs) ? null : undefined;
  }

  /**
   * Asks the database by `read`, once for all who wait for the same secret. An answer that was on its way when something
   * was forgotten goes to those who had asked before, and is not kept: it may be older than the change.
   */
  read(digest: string, nowMs: number, read: () => Promise<KnownSecret | null>): Promise<KnownSecret | null> {
    const inFlight = this.#readings.get(digest);
    if (inFlight !== undefined) return inFlight;
    const reading = read().then(
      (secret) => {
        if (this.#finish(digest, reading)) this.#keep(digest, secret, nowMs);
        return secret;
      },
      (problem: unknown) => {
        this.#finish(digest, reading);
        throw problem;
      },
    );
    this.#readings.set(digest, reading);
    return reading;
  }

  /** Drops what `matches` says, or everything; what is being read and what was not found is dropped in any case. */
  evict(matches?: (secret: KnownSecret) => boolean): void {
    this.#readings.clear();
    this.#unknown.clear();
    if (matches === undefined) {
      this.#known.clear();
      return;
    }
    for (const [digest, { secret }] of this.#known.entries()) if (matches(secret)) this.#known.delete(digest);
  }

  /** False when the reading was overtaken by a change. */
  #finish(digest: string, reading: Promise<KnownSecret | null>): boolean {
    if (this.#readings.get(digest) !== reading) return false;
    this.#readings.delete(digest);
    return true;
  }

  // The age counts from the moment of asking, not of the answer.
  #keep(digest: string, secret: KnownSecret | null, readAtMs: number): void {
    if (secret === null) {
      this.#known.delete(digest);
      this.#unknown.set(digest, readAtMs);
    } else {
      this.#known.set(digest, { secret, readAtMs });
    }
  }
}
