import type { Credential, Route } from "~/domain/catalogue/shared";
import { Breaker, type Evidence, type Permit } from "./breaker";
import { CredentialCooling, type Rest } from "./credential-cooling";
import { CredentialLoad } from "./credential-load";
import { DecayedMean } from "./decayed-mean";
import type { RouteState } from "./policy";
import { RetryBudget } from "./retry-budget";

/** What an attempt taught about its route and its credential. */
export type AttemptResult =
  /** It answered; `afterMs` until the first content of a stream or until the whole answer. */
  | { kind: "answered"; afterMs: number; isStream: boolean }
  /** It finds fault with the request: the route is well. */
  | { kind: "rejected" }
  /** It failed for a reason of its own. */
  | { kind: "failed"; reason: string; timeout: boolean; retryAfterMs: number | null }
  /** 429. */
  | { kind: "limited"; retryAfterMs: number | null }
  /** 401, 402, 403. */
  | { kind: "refused" }
  /** The client left. */
  | { kind: "nothing" }
  /** The request cannot be put into the supplier's dialect: nothing was sent. */
  | { kind: "unsent" };

/** A permit of a route that is not watched. */
const UNWATCHED: Permit = 0;

class LaneHealth {
  readonly breaker = new Breaker();
  readonly successes = new DecayedMean();
  readonly firstByteMs = new DecayedMean();
  readonly wholeAnswerMs = new DecayedMean();
  /** The end of the supplier's own Retry-After. */
  waitUntil = 0;
  reason: string | null = null;
  /** For the admin page. */
  route: Route;

  constructor(route: Route) {
    this.route = route;
  }
}

export type LaneReport = {
  route: Route;
  state: "closed" | "open" | "half_open" | "waiting";
  reason: string | null;
  /** In the clock's milliseconds; 0 when nothing is cooled down. */
  coolUntil: number;
  successRate: number;
  firstByteMs: number | null;
  observations: number;
};

/**
 * What one process has learned about routes and credentials from its own traffic. Memory only: losing it costs a few
 * failovers. Times are milliseconds of one steady clock, passed in.
 */
export class HealthTracker {
  readonly credentials: CredentialCooling;
  readonly load = new CredentialLoad();
  /** By the catalogue's route id, which outlives a reload of the catalogue. */
  readonly #lanes = new Map<number, LaneHealth>();
  readonly #budgets = new Map<string, RetryBudget>();

  constructor(credentials = new CredentialCooling()) {
    this.credentials = credentials;
  }

  /** When a route can be used: 0 for now. */
  readyAt(route: Route, now: number): number {
    if (!route.supplier.cooldown) return 0;
    const health = this.#lanes.get(route.routeId);
    const readyAt = Math.max(
      health === undefined ? 0 : Math.max(health.waitUntil, health.breaker.readyAt()),
      this.credentials.readyAt(route.supplier, route.upstreamModel, now),
    );
    return readyAt <= now ? 0 : readyAt;
  }

  /** When a route can be used and how well it does, against the fastest of its companions. */
  standing(route: Route, now: number, fastestMs: number | null): RouteState {
    return { readyAt: this.readyAt(route, now), score: this.score(route, now, fastestMs) };
  }

  /**
   * A route's health from just above 0 to 1: the square of its success rate, less where its first byte takes much longer
   * than the fastest route's. A quarter of a second is added to both, so that differences nobody feels do not count.
   */
  score(route: Route, now: number, fastestMs: number | null): number {
    const health = this.#lanes.get(route.routeId);
    if (health === undefined || !route.supplier.cooldown) return 1;
    const success = health.successes.mean(now, 1, 2);
    const own = firstByteOf(health, now);
    const speed = own === null || fastestMs === null ? 1 : Math.min(1, (fastestMs + 250) / (own + 250));
    return Math.max(0.01, success * success * speed);
  }

  /** Milliseconds to a route's first content, recent ones counting more; null when it is not known. */
  firstByteMs(route: Route, now: number): number | null {
    const health = this.#lanes.get(route.routeId);
    return health === undefined ? null : firstByteOf(health, now);
  }

  /** Whether the supplier has asked for more patience than there was. */
  isAskedToWait(route: Route, now: number): boolean {
    if (!route.supplier.cooldown) return false;
    const health = this.#lanes.get(route.routeId);
    if (health !== undefined && health.waitUntil > now) return true;
    return this.credentials.readyAt(route.supplier, route.upstreamModel, now) > 0;
  }

  /** Leave for one attempt at a route that can be used; null while it cannot. */
  enter(route: Route, now: number): Permit | null {
    if (!route.supplier.cooldown) return UNWATCHED;
    if (this.isAskedToWait(route, now)) return null;
    return this.#healthOf(route).breaker.enter(now);
  }

  /** Leave for one attempt at a route in trouble, for a call that has no other. */
  enterAnyway(route: Route, now: number): Permit {
    return route.supplier.cooldown ? this.#healthOf(route).breaker.enterAnyway(now) : UNWATCHED;
  }

  /** Notes what an attempt taught: once for every permit, and once more if a stream that had begun breaks. */
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

  /** The retry budget of a model. */
  budgetOf(modelId: string): RetryBudget {
    let budget = this.#budgets.get(modelId);
    if (budget === undefined) {
      budget = new RetryBudget();
      this.#budgets.set(modelId, budget);
    }
    return budget;
  }

  /** What is known of every route that had traffic. */
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

  /** Every credential that rests. */
  rests(now: number): Rest[] {
    return this.credentials.list(now);
  }

  /** Forgets a route's troubles: an administrator knows better. */
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

/** Streams tell it exactly; where there are none, whole answers have to do. */
const firstByteOf = ({ firstByteMs, wholeAnswerMs }: LaneHealth, now: number): number | null =>
  firstByteMs.observed(now) ?? wholeAnswerMs.observed(now);

function evidenceOf(result: AttemptResult): Evidence {
  if (result.kind === "answered" || result.kind === "rejected") return "success";
  if (result.kind === "failed") return result.timeout ? "timeout" : "failure";
  return "none";
}
