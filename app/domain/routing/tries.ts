import type { Credential } from "~/domain/catalogue/shared";
import type { AllowedLane, AllowedLanes } from "./allowed-lanes";
import type { Permit } from "./breaker";
import type { Finding, HealthBook } from "./health-book";

/** No request is sent more often than this. */
export const MAX_ATTEMPTS = 3;

/** One attempt to be made. */
export type Try = { lane: AllowedLane; credential: Credential | null; permit: Permit };

/** What the order of tries is made of. */
export type TryPlan = {
  lanes: AllowedLanes;
  /** Whose retry budget pays. */
  modelId: string;
  /** Gives a session the same credential in every process, as long as that one is not overloaded. */
  session: string | null;
  /** The credential that the session used last. */
  pinnedCredential: string | null;
};

/**
 * Walks through a call's lanes: which one next, with which credential, and whether there is a next one at all. Every
 * lane comes out of the plan, so no retry and no probe can leave what the call is allowed.
 *
 * Lanes that can be used come in the plan's order. A credential that was refused or limited is replaced by another one
 * of its supplier first. Lanes in trouble come when nothing else is left: the first of them always, if the call has not
 * been tried at all, and further ones only from the model's retry budget and not before their supplier's Retry-After.
 */
export class Tries {
  readonly #plan: TryPlan;
  readonly #book: HealthBook;
  #made = 0;
  #at = 0;
  #inTrouble: AllowedLane[] | null = null;
  #again: AllowedLane | null = null;
  #used: Credential[] | null = null;

  constructor(plan: TryPlan, book: HealthBook) {
    this.#plan = plan;
    this.#book = book;
  }

  /** The next attempt, which is then to be made and reported; null when there is none. */
  next(now: number): Try | null {
    if (this.#made === 0) this.#book.budgetOf(this.#plan.modelId).deposit();
    if (this.#made >= MAX_ATTEMPTS) return null;
    return this.#otherCredential(now) ?? this.#nextUsable(now) ?? this.#nextInTrouble(now);
  }

  /** Notes how an attempt went. To be called once for each; a stream's credential is busy until `release`. */
  report(attempt: Try, finding: Finding, now: number): void {
    this.#book.report(attempt, finding, now);
    if (finding.kind !== "answered" || !finding.isStream) release(attempt, this.#book);
    if (finding.kind === "unsent") this.#made -= 1;
    const isAboutCredential = finding.kind === "refused" || finding.kind === "limited";
    if (!isAboutCredential || attempt.lane.supplier.credentials.length < 2 || attempt.credential === null) return;
    this.#again = attempt.lane;
    this.#used = [...(this.#used ?? []), attempt.credential];
  }

  #otherCredential(now: number): Try | null {
    const lane = this.#again;
    this.#again = null;
    if (lane === null) return null;
    const rested = this.#book.credentials.rested(lane.supplier, lane.upstreamModel, now);
    const others = rested.filter((credential) => !this.#used?.includes(credential));
    if (others.length === 0) return null;
    const permit = this.#book.enter(lane, now);
    return permit === null ? null : this.#make(lane, permit, this.#choose(lane, others));
  }

  #nextUsable(now: number): Try | null {
    const { lanes } = this.#plan;
    while (this.#at < lanes.length) {
      const lane = lanes[this.#at]!;
      this.#at += 1;
      const permit = this.#book.enter(lane, now);
      if (permit !== null) return this.#make(lane, permit, this.#credentialOf(lane, now));
      this.#inTrouble ??= [];
      this.#inTrouble.push(lane);
    }
    return null;
  }

  #nextInTrouble(now: number): Try | null {
    for (let lane = this.#inTrouble?.shift(); lane !== undefined; lane = this.#inTrouble?.shift()) {
      if (this.#made > 0) {
        if (this.#book.isAskedToWait(lane, now)) continue;
        if (!this.#book.budgetOf(this.#plan.modelId).take()) return null;
      }
      return this.#make(lane, this.#book.enterAnyway(lane, now), this.#credentialOf(lane, now));
    }
    return null;
  }

  #make(lane: AllowedLane, permit: Permit, credential: Credential | null): Try {
    this.#made += 1;
    if (credential !== null) this.#book.load.begin(lane.supplier, credential);
    return { lane, permit, credential };
  }

  #credentialOf(lane: AllowedLane, now: number): Credential | null {
    const { supplier, upstreamModel } = lane;
    if (supplier.credentials.length <= 1) return supplier.credentials[0] ?? null;
    const rested = this.#book.credentials.rested(supplier, upstreamModel, now);
    // The last credential never rests.
    if (rested.length === 0) return this.#book.credentials.soonest(supplier, upstreamModel) ?? null;
    return this.#choose(lane, rested);
  }

  #choose({ supplier }: AllowedLane, among: readonly Credential[]): Credential {
    if (among.length === 1) return among[0]!;
    const { session, pinnedCredential } = this.#plan;
    const pinned = pinnedCredential === null ? undefined : among.find(({ name }) => name === pinnedCredential);
    if (pinned !== undefined) return pinned;
    if (session !== null) return this.#book.load.forSession(session, supplier.id, among);
    return this.#book.load.leastLoaded(supplier.id, among);
  }
}

/** A stream is over: its credential has one call less under way. */
export function release({ lane, credential }: Try, book: HealthBook): void {
  if (credential !== null) book.load.end(lane.supplier, credential);
}
