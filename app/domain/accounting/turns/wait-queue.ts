import type { BudgetScope, HoldRequest, Parties } from "../shared";

/** Scopes whose money a call can wait for while other calls hold it. */
export type BusyScope = BudgetScope | "wallet";

/** Kind and id of a scope, such as `key:12`. */
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
  /** The scope whose money the call waits for; null: it has not been refused for lack of free money. */
  waitsFor: ScopeKey | null;
  /** The call is in a batch or queued for one. */
  trying: boolean;
};

/**
 * Calls that would fit once calls in flight release money, in order of arrival per scope. A call waits only in the queue of the
 * scope that lacks money, so it never delays calls of other scopes.
 */
export class WaitQueue<W extends Waiter> {
  readonly #queues = new Map<ScopeKey, Set<W>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Queues a call. A call that already waits for the same scope keeps its position. */
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

  /** Returns the first calls that wait for a scope and are not being tried, and marks them as being tried. */
  wake(scope: ScopeKey, max: number): W[] {
    const woken: W[] = [];
    for (const waiter of this.#queues.get(scope) ?? []) {
      if (woken.length >= max) break;
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
