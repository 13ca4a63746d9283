/** Pseudo-random numbers, equal for equal seeds (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0, below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** An integer, both ends included. */
  between(minimum: number, maximum: number): number {
    return minimum + Math.floor(this.next() * (maximum - minimum + 1));
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.next() * items.length)] as T;
  }

  /** One of the items, with a probability in proportion to its weight. */
  weighted<T>(items: readonly (readonly [T, number])[]): T {
    let remaining = this.next() * items.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [item, weight] of items) {
      remaining -= weight;
      if (remaining < 0) return item;
    }
    return items[items.length - 1]![0];
  }

  /** A count that is `mean` on average; its fraction is a probability. */
  count(mean: number): number {
    const spread = mean * (0.6 + this.next() * 0.8);
    return Math.floor(spread) + (this.next() < spread % 1 ? 1 : 0);
  }

  /** A value around `median`, rarely far above it, like prompt sizes and latencies. */
  around(median: number, spread = 0.7): number {
    const normal = this.next() + this.next() + this.next() + this.next() - 2;
    return Math.max(1, Math.round(median * Math.exp(normal * 1.7 * spread)));
  }

  /** A version 7 UUID with this time. */
  callId(atMs: number): string {
    const time = Math.floor(atMs).toString(16).padStart(12, "0");
    const hex = (digits: number) =>
      Array.from({ length: digits }, () => Math.floor(this.next() * 16).toString(16)).join("");
    const variant = (8 + Math.floor(this.next() * 4)).toString(16);
    return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-${variant}${hex(3)}-${hex(12)}`;
  }
}
