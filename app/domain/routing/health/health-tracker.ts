import type { Credential, Route } from "~/domain/catalogue/shared";
import type { RouteState } from "../policy";
import { Breaker, type Evidence, type Permit } from "./breaker";
import { CredentialCooling, type Rest } from "./credential-cooling";
import { CredentialLoad } from "./credential-load";
import { DecayedMean } from "./decayed-mean";
import { RetryBudget } from "./retry-budget";

/** The result of an attempt for its route and its credential. */
export type AttemptResult =
  /** The supplier answered; `afterMs` until the first content of a stream or until the whole answer. */
  | { kind: "answered"; afterMs: number; isStream: boolean }
  /** The supplier rejected the request: the route is healthy. */
  | { kind: "rejected" }
  /** The supplier failed. */
  | { kind: "failed"; reason: string; timeout: boolean; retryAfterMs: number | null }
  /** The supplier answered 429: a rate limit of the credential, or of the route if it needs none. */
  | { kind: "limited"; retryAfterMs: number | null }
  /** The supplier answered 401, 402 or 403: it does not accept the credential. */
  | { kind: "refused" }
  /** The client disconnected. */
  | { kind: "nothing" }
  /** The request cannot be translated to the supplier's dialect: nothing was sent. */
  | { kind: "unsent" };

/** Permit of a route whose health is not tracked. */
const UNWATCHED: Permit = 0;

class LaneHealth {
  readonly breaker = new Breaker();
  readonly successes = new DecayedMean();
  readonly firstByteMs = new DecayedMean();
  readonly wholeAnswerMs = new DecayedMean();
  /** End of the supplier's Retry-After. */
  waitUntil = 0;
  reason: string | null = null;
  /** The route as it was at its last attempt, for the admin page. */
  route: Route;

  constructor(route: Route) {
    this.route = route;
  }
}

export type LaneReport = {
  route: Route;
  state: "closed" | "open" | "half_open" | "waiting";
  reason: string | null;
  /** In milliseconds of the monotonic clock; 0: no cool-down. */
  coolUntil: number;
  successRate: number;
  firstByteMs: number | null;
  observations: number;
};

/**
 * Health of routes and credentials, learned from this process's own traffic. In memory only: its loss costs a few
 * failovers. Times are milliseconds of a monotonic clock, passed in.
 */
export class HealthTracker {
  readonly credentials: CredentialCooling;
  readonly load = new CredentialLoad();
  /** By route id, which is stable across reloads of the catalogue. */
  readonly #lanes = new Map<number, LaneHealth>();
  readonly #budgets = new Map<string, RetryBudget>();

  constructor(credentials = new CredentialCooling()) {
    this.credentials = credentials;
  }

  /** Returns when a route is available: 0 for now. */
  readyAt(route: Route, now: number): number {
    if (!route.supplier.cooldown) return 0;
    const health = this.#lanes.get(route.routeId);
    const readyAt = Math.max(
      health === undefined ? 0 : Math.max(health.waitUntil, health.breaker.readyAt()),
      this.credentials.readyAt(route.supplier, route.upstreamModel, now),
    );
    return readyAt <= now ? 0 : readyAt;
  }

  /** Returns when a route is available, and its score relative to the fastest route. */
  standing(route: Route, now: number, fastestMs: number | null): RouteState {
    return { readyAt: this.readyAt(route, now), score: this.score(route, now, fastestMs) };
  }

  /**
   * Returns a route's health, from just above 0 to 1: the square of its success rate, reduced if its first byte takes
   * much longer than that of the fastest route. A quarter of a second is added to both, so that small differences do
   * not count.
   */
  score(route: Route, now: number, fastestMs: number | null): number {
    const health = this.#lanes.get(route.routeId);
    if (health === undefined || !route.supplier.cooldown) return 1;
    const success = health.successes.mean(now, 1, 2);
    const own = firstByteOf(health, now);
    const speed = own === null || fastestMs === null ? 1 : Math.min(1, (fastestMs + 250) / (own + 250));
    return Math.max(0.01, success * success * speed);
  }

  /** Returns the milliseconds to a route's first content, weighted to recent ones; null: unknown. */
  firstByteMs(route: Route, now: number): number | null {
    const health = this.#lanes.get(route.routeId);
    return health === undefined ? null : firstByteOf(health, now);
  }

  /** Whether the supplier's Retry-After is still in force. */
  isAskedToWait(route: Route, now: number): boolean {
    if (!route.supplier.cooldown) return false;
    const health = this.#lanes.get(route.routeId);
    if (health !== undefined && health.waitUntil > now) return true;
    return this.credentials.readyAt(route.supplier, route.upstreamModel, now) > 0;
  }

  /** Returns a permit for an attempt on an available route; null: it is unavailable. */
  enter(route: Route, now: number): Permit | null {
    if (!route.supplier.cooldown) return UNWATCHED;
    if (this.isAskedToWait(route, now)) return null;
    return this.#healthOf(route).breaker.enter(now);
  }

  /** Returns a permit for an attempt on an unavailable route, for a call without an alternative. */
  enterAnyway(route: Route, now: number): Permit {
    return route.supplier.cooldown ? this.#healthOf(route).breaker.enterAnyway(now) : UNWATCHED;
  }

  /** Records the result of an attempt: once for each permit, and again if a started stream breaks. */
  report(
    attempt: { route: Route; credential: Credential | null; permit: Permit },
    result: AttemptResult,
    now: number,
  ): void {
    const { route, credential, permit } = attempt;
    const health = this.#healthOf(route);
    health.route = route;
    if (permit !== UNWATCHED) health.breaker.report(permit, evidenceOf(result), now);
    switch (result.kind) {
      case "answered":
        health.successes.add(1, now);
        (result.isStream ? health.firstByteMs : health.wholeAnswerMs).add(result.afterMs, now);
        if (health.breaker.state === "closed") health.reason = null;
        health.waitUntil = 0;
        if (credential !== null) this.credentials.accepted(route.supplier, credential, route.upstreamModel);
        return;
      case "failed":
        health.successes.add(0, now);
        health.reason = result.reason;
        if (result.retryAfterMs !== null) health.waitUntil = Math.max(health.waitUntil, now + result.retryAfterMs);
        return;
      case "limited":
        health.successes.add(0, now);
        if (credential === null) health.waitUntil = Math.max(health.waitUntil, now + (result.retryAfterMs ?? 1_000));
        else
          this.credentials.limited(
            { supplier: route.supplier, credential, model: route.upstreamModel, retryAfterMs: result.retryAfterMs },
            now,
          );
        return;
      case "refused":
        if (credential !== null) this.credentials.refused(route.supplier, credential, now);
        return;
      default:
        return;
    }
  }

  /** Returns the retry budget of a model. */
  budgetOf(modelId: string): RetryBudget {
    let budget = this.#budgets.get(modelId);
    if (budget === undefined) {
      budget = new RetryBudget();
      this.#budgets.set(modelId, budget);
    }
    return budget;
  }

  /** Reports the health of every route with traffic. */
  routes(now: number): LaneReport[] {
    return [...this.#lanes.values()].map((health) => {
      const { route, breaker, waitUntil } = health;
      const waits = waitUntil > now;
      return {
        route,
        state: breaker.state === "closed" && waits ? "waiting" : breaker.state,
        reason: health.reason,
        coolUntil: Math.max(waits ? waitUntil : 0, breaker.state === "open" ? breaker.openUntil : 0),
        successRate: health.successes.mean(now, 1, 2),
        firstByteMs: firstByteOf(health, now),
        observations: health.successes.weight(now),
      };
    });
  }

  /** Lists the credentials that cool down. */
  rests(now: number): Rest[] {
    return this.credentials.list(now);
  }

  /** Deletes the recorded health of a route, by decision of an administrator. */
  evict(routeId: number): void {
    this.#lanes.delete(routeId);
  }

  #healthOf(route: Route): LaneHealth {
    let health = this.#lanes.get(route.routeId);
    if (health === undefined) {
      health = new LaneHealth(route);
      this.#lanes.set(route.routeId, health);
    }
    return health;
  }
}

/** Returns the mean time to the first content of streams; without streams, the mean time of whole answers. */
const firstByteOf = ({ firstByteMs, wholeAnswerMs }: LaneHealth, now: number): number | null =>
  firstByteMs.observed(now) ?? wholeAnswerMs.observed(now);

function evidenceOf(result: AttemptResult): Evidence {
  if (result.kind === "answered" || result.kind === "rejected") return "success";
  if (result.kind === "failed") return result.timeout ? "timeout" : "failure";
  return "none";
}
