import { apiError } from "~/errors/app-error";
import { log } from "~/log.server";
import { admitValues, arrayText } from "./batch-text";
import { atCapacity, MAX_QUEUED, patienceOf, UNAVAILABLE_AFTER_MS, unavailable } from "./call-patience";
import type { CommitTurns } from "./commit-turns";
import { GroupCommit } from "./group-commit";
import type { Leases } from "./leases";
import type { HoldRequest, HoldVerdict, Parties, Shortage } from "./shared";
import type { SqlLink } from "./sql-link";
import type { SqlProblem } from "./sql-problem";
import { ADMIT, OPEN_HOLDS, RELEASE } from "./store";
import { type AdmitAnswer, outOfPatience, readVerdicts } from "./verdict";
import { type ScopeKey, scopeKey, type Waiter, WaitQueue } from "./wait-queue";

/** Who waits for an admission, and whether it still does. An AbortSignal is one; a cheaper object does as well. */
export type Waiting = { readonly aborted: boolean; readonly reason: unknown };

type Pending = Waiter & {
  signal: Waiting | undefined;
  arrivedMs: number;
  /** When it last began to wait for the database. */
  queuedMs: number;
  /** How often its id turned out to be in use. */
  taken: number;
  /** Refused while it was in flight: if it is held after all, nobody will use the hold. */
  refused: boolean;
  /** How often it has been tried again without the spare holds of others. */
  triedAlone: number;
  /** What it was short of when it was last tried; null while it has not been. */
  shortage: Shortage | null;
  resolve: (verdict: HoldVerdict) => void;
  reject: (problem: unknown) => void;
};

const BATCH_SIZE = 256;
/** How long a question about calls in doubt may take. */
const LOOK_UP_WITHIN_MS = 1_500;
/** How often waiting calls are tried again when nobody in this process has freed money. */
const TICK_MS = 40;
/** A turn with spare holds may be under way when the first ones are given back. */
const MAX_TRIES_ALONE = 3;
const WAKE_AT_SETTLEMENT = 32;
const WAKE_AT_TICK = 128;

/** Admission: the calls on their way in, those that wait for money to come back, and those in doubt. */
export class AdmissionQueue {
  readonly #link: SqlLink;
  readonly #maintenance: SqlLink;
  readonly #leases: Leases;
  readonly #patienceMs: number;
  readonly #heardMs: () => number;
  readonly #batches: GroupCommit<Pending>;
  readonly #makeRoomFor: (request: HoldRequest) => Promise<void> | null;
  /** Refused, and to be tried again when spare holds have been given back. */
  #retrying = 0;
  readonly #waiting = new WaitQueue<Pending>();
  /** On its way in the statement that is in flight. */
  #sent: readonly Pending[] = [];
  /** Sent without an answer: perhaps held. */
  #inDoubt: Pending[] = [];
  /** Refused while in flight or in doubt, and perhaps held after all. By id, with how often it was freed. */
  readonly #abandoned = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;
  /** Why nothing is admitted although the database works; null when all is well. */
  closedBecause: string | null = null;

  constructor(options: {
    link: SqlLink;
    turns: CommitTurns;
    maintenance: SqlLink;
    leases: Leases;
    owner: string;
    /** How long a call waits, for money that others hold and for a turn. */
    patienceMs: number;
    /** When other connections last heard of the same session of the database. */
    heardMs?: () => number;
    /** Gives back spare holds that are in the way of a call; null: there are none. */
    makeRoomFor: (request: HoldRequest) => Promise<void> | null;
  }) {
    const { link, turns, maintenance, leases, owner, patienceMs } = options;
    this.#makeRoomFor = options.makeRoomFor;
    this.#link = link;
    this.#maintenance = maintenance;
    this.#leases = leases;
    this.#patienceMs = patienceMs;
    this.#heardMs = options.heardMs ?? (() => Number.NEGATIVE_INFINITY);
    const lease = `${leases.leaseMs} ms`;
    this.#batches = new GroupCommit<Pending>({
      turns,
      statement: ADMIT,
      batchSize: BATCH_SIZE,
      choose: (items) => this.#send(items.filter((item) => !this.#leftAlready(item))),
      encode: (items) =>
        admitValues(
          items.map(({ request }) => request),
          owner,
          lease,
        ),
      lean: (items) => ({ asked: items.map(({ request }) => request) }),
      answered: (items, answer) => {
        this.#sent = [];
        this.#answered(items, answer);
      },
      failed: (items, problem) => {
        this.#sent = [];
        this.#failed(this.#stillAsked(items, problem), problem);
      },
    });
    link.onUp(() => void this.#clearDoubts());
    link.onDown(() => this.#startTicking());
  }

  get isIdle(): boolean {
    return this.#batches.isIdle && this.#waiting.size + this.#retrying === 0 && this.#inDoubt.length === 0;
  }

  admit(request: HoldRequest, signal?: Waiting): Promise<HoldVerdict> {
    return new Promise((resolve, reject) => this.#ask(request, { signal, resolve, reject }));
  }

  /** Asks for a hold that no call waits for: it goes with what comes. Answers null where `admit` would reject. */
  place(request: HoldRequest, heard: (verdict: HoldVerdict | null) => void): void {
    this.#ask(request, { signal: undefined, resolve: heard, reject: () => heard(null) });
  }

  #ask(request: HoldRequest, { signal, resolve, reject }: Pick<Pending, "signal" | "resolve" | "reject">): void {
    const { downSinceMs } = this.#link;
    const arrivedMs = performance.now();
    if (this.closedBecause !== null) {
      reject(unavailable(this.closedBecause));
      return;
    }
    if (downSinceMs !== null && arrivedMs - Math.max(downSinceMs, this.#answeredMs) > UNAVAILABLE_AFTER_MS) {
      reject(unavailable("the database is not reachable"));
      return;
    }
    if (this.#batches.waiting + this.#waiting.size + this.#inDoubt.length >= MAX_QUEUED) {
      reject(atCapacity("too many calls wait for their holds"));
      return;
    }
    if (downSinceMs !== null) this.#startTicking();
    this.#batches.add(
      {
        request,
        signal,
        resolve,
        reject,
        arrivedMs,
        queuedMs: arrivedMs,
        taken: 0,
        refused: false,
        triedAlone: 0,
        shortage: null,
        waitsFor: null,
        trying: true,
      },
      request.isSpare !== true,
    );
  }

  /** When the database last answered anything. */
  get #answeredMs(): number {
    return Math.max(this.#link.answeredMs, this.#heardMs());
  }

  /** Calls wait for money that others hold. */
  get hasWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** Money of these parties came back: those who wait for it are tried, before newcomers. */
  freed(settled: readonly Parties[]): void {
    if (this.#waiting.size === 0) return;
    const scopes = new Set<ScopeKey>();
    for (const parties of settled) for (const scope of SCOPES) scopes.add(scopeKey(scope, parties));
    for (const scope of scopes) this.#wake(scope, WAKE_AT_SETTLEMENT);
  }

  /** Refuses everything that is not in flight. */
  close(): void {
    for (const item of [...this.#batches.take(() => true), ...this.#inDoubt, ...this.#waiting.all()]) {
      item.reject(unavailable("the gateway is stopping"));
    }
    this.#inDoubt = [];
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #send(items: Pending[]): Pending[] {
    this.#sent = items;
    if (items.length > 0) this.#startTicking();
    return items;
  }

  /** Those of a statement that failed who have not been refused meanwhile. */
  #stillAsked(items: readonly Pending[], problem: SqlProblem): Pending[] {
    const refused = items.filter((item) => item.refused);
    if (problem.kind === "lost") for (const { request } of refused) this.#abandoned.set(request.callId, 0);
    return items.filter((item) => !item.refused);
  }

  #answered(items: readonly Pending[], answer: string): void {
    const verdicts = readVerdicts(answer, items.length);
    const admittedFrom = new Set<ScopeKey>();
    const late: string[] = [];
    items.forEach((item, index) => {
      const scope = item.waitsFor;
      const verdict = verdicts[index]!;
      if (!item.refused) {
        if (this.#take(item, verdict) && scope !== null) admittedFrom.add(scope);
      } else if (verdict.kind === "held") late.push(item.request.callId);
    });
    // Some of those who waited fit: perhaps those behind them do too.
    for (const scope of admittedFrom) this.#wake(scope, WAKE_AT_SETTLEMENT);
    this.#freeLate(late);
  }

  /** Returns whether the call is held now. */
  #take(item: Pending, answer: AdmitAnswer): boolean {
    if (answer.kind !== "held" && this.#triesAlone(item)) return false;
    switch (answer.kind) {
      case "busy":
        if (item.request.isPatient === false || performance.now() - item.arrivedMs >= this.#patienceMs) {
          this.#waiting.leave(item);
          item.resolve(outOfPatience(answer.scope, answer.shortage));
        } else {
          item.shortage = answer.shortage;
          this.#waiting.enter(item, scopeKey(answer.scope, item.request));
          this.#startTicking();
        }
        return false;
      case "noWallet":
        this.#waiting.leave(item);
        item.reject(
          apiError("billing_unavailable", { about: { walletId: item.request.walletId, reason: "no such wallet" } }),
        );
        return false;
      case "held":
        if (item.request.isSpare !== true) this.#leases.begin(item.request);
        this.#waiting.leave(item);
        item.resolve(answer);
        return true;
      case "refused":
        this.#waiting.leave(item);
        item.resolve(answer);
        return false;
    }
  }

  /** No spare hold is in the way of a call: one that has no room beside them is tried once more without them, and those still on their way. */
  #triesAlone(item: Pending): boolean {
    if (item.request.isSpare === true) return false;
    // Also where it waits: as long as it does, none are placed in its way.
    const room = this.#makeRoomFor(item.request);
    if (room === null || item.triedAlone === MAX_TRIES_ALONE) return false;
    item.triedAlone += 1;
    this.#retrying += 1;
    void room.then(() => {
      this.#retrying -= 1;
      item.queuedMs = performance.now();
      this.#batches.addFirst([item]);
    });
    return true;
  }

  #failed(items: readonly Pending[], problem: SqlProblem): void {
    const isTaken = problem.kind === "data" && problem.sqlState === "23505";
    if (problem.kind === "lost" || (isTaken && items.every((item) => item.taken++ === 0))) {
      // An id in use is that of a call whose answer was lost, or a mistake of the caller.
      this.#inDoubt.push(...items);
      if (isTaken) void this.#clearDoubts();
    } else if (problem.kind === "data") {
      for (const item of items) {
        this.#waiting.leave(item);
        item.reject(apiError("internal_error", { cause: problem.cause }));
      }
    } else {
      log.error({ err: problem.cause }, "the database does not admit calls");
      this.#batches.pause(100);
      this.#batches.addFirst(items);
    }
    this.#startTicking();
  }

  /** The database is back: were the calls that it did not answer for held? They are refused in time all the same. */
  async #clearDoubts(): Promise<void> {
    try {
      const asked = [...this.#inDoubt];
      if (asked.length > 0) {
        const ids = arrayText(asked.map(({ request }) => request.callId));
        const held = new Set((await this.#maintenance.ask(OPEN_HOLDS, [ids], LOOK_UP_WITHIN_MS)).split(","));
        const isAsked = new Set(asked);
        const settled = this.#inDoubt.filter((item) => isAsked.has(item));
        this.#inDoubt = this.#inDoubt.filter((item) => !isAsked.has(item));
        const again = settled.filter((item) => !(held.has(item.request.callId) && this.#take(item, { kind: "held" })));
        this.#batches.addFirst(again);
      }
      await this.#freeAbandoned();
    } catch (problem) {
      log.warn({ err: problem }, "calls in doubt could not be looked up");
      this.#startTicking();
    }
  }

  #freeLate(ids: readonly string[]): void {
    if (ids.length === 0) return;
    this.#free(ids).catch((problem) => {
      log.warn({ err: problem }, "calls that were held too late could not be released; it will be tried again");
      for (const id of ids) this.#abandoned.set(id, 0);
    });
  }

  #free(ids: readonly string[]): Promise<string> {
    const values = [arrayText(ids), "{reserved,dispatched,review}", "never dispatched"];
    return this.#maintenance.ask(RELEASE, values, LOOK_UP_WITHIN_MS);
  }

  /** More than once, because a statement that was cut off may commit after the first time. */
  async #freeAbandoned(): Promise<void> {
    if (this.#abandoned.size === 0) return;
    const ids = [...this.#abandoned.keys()];
    await this.#free(ids);
    for (const id of ids) {
      const times = (this.#abandoned.get(id) ?? 0) + 1;
      if (times >= 3) this.#abandoned.delete(id);
      else this.#abandoned.set(id, times);
    }
  }

  /** Part of `recoverSettlements`. */
  async recover(): Promise<void> {
    await this.#clearDoubts();
  }

  #wake(scope: ScopeKey, most: number): void {
    const woken = this.#waiting.wake(scope, most);
    const now = performance.now();
    for (const item of woken) item.queuedMs = now;
    if (woken.length > 0) this.#batches.addFirst(woken);
  }

  #startTicking(): void {
    // An answer that came while this process was busy, or stopped, is read before calls are refused for want of it.
    this.#timer ??= setTimeout(() => setImmediate(() => this.#tick()), TICK_MS);
  }

  #tick(): void {
    this.#timer = null;
    const now = performance.now();
    for (const item of this.#waiting.all()) {
      if (item.trying || this.#leftAlready(item)) continue;
      if (now - item.arrivedMs >= this.#patienceMs) this.#giveUpOnMoney(item);
    }
    for (const scope of this.#waiting.scopes()) this.#wake(scope, WAKE_AT_TICK);
    this.#refuseOverdue(now);
    const { size } = this.#waiting;
    if (size + this.#inDoubt.length + this.#sent.length + this.#batches.waiting > 0) this.#startTicking();
  }

  #giveUpOnMoney(item: Pending): void {
    const scope = item.waitsFor!.split(":")[0] as Parameters<typeof outOfPatience>[0];
    this.#waiting.leave(item);
    item.resolve(outOfPatience(scope, item.shortage!));
  }

  /** No call waits for a database that is away longer than a client can bear, or for one that is too slow beyond its patience. */
  #refuseOverdue(nowMs: number): void {
    const at = { nowMs, answeredMs: this.#answeredMs, patienceMs: this.#patienceMs };
    const isSilent = (item: Pending) => patienceOf(item, at) === "silent";
    const doubtful = this.#inDoubt.filter(isSilent);
    if (doubtful.length > 0) {
      this.#inDoubt = this.#inDoubt.filter((item) => !isSilent(item));
      for (const { request } of doubtful) this.#abandoned.set(request.callId, 0);
    }
    const inFlight = this.#sent.filter((item) => !item.refused && isSilent(item));
    for (const item of inFlight) item.refused = true;
    for (const item of [...doubtful, ...inFlight, ...this.#batches.take(isSilent)]) {
      this.#waiting.leave(item);
      item.reject(unavailable("the database did not answer"));
    }
    // What is in flight is about to be answered.
    for (const item of this.#batches.take((each) => patienceOf(each, at) === "busy")) {
      if (item.waitsFor !== null) this.#giveUpOnMoney(item);
      else item.reject(atCapacity("turns come back too slowly"));
    }
  }

  /** The client has left before anything was held for it. */
  #leftAlready(item: Pending): boolean {
    if (item.signal?.aborted !== true) return false;
    this.#waiting.leave(item);
    item.reject(item.signal.reason);
    return true;
  }
}

const SCOPES = ["key", "user", "department", "project", "organisation", "wallet"] as const;
