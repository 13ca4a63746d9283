// Own code on purpose: when a supplier counts as down is a rule of the product, and its clock and its outcomes come in
// as arguments.
import { RecentOutcomes } from "./recent-outcomes";

/** So many failures without a success between them open a breaker. */
export const CONSECUTIVE_FAILURES = 5;
/** So do this share of failures … */
const FAILURE_SHARE = 0.5;
/** … among at least so many outcomes within 30 seconds. */
const MIN_OUTCOMES = 20;

/** The first cool-down; each failed probe doubles it. */
const FIRST_COOL_DOWN_MS = 1_000;
/** A supplier that answers or refuses at once is asked again at least this often: it is back in use within 5 seconds. */
const MAX_COOL_DOWN_MS = 4_000;
/** A probe of a silent supplier costs somebody's request the whole time-out, so it is made more rarely. */
const MAX_COOL_DOWN_AFTER_TIMEOUT_MS = 30_000;

export type BreakerState = "closed" | "open" | "half_open";

/** What an attempt says about its route. `none`: nothing, because it was given up or failed for another reason. */
export type Evidence = "success" | "failure" | "timeout" | "none";

/** Leave to make one attempt; handed back with its evidence. */
export type Permit = number;

/**
 * A circuit breaker as a pure state machine; times are milliseconds of one steady clock that the caller passes in.
 * Closed: everything may pass. Open: nothing until the cool-down is over. Half open: one probe at a time, whose success
 * closes it and whose failure opens it again for longer.
 */
export class Breaker {
  state: BreakerState = "closed";
  /** The end of the cool-down while open. */
  openUntil = 0;
  /** Counts openings and closings: evidence from before the last of them says nothing about now. */
  #generation = 1;
  #coolDownMs = 0;
  #probing = false;
  #consecutive = 0;
  readonly #recent = new RecentOutcomes();

  /** When an attempt may pass: 0 at any time, Infinity while a probe is in flight. */
  readyAt(): number {
    if (this.state === "closed") return 0;
    return this.#probing ? Number.POSITIVE_INFINITY : this.openUntil;
  }

  /** Leave for one attempt, the probe if the breaker is not closed; null while nothing may pass. */
  enter(now: number): Permit | null {
    if (this.state === "closed") return this.#permit(false);
    if (this.#probing || now < this.openUntil) return null;
    this.state = "half_open";
    this.#probing = true;
    return this.#permit(true);
  }

  /** Leave for an attempt that has nowhere else to go. Its success closes the breaker, its failure changes nothing. */
  enterAnyway(now: number): Permit {
    return this.enter(now) ?? this.#permit(false);
  }

  /** Hands a permit back. Every permit has to be handed back once. */
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
