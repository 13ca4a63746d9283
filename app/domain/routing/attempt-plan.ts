import type { Credential } from "~/domain/catalogue/shared";
import type { AllowedRoute, AllowedRoutes } from "./allowed-routes";
import type { Permit } from "./health/breaker";
import type { AttemptResult, HealthTracker } from "./health/health-tracker";

/** Maximum attempts per request. */
export const MAX_ATTEMPTS = 3;

/** An attempt to make. */
export type Attempt = { route: AllowedRoute; credential: Credential | null; permit: Permit };

/** Input of an attempt plan. */
export type AttemptInput = {
  routes: AllowedRoutes;
  /** The model whose retry budget applies. */
  modelId: string;
  /** Gives a session the same credential in every process, unless that credential is overloaded. */
  session: string | null;
  /** The credential that the session used last. */
  pinnedCredential: string | null;
};

/**
 * Chooses the route and the credential of a call's next attempt, and whether there is one. Every route comes from the
 * plan, so no retry or probe can leave the allowed routes.
 *
 * Available routes are tried in the plan's order. A rejected or rate-limited credential is first replaced by another of
 * its supplier. Routes that are cooling down are tried last. The first of them is always tried if the call has made no
 * attempt. Further ones need the model's retry budget, and wait for their supplier's Retry-After.
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

  /** Returns the next attempt, which the caller must make and report; null: none. */
  next(now: number): Attempt | null {
    if (this.#made === 0) this.#book.budgetOf(this.#plan.modelId).deposit();
    if (this.#made >= MAX_ATTEMPTS) return null;
    return this.#otherCredential(now) ?? this.#nextUsable(now) ?? this.#nextInTrouble(now);
  }

  /** Records the result of an attempt; call once for each. A stream keeps its credential busy until `release`. */
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
    // A supplier's last credential is used even while it cools down.
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

/** Ends a stream: its credential has one call in flight less. */
export function release({ route, credential }: Attempt, tracker: HealthTracker): void {
  if (credential !== null) tracker.load.end(route.supplier, credential);
}
