/** After so many entries, or as many as there are if those are more, a new table is begun. */
const RENEW_AFTER = 1024;

/**
 * What is in flight, by id: many entries come and go, few are there at a time. A `Map` that is begun anew now and then, because the
 * tables that it leaves behind as it turns over point to their successors: one that has grown old keeps later entries alive until a
 * full garbage collection. (The keys of a plain dictionary are worse: each goes through the engine's table of all names.)
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
