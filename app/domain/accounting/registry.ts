/**
 * What is in flight, by id: many entries come and go, few are there at a time. A plain dictionary, because the tables
 * that a `Map` leaves behind as it turns over point to their successors: one that has grown old keeps later entries
 * alive until a full garbage collection.
 */
export class Registry<Entry> {
  readonly #entries: Record<string, Entry | undefined> = Object.create(null);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(id: string): Entry | undefined {
    return this.#entries[id];
  }

  set(id: string, entry: Entry): void {
    if (this.#entries[id] === undefined) this.#size += 1;
    this.#entries[id] = entry;
  }

  delete(id: string): void {
    if (this.#entries[id] === undefined) return;
    this.#size -= 1;
    delete this.#entries[id];
  }

  all(): [string, Entry][] {
    return Object.entries(this.#entries) as [string, Entry][];
  }
}
