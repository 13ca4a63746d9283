/**
 * A map that keeps about the `bound` entries that were used last. Two generations instead of a list of uses: a reading
 * costs one look-up, and what nobody asks for while a generation fills is dropped as a whole.
 */
export class RecentMap<Value> {
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();
  readonly #half: number;

  constructor(bound: number) {
    this.#half = Math.max(1, Math.floor(bound / 2));
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(key: string): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) {
      this.#old.delete(key);
      this.set(key, old);
    }
    return old;
  }

  set(key: string, value: Value): void {
    this.#old.delete(key);
    this.#young.set(key, value);
    if (this.#young.size < this.#half) return;
    this.#old = this.#young;
    this.#young = new Map();
  }

  delete(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  /** Removes what `matches` says. Looks at every entry. */
  deleteWhere(matches: (value: Value) => boolean): void {
    for (const generation of [this.#young, this.#old]) {
      for (const [key, value] of generation) if (matches(value)) generation.delete(key);
    }
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }
}
