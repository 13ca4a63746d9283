// Own code on purpose: three numbers by which routes are ordered, with the time as an argument.

/** How long it takes until an observation counts half. */
export const HALF_LIFE_MS = 60_000;

/** A mean in which older observations count less: half after each half-life. Three numbers, however many observations. */
export class DecayedMean {
  #weight = 0;
  #sum = 0;
  #at = 0;

  add(value: number, now: number): void {
    const kept = this.#kept(now);
    this.#weight = this.#weight * kept + 1;
    this.#sum = this.#sum * kept + value;
    this.#at = Math.max(this.#at, now);
  }

  /** How many fresh observations the past ones are worth. */
  weight(now: number): number {
    return this.#weight * this.#kept(now);
  }

  /** The mean, drawn towards `expected` as if that had been observed `strength` times just now. */
  mean(now: number, expected: number, strength: number): number {
    const kept = this.#kept(now);
    return (this.#sum * kept + expected * strength) / (this.#weight * kept + strength);
  }

  /** The mean of what was observed; null when nothing was, or so long ago that it says nothing. */
  observed(now: number): number | null {
    return this.weight(now) < MIN_WEIGHT ? null : this.#sum / this.#weight;
  }

  #kept(now: number): number {
    return now <= this.#at ? 1 : 2 ** ((this.#at - now) / HALF_LIFE_MS);
  }
}

/** One observation of five minutes ago. */
const MIN_WEIGHT = 2 ** -5;
