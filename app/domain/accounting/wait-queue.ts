import type { BudgetScope, HoldRequest, Parties } from "./shared";

/** What a call can be short of while others hold it. */
export type BusyScope = BudgetScope | "wallet";

/** One scope of one installation, such as `key:12`. */
export type ScopeKey = `${BusyScope}:${number}`;

export function scopeKey(
  scope: BusyScope,
  { keyId, userId, departmentId, projectId, organisationId, walletId }: Parties,
): ScopeKey {
  const ids = {
    key: keyId,
    user: userId,
    department: departmentId,
    project: projectId,
    organisation: organisationId,
    wallet: walletId,
  };
  return `${scope}:${ids[scope] ?? 0}`;
}

export type Waiter = {
  request: HoldRequest;
  /** Where it waits; null while it has not been refused for lack of free money. */
  waitsFor: ScopeKey | null;
  /** On its way in a batch or in the queue for one. */
  trying: boolean;
};

/**
 * Calls that would fit if money held by calls in flight came back, in order of arrival per scope. Only the scope that a
 * call is short of delays it: calls of other scopes never stand behind it.
 */
export class WaitQueue<W extends Waiter> {
  readonly #queues = new Map<ScopeKey, Set<W>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Lets a call wait. One that waits for the same scope already keeps its place. */
  enter(waiter: W, scope: ScopeKey): void {
    waiter.trying = false;
    if (waiter.waitsFor === scope) return;
    this.leave(waiter);
    const queue = this.#queues.get(scope) ?? new Set();
    this.#queues.set(scope, queue.add(waiter));
    waiter.waitsFor = scope;
    this.#size += 1;
  }

  leave(waiter: W): void {
    if (waiter.waitsFor === null) return;
    const queue = this.#queues.get(waiter.waitsFor);
    if (queue?.delete(waiter)) this.#size -= 1;
    if (queue?.size === 0) this.#queues.delete(waiter.waitsFor);
    waiter.waitsFor = null;
  }

  /** The first of those that wait for a scope and are not trying already. They are marked as trying. */
  wake(scope: ScopeKey, most: number): W[] {
    const woken: W[] = [];
    for (const waiter of this.#queues.get(scope) ?? []) {
      if (woken.length >= most) break;
      if (waiter.trying) continue;
      waiter.trying = true;
      woken.push(waiter);
    }
    return woken;
  }

  *all(): Generator<W> {
    for (const queue of this.#queues.values()) yield* queue;
  }

  scopes(): ScopeKey[] {
    return [...this.#queues.keys()];
  }
}
