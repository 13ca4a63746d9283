import type { Credential, Supplier } from "~/domain/catalogue/shared";

/** Cool-down in milliseconds of a rejected credential. */
const REFUSED_MS = 60_000;
/** First cool-down in milliseconds of a rate-limited credential without Retry-After; each repetition doubles it. */
const FIRST_LIMITED_MS = 1_000;
/** Maximum of the doubled cool-down in milliseconds. */
const MAX_LIMITED_MS = 5_000;

/**
 * Reason and end of a credential's cool-down; `model` is the upstream name of the only affected model, null for all.
 */
export type Rest = {
  supplierId: number;
  supplier: string;
  credential: string;
  model: string | null;
  until: number;
  reason: "refused" | "limited";
};

/** A credential starts to cool down, or has been accepted again (`restMs` null). */
export type CoolingChange = {
  supplier: Supplier;
  credential: Credential;
  model: string | null;
  reason: Rest["reason"];
  restMs: number | null;
};

/** A rate-limit response. `retryAfterMs` null: it has no Retry-After. */
type Limit = { supplier: Supplier; credential: Credential; model: string; retryAfterMs: number | null };

type State = {
  supplier: Supplier;
  /** After 401, 402 and 403: end of the cool-down by credential. */
  refused: Map<string, number>;
  /** After 429, by credential and model: end of the cool-down, and number of consecutive limits. */
  limited: Map<string, { credential: string; model: string; until: number; inARow: number }>;
};

/**
 * Tracks which credentials cool down, as a pure state machine; the caller passes times in. A cool-down is a preference,
 * not a ban: if all credentials of a supplier cool down, the one that ends first is used. Suppliers with `cooldown:
 * false` never cool down.
 */
export class CredentialCooling {
  readonly #suppliers = new Map<number, State>();
  readonly #tell: (change: CoolingChange) => void;

  /** @param tell is called for each credential that starts to cool down or has been accepted again */
  constructor(tell: (change: CoolingChange) => void = () => undefined) {
    this.#tell = tell;
  }

  /** Records that a supplier rejected the credential itself. */
  refused(supplier: Supplier, credential: Credential, now: number): void {
    if (!supplier.cooldown) return;
    const { refused } = this.#stateOf(supplier);
    const isResting = (refused.get(credential.name) ?? 0) > now;
    refused.set(credential.name, now + REFUSED_MS);
    if (!isResting) this.#tell({ supplier, credential, model: null, reason: "refused", restMs: REFUSED_MS });
  }

  /** Records that a supplier rate-limited the credential for one model. */
  limited({ supplier, credential, model, retryAfterMs }: Limit, now: number): void {
    if (!supplier.cooldown) return;
    const { limited } = this.#stateOf(supplier);
    const key = `${credential.name}\n${model}`;
    const before = limited.get(key);
    const inARow = (before?.inARow ?? 0) + 1;
    const restMs = retryAfterMs ?? Math.min(MAX_LIMITED_MS, FIRST_LIMITED_MS * 2 ** (inARow - 1));
    limited.set(key, { credential: credential.name, model, until: now + restMs, inARow });
    if ((before?.until ?? 0) <= now) this.#tell({ supplier, credential, model, reason: "limited", restMs });
  }

  /** Records that the credential was accepted for a model. */
  accepted(supplier: Supplier, credential: Credential, model: string): void {
    const state = this.#suppliers.get(supplier.id);
    if (state === undefined) return;
    if (state.refused.delete(credential.name))
      this.#tell({ supplier, credential, model: null, reason: "refused", restMs: null });
    if (state.limited.delete(`${credential.name}\n${model}`))
      this.#tell({ supplier, credential, model, reason: "limited", restMs: null });
    if (state.refused.size === 0 && state.limited.size === 0) this.#suppliers.delete(supplier.id);
  }

  /** Returns when a credential of the supplier is available for a model: 0 if one is available now. */
  readyAt(supplier: Supplier, model: string, now: number): number {
    const state = this.#suppliers.get(supplier.id);
    if (state === undefined || !supplier.cooldown || supplier.credentials.length === 0) return 0;
    let soonest = Number.POSITIVE_INFINITY;
    for (const credential of supplier.credentials) soonest = Math.min(soonest, endOfRest(state, credential, model));
    return soonest <= now ? 0 : soonest;
  }

  /** Returns the credentials that do not cool down; the supplier's own array if none does. */
  rested(supplier: Supplier, model: string, now: number): readonly Credential[] {
    const state = this.#suppliers.get(supplier.id);
    if (state === undefined || !supplier.cooldown) return supplier.credentials;
    return supplier.credentials.filter((credential) => endOfRest(state, credential, model) <= now);
  }

  /** Returns the credential whose cool-down ends first; undefined for a supplier without credentials. */
  soonest(supplier: Supplier, model: string): Credential | undefined {
    const state = this.#suppliers.get(supplier.id);
    if (state === undefined) return supplier.credentials[0];
    let best: Credential | undefined;
    for (const credential of supplier.credentials) {
      if (best === undefined || endOfRest(state, credential, model) < endOfRest(state, best, model)) best = credential;
    }
    return best;
  }

  /** Lists the current cool-downs. */
  list(now: number): Rest[] {
    const rests: Rest[] = [];
    for (const { supplier, refused, limited } of this.#suppliers.values()) {
      const of = { supplierId: supplier.id, supplier: supplier.name };
      for (const [credential, until] of refused) {
        if (until > now) rests.push({ ...of, credential, model: null, until, reason: "refused" });
      }
      for (const { credential, model, until } of limited.values()) {
        if (until > now) rests.push({ ...of, credential, model, until, reason: "limited" });
      }
    }
    return rests;
  }

  #stateOf(supplier: Supplier): State {
    let state = this.#suppliers.get(supplier.id);
    if (state === undefined) {
      state = { supplier, refused: new Map(), limited: new Map() };
      this.#suppliers.set(supplier.id, state);
    }
    return state;
  }
}

function endOfRest({ refused, limited }: State, { name }: Credential, model: string): number {
  return Math.max(refused.get(name) ?? 0, limited.get(`${name}\n${model}`)?.until ?? 0);
}
