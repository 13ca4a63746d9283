import type { Credential, Supplier } from "~/domain/catalogue/shared";
import { rendezvous } from "../spread";

type Load = { inFlight: number; lastUsed: number };

/** Maximum load of a session's own credential, as a multiple of the mean of calls in flight. */
const MAX_OF_MEAN = 1.25;
/** Number of calls added to that maximum, so that a handful of calls does not move sessions. */
const SPARE = 2;

const NO_LOAD: Load = Object.freeze({ inFlight: 0, lastUsed: 0 });

/**
 * The number of calls in flight and the last use of each credential, in this process. Suppliers with a single
 * credential are not tracked.
 */
export class CredentialLoad {
  readonly #loads = new Map<string, Load>();
  #uses = 0;

  /** Starts a call with a credential. Each `begin` needs one `end`. */
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

  /** Ends a call, including its stream. */
  end({ id, credentials }: Supplier, { name }: Credential): void {
    if (credentials.length < 2) return;
    const load = this.#loads.get(keyOf(id, name));
    if (load !== undefined && load.inFlight > 0) load.inFlight -= 1;
  }

  inFlight(supplierId: number, name: string): number {
    return this.#of(supplierId, name).inFlight;
  }

  /**
   * Returns the credential with the fewest calls in flight; of equals, the least recently used.
   * @param among not empty
   */
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
   * Returns the credential of a new session: by a hash that is the same in every process, unless that credential has
   * clearly more calls in flight than the others.
   * @param among not empty
   */
  forSession(session: string, supplierId: number, among: readonly Credential[]): Credential {
    const own = rendezvous(session, among, { identify: ({ name }) => name })!;
    const total = among.reduce((sum, { name }) => sum + this.#of(supplierId, name).inFlight, 0);
    const maximum = (total / among.length) * MAX_OF_MEAN + SPARE;
    return this.#of(supplierId, own.name).inFlight < maximum ? own : this.leastLoaded(supplierId, among);
  }

  #of(supplierId: number, name: string): Load {
    return this.#loads.get(keyOf(supplierId, name)) ?? NO_LOAD;
  }
}

const keyOf = (supplierId: number, name: string) => `${supplierId}\n${name}`;
