import type { Credential, Supplier } from "~/domain/catalogue/shared";
import { rendezvous } from "./spread";

type Load = { inFlight: number; lastUsed: number };

/** A session's own credential may have so many times the mean of what is in flight … */
const MAX_OF_MEAN = 1.25;
/** … and this much more, so that a handful of calls does not scatter sessions. */
const SPARE = 2;

const NO_LOAD: Load = Object.freeze({ inFlight: 0, lastUsed: 0 });

/**
 * How many calls each credential of a process has in flight, and when it was used last. Suppliers with one credential
 * are not watched: there is nothing to choose.
 */
export class CredentialLoad {
  readonly #loads = new Map<string, Load>();
  #uses = 0;

  /** A call leaves with a credential. Every `begin` is followed by one `end`. */
  begin({ id, credentials }: Supplier, { name }: Credential): void {
    if (credentials.length < 2) return;
    this.#uses += 1;
    const load = this.#loads.get(keyOf(id, name));
    if (load === undefined) this.#loads.set(keyOf(id, name), { inFlight: 1, lastUsed: this.#uses });
    else {
      load.inFlight += 1;
      load.lastUsed = this.#uses;
    }
  }

  /** The call is over, its stream included. */
  end({ id, credentials }: Supplier, { name }: Credential): void {
    if (credentials.length < 2) return;
    const load = this.#loads.get(keyOf(id, name));
    if (load !== undefined && load.inFlight > 0) load.inFlight -= 1;
  }

  inFlight(supplierId: number, name: string): number {
    return this.#of(supplierId, name).inFlight;
  }

  /** The credential with the least in flight, of equals the one that was used longest ago. @param among not empty */
  leastLoaded(supplierId: number, among: readonly Credential[]): Credential {
    let best = among[0]!;
    for (const credential of among) {
      const [one, other] = [this.#of(supplierId, credential.name), this.#of(supplierId, best.name)];
      if (one.inFlight < other.inFlight || (one.inFlight === other.inFlight && one.lastUsed < other.lastUsed))
        best = credential;
    }
    return best;
  }

  /**
   * A new session's credential: by hash, the same in every process, unless that one has clearly more in flight than the
   * others. @param among not empty
   */
  forSession(session: string, supplierId: number, among: readonly Credential[]): Credential {
    const own = rendezvous(session, among, { identify: ({ name }) => name })!;
    const total = among.reduce((sum, { name }) => sum + this.#of(supplierId, name).inFlight, 0);
    const most = (total / among.length) * MAX_OF_MEAN + SPARE;
    return this.#of(supplierId, own.name).inFlight < most ? own : this.leastLoaded(supplierId, among);
  }

  #of(supplierId: number, name: string): Load {
    return this.#loads.get(keyOf(supplierId, name)) ?? NO_LOAD;
  }
}

const keyOf = (supplierId: number, name: string) => `${supplierId}\n${name}`;
