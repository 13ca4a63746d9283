import type { Credential } from "~/domain/catalogue/shared";
import type { AllowedRoute, AllowedRoutes } from "./allowed-routes";
import type { Permit } from "./breaker";
import type { AttemptResult, HealthTracker } from "./health-tracker";

/** No request is sent more often than this. */
export const MAX_ATTEMPTS = 3;

/** One attempt to be made. */
export type Attempt = { route: AllowedRoute; credential: Credential | null; permit: Permit };

/** What the order of tries is made of. */
export type AttemptInput = {
  routes: AllowedRoutes;
  /** Whose retry budget pays. */
  modelId: string;
  /** Gives a session the same credential in every process, as long as that one is not overloaded. */
  session: string | null;
  /** The credential that the session used last. */
  pinnedCredential: string | null;
};

/**
 * Walks through a call's routes: which one next, with which credential, and whether there is a next one at all. Every
 * route comes out of the plan, so no retry and no probe can leave what the call is allowed.
 *
 * Routes that can be used come in the plan's order. A credential that was refused or limited is replaced by another one
 * of its supplier first. Routes in trouble come when nothing else is left: the first of them always, if the call has not
 * been tried at all, and further ones only from the model's retry budget and not before their supplier's Retry-After.
 */
export class AttemptPlan {
  readonly #plan: AttemptInput;
  readonly #book: HealthTracker;
  #made = 0;
  #at = 0;
  #inTrouble: AllowedRoute[] | null = null;
  #again: AllowedRoute | null = null;
  #used: Credential[] | null = null;

  constructor(plan: AttemptInput, tracker: HealthTracker) {
    this.#plan = plan;
    this.#book = tracker;
  }

  /** The next attempt, which is then to be made and reported; null when there is none. */
  next(now: number): Attempt | null {
    if (this.#made === 0) this.#book.budgetOf(this.#plan.modelId).deposit();
    if (this.#made >= MAX_ATTEMPTS) return null;
    return this.#otherCredential(now) ?? this.#nextUsable(now) ?? this.#nextInTrouble(now);
  }

  /** Notes how an attempt went. To be called once for each; a stream's credential is busy until `release`. */
  report(attempt: Attempt, result: AttemptResult, now: number): void {
    this.#book.report(attempt, result, now);
    if (result.kind !== "answered" || !result.isStream) release(attempt, this.#book);
    if (result.kind === "unsent") this.#made -= 1;
    const isAboutCredential = result.kind === "refused" || result.kind === "limited";
    if (!isAboutCredential || attempt.route.supplier.credentials.length < 2 || attempt.credential === null) return;
    this.#again = attempt.route;
    this.#used = [...(this.#used ?? []), attempt.credential];
  }

  #otherCredential(now: number): Attempt | null {
    const route = this.#again;
    this.#again = null;
    if (route === null) return null;
    const rested = this.#book.credentials.rested(route.supplier, route.upstreamModel, now);
    const others = rested.filter((credential) => !this.#used?.includes(credential));
    if (others.length === 0) return null;
    const permit = this.#book.enter(route, now);
    return permit === null ? null : this.#make(route, permit, this.#choose(route, others));
  }

  #nextUsable(now: number): Attempt | null {
    const { routes } = this.#plan;
    while (this.#at < routes.length) {
      const route = routes[this.#at]!;
      this.#at += 1;
      const permit = this.#book.enter(route, now);
      if (permit !== null) return this.#make(route, permit, this.#credentialOf(route, now));
      this.#inTrouble ??= [];
      this.#inTrouble.push(route);
    }
    return null;
  }

  #nextInTrouble(now: number): Attempt | null {
    for (let route = this.#inTrouble?.shift(); route !== undefined; route = this.#inTrouble?.shift()) {
      if (this.#made > 0) {
        if (this.#book.isAskedToWait(route, now)) continue;
        if (!this.#book.budgetOf(this.#plan.modelId).take()) return null;
      }
      return this.#make(route, this.#book.enterAnyway(route, now), this.#credentialOf(route, now));
    }
    return null;
  }

  #make(route: AllowedRoute, permit: Permit, credential: Credential | null): Attempt {
    this.#made += 1;
    if (credential !== null) this.#book.load.begin(route.supplier, credential);
    return { route, permit, credential };
  }

  #credentialOf(route: AllowedRoute, now: number): Credential | null {
    const { supplier, upstreamModel } = route;
    if (supplier.credentials.length <= 1) return supplier.credentials[0] ?? null;
    const rested = this.#book.credentials.rested(supplier, upstreamModel, now);
    // The last credential never rests.
    if (rested.length === 0) return this.#book.credentials.soonest(supplier, upstreamModel) ?? null;
    return this.#choose(route, rested);
  }

  #choose({ supplier }: AllowedRoute, among: readonly Credential[]): Credential {
    if (among.length === 1) return among[0]!;
    const { session, pinnedCredential } = this.#plan;
    const pinned = pinnedCredential === null ? undefined : among.find(({ name }) => name === pinnedCredential);
    if (pinned !== undefined) return pinned;
    if (session !== null) return this.#book.load.forSession(session, supplier.id, among);
    return this.#book.load.leastLoaded(supplier.id, among);
  }
}

/** A stream is over: its credential has one call less in flight. */
export function release({ route, credential }: Attempt, tracker: HealthTracker): void {
  if (credential !== null) tracker.load.end(route.supplier, credential);
}
