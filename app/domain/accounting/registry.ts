/** Minimum number of additions after which the map is replaced. */
const RENEW_AFTER = 1024;

/**
 * Entries in flight by id: many are added and deleted, few exist at a time. The `Map` is replaced now and then, because V8's old
 * hash tables point to their successors: one in the old generation keeps later entries alive until a full garbage collection. (A
 * plain object is worse: each key goes through the engine's string table.)
 */
export class Registry<Entry> {
  #entries = new Map<string, Entry>();
  #added = 0;

  get size(): number {
    return this.#entries.size;
  }

  get(id: string): Entry | undefined {
    return this.#entries.get(id);
  }

  set(id: string, entry: Entry): void {
    this.#added += 1;
    if (this.#added > Math.max(RENEW_AFTER, this.#entries.size)) {
      this.#added = 0;
      this.#entries = new Map(this.#entries);
    }
    this.#entries.set(id, entry);
  }

  delete(id: string): void {
    this.#entries.delete(id);
  }

  all(): [string, Entry][] {
    return [...this.#entries];
  }
}
