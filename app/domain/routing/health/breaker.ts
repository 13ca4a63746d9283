// Own code on purpose: the rules for opening belong to the product, and the clock and the outcomes are arguments.
import { RecentOutcomes } from "./recent-outcomes";

/** Number of consecutive failures that opens a breaker. */
export const CONSECUTIVE_FAILURES = 5;
/** Share of failures that opens a breaker, among at least `MIN_OUTCOMES` outcomes. */
const FAILURE_SHARE = 0.5;
/** Minimum outcomes within 30 seconds for `FAILURE_SHARE` to apply. */
const MIN_OUTCOMES = 20;

/** First cool-down in milliseconds; each failed probe doubles it. */
const FIRST_COOL_DOWN_MS = 1_000;
/**
 * Maximum cool-down in milliseconds of a supplier that answers or refuses immediately: it is back in use within 5
 * seconds.
 */
const MAX_COOL_DOWN_MS = 4_000;
/**
 * Maximum cool-down in milliseconds after a timeout. Longer, because a probe of a silent supplier costs a request the
 * whole timeout.
 */
const MAX_COOL_DOWN_AFTER_TIMEOUT_MS = 30_000;

export type BreakerState = "closed" | "open" | "half_open";

/**
 * Result of an attempt for its route. `none`: no information, because the attempt was aborted or failed for another
 * reason.
 */
export type Evidence = "success" | "failure" | "timeout" | "none";

/** Permission for one attempt; returned with its evidence. */
export type Permit = number;

/**
 * A circuit breaker as a pure state machine; times are milliseconds of a monotonic clock that the caller passes in.
 * Closed: every attempt may pass. Open: none until the cool-down ends. Half open: one probe at a time; a success closes
 * the breaker, a failure opens it for longer.
 */
export class Breaker {
  state: BreakerState = "closed";
  /** End of the cool-down while open. */
  openUntil = 0;
  /** Number of openings and closings: evidence from before the last one is outdated. */
  #generation = 1;
  #coolDownMs = 0;
  #probing = false;
  #consecutive = 0;
  readonly #recent = new RecentOutcomes();

  /** Returns when an attempt may pass: 0 for any time, Infinity while a probe is in flight. */
  readyAt(): number {
    if (this.state === "closed") return 0;
    return this.#probing ? Number.POSITIVE_INFINITY : this.openUntil;
  }

  /** Returns a permit for one attempt, which is the probe if the breaker is not closed; null: no attempt may pass. */
  enter(now: number): Permit | null {
    if (this.state === "closed") return this.#permit(false);
    if (this.#probing || now < this.openUntil) return null;
    this.state = "half_open";
    this.#probing = true;
    return this.#permit(true);
  }

  /**
   * Returns a permit for an attempt without an alternative. A success closes the breaker, a failure does not change it.
   */
  enterAnyway(now: number): Permit {
    return this.enter(now) ?? this.#permit(false);
  }

  /** Returns a permit with its evidence. Must be called exactly once for each permit. */
  report(permit: Permit, evidence: Evidence, now: number): void {
    if (permit >> 1 !== this.#generation) return;
    const wasProbe = (permit & 1) === 1;
    if (evidence === "none") {
      if (wasProbe) this.#probing = false;
    } else if (this.state === "closed") this.#count(evidence, now);
    else if (evidence === "success") this.#close();
    else if (wasProbe) this.#openAgain(evidence, now);
  }

  #permit(isProbe: boolean): Permit {
    return this.#generation * 2 + (isProbe ? 1 : 0);
  }

  #count(evidence: Evidence, now: number): void {
    const failed = evidence !== "success";
    this.#recent.add(failed, now);
    this.#consecutive = failed ? this.#consecutive + 1 : 0;
    const { total, failures } = this.#recent;
    const tooMany = total >= MIN_OUTCOMES && failures >= total * FAILURE_SHARE;
    if (!failed || (this.#consecutive < CONSECUTIVE_FAILURES && !tooMany)) return;
    this.#generation += 1;
    this.#coolDown(FIRST_COOL_DOWN_MS, now);
  }

  #openAgain(evidence: Evidence, now: number): void {
    const longest = evidence === "timeout" ? MAX_COOL_DOWN_AFTER_TIMEOUT_MS : MAX_COOL_DOWN_MS;
    this.#coolDown(Math.min(longest, this.#coolDownMs * 2), now);
  }

  #coolDown(milliseconds: number, now: number): void {
    this.state = "open";
    this.#probing = false;
    this.#coolDownMs = milliseconds;
    this.openUntil = now + milliseconds;
  }

  #close(): void {
    this.#generation += 1;
    this.state = "closed";
    this.#probing = false;
    this.#consecutive = 0;
    this.#recent.clear();
  }
}
