import type { Credential, Supplier } from "~/domain/catalogue/shared";

/** A refused credential rests this long. */
const REFUSED_MS = 60_000;
/** A limited one without Retry-After rests this long, twice as long each time in a row … */
const FIRST_LIMITED_MS = 1_000;
/** … up to this. */
const MAX_LIMITED_MS = 5_000;

/** Why and until when a credential rests; `model` is the supplier's name of the only model concerned, null for all. */
export type Rest = {
  supplierId: number;
  supplier: string;
  credential: string;
  model: string | null;
  until: number;
  reason: "refused" | "limited";
};

/** A credential has begun to rest, or is trusted again. `restMs` null: it is. */
export type CoolingChange = {
  supplier: Supplier;
  credential: Credential;
  model: string | null;
  reason: Rest["reason"];
  restMs: number | null;
};

/** An answer that says: not so many. `retryAfterMs` null: it does not say when again. */
type Limit = { supplier: Supplier; credential: Credential; model: string; retryAfterMs: number | null };

type State = {
  supplier: Supplier;
  /** After 401, 402 and 403, by credential. */
  refused: Map<string, number>;
  /** After 429, by credential and model: until when, and how many in a row. */
  limited: Map<string, { credential: string; model: string; until: number; inARow: number }>;
};

/**
 * Which credentials rest, as a pure state machine over times passed in. Resting is a preference and never a ban: when
 * every credential of a supplier rests, the one whose rest ends first is used. Supplier rows with `cooldown: false`
 * never rest.
 */
export class CredentialCooling {
  readonly #suppliers = new Map<number, State>();
  readonly #tell: (change: CoolingChange) => void;

  /** @param tell hears of every credential that begins to rest, and of every one that has been accepted again */
  constructor(tell: (change: CoolingChange) => void = () => undefined) {
    this.#tell = tell;
  }

  /** A supplier refused the credential itself. */
  refused(supplier: Supplier, credential: Credential, now: number): void {
    if (!supplier.cooldown) return;
    const { refused } = this.#stateOf(supplier);
    const isResting = (refused.get(credential.name) ?? 0) > now;
    refused.set(credential.name, now + REFUSED_MS);
    if (!isResting) this.#tell({ supplier, credential, model: null, reason: "refused", restMs: REFUSED_MS });
  }

  /** A supplier has had enough of the credential's requests for one model. */
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

  /** The credential has been accepted for a model. */
  accepted(supplier: Supplier, credential: Credential, model: string): void {
    const state = this.#suppliers.get(supplier.id);
    if (state === undefined) return;
    if (state.refused.delete(credential.name))
      this.#tell({ supplier, credential, model: null, reason: "refused", restMs: null });
    if (state.limited.delete(`${credential.name}\n${model}`))
      this.#tell({ supplier, credential, model, reason: "limited", restMs: null });
    if (state.refused.size === 0 && state.limited.size === 0) this.#suppliers.delete(supplier.id);
  }

  /** When some credential of the supplier may be used for a model: 0 when one may be now. */
  readyAt(supplier: Supplier, model: string, now: number): number {
    const state = this.#suppliers.get(supplier.id);
    if (state === undefined || !supplier.cooldown || supplier.credentials.length === 0) return 0;
    let soonest = Number.POSITIVE_INFINITY;
    for (const credential of supplier.credentials) soonest = Math.min(soonest, endOfRest(state, credential, model));
    return soonest <= now ? 0 : soonest;
  }

  /** The credentials that do not rest. The supplier's own list, and nothing new, when none of them does. */
  rested(supplier: Supplier, model: string, now: number): readonly Credential[] {
    const state = this.#suppliers.get(supplier.id);
    if (state === undefined || !supplier.cooldown) return supplier.credentials;
    return supplier.credentials.filter((credential) => endOfRest(state, credential, model) <= now);
  }

  /** The credential whose rest ends first; undefined for a supplier without credentials. */
  soonest(supplier: Supplier, model: string): Credential | undefined {
    const state = this.#suppliers.get(supplier.id);
    if (state === undefined) return supplier.credentials[0];
    let best: Credential | undefined;
    for (const credential of supplier.credentials) {
      if (best === undefined || endOfRest(state, credential, model) < endOfRest(state, best, model)) best = credential;
    }
    return best;
  }

  /** Everything that rests now. */
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
