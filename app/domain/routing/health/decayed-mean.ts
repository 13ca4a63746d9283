// Own code on purpose: three numbers that order the routes, with the time as an argument.

/** Time in milliseconds after which an observation counts half. */
export const HALF_LIFE_MS = 60_000;

/**
 * A mean with exponential decay: the weight of an observation halves with each half-life. Needs three numbers,
 * independent of the number of observations.
 */
export class DecayedMean {
  #weight = 0;
  #sum = 0;
  #at = 0;

  add(value: number, now: number): void {
    const share = this.#kept(now);
    this.#weight = this.#weight * share + 1;
    this.#sum = this.#sum * share + value;
    this.#at = Math.max(this.#at, now);
  }

  /** Returns the weight of all past observations, in units of fresh ones. */
  weight(now: number): number {
    return this.#weight * this.#kept(now);
  }

  /** Returns the mean, smoothed as if `expected` had been observed `strength` times just now. */
  mean(now: number, expected: number, strength: number): number {
    const share = this.#kept(now);
    return (this.#sum * share + expected * strength) / (this.#weight * share + strength);
  }

  /** Returns the mean of the observations; null if there are none, or only outdated ones. */
  observed(now: number): number | null {
    return this.weight(now) < MIN_WEIGHT ? null : this.#sum / this.#weight;
  }

  #kept(now: number): number {
    return now <= this.#at ? 1 : 2 ** ((this.#at - now) / HALF_LIFE_MS);
  }
}

/** The weight of one observation after five minutes. */
const MIN_WEIGHT = 2 ** -5;
