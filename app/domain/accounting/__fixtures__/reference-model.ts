import {
  BUDGET_SCOPES,
  type BudgetPeriod,
  type BudgetScope,
  type HoldRequest,
  type HoldVerdict,
  type Parties,
  type Settlement,
  type Shortage,
} from "../shared";
import { ModelWallet } from "./model-wallet";

/**
 * What the SQL functions of this room must do, said a second time in the plainest way: one call after the other, sums
 * recomputed, nothing locked. For tests only; property tests hold the two against each other. Times are milliseconds.
 */
export class ReferenceModel {
  readonly wallets = new Map<number, ModelWallet>();
  readonly budgets: ModelBudget[] = [];
  readonly holds = new Map<string, ModelHold>();
  readonly usage = new Map<string, ModelUsage>();
  readonly stamps = new Map<number, number[]>();
  /** Accounts of the house, by kind. */
  readonly house = new Map<string, bigint>();

  openWallet(walletId: number, exempt = false): void {
    const held = () => this.heldIn(walletId);
    this.wallets.set(walletId, new ModelWallet(exempt, held, (kind, amount) => this.#houseGets(kind, amount)));
  }

  heldIn(walletId: number): bigint {
    return sum(
      this.#open((hold) => hold.walletId === walletId && !hold.exempt),
      (hold) => hold.amount,
    );
  }

  /** Admits a batch in order of arrival; `busy` says that only money of calls in flight is missing. */
  admit(
    requests: readonly HoldRequest[],
    now: number,
    leaseMs: number,
  ): (HoldVerdict | { kind: "busy"; scope: string })[] {
    return requests.map((request) => this.#admitOne(request, now, leaseMs));
  }

  #admitOne(request: HoldRequest, now: number, leaseMs: number): HoldVerdict | { kind: "busy"; scope: string } {
    const { amountNanoUsd: amount, keyId, rateLimitRpm, walletId, exempt } = request;
    // A stamp from the future is left over from a clock that was set back; the next request drops it.
    const recent = (this.stamps.get(keyId) ?? []).filter((at) => at > now - 60_000 && at <= now + 1_000);
    if (rateLimitRpm !== null) this.stamps.set(keyId, recent);
    if (rateLimitRpm !== null && recent.length >= rateLimitRpm) {
      const oldest = recent.toSorted((a, b) => a - b)[recent.length - rateLimitRpm] ?? now;
      const retryAfterSeconds = secondsUntil(oldest + 60_000, now);
      return { kind: "refused", code: "rate_limit_exceeded", scope: "rate", retryAfterSeconds };
    }
    let busy: string | null = null;
    for (const scope of BUDGET_SCOPES) {
      const budget = this.#inForce(scope, request);
      if (budget === null || budget.limit === null) continue;
      const { spent, held } = this.standing(budget, now);
      if (spent + amount > budget.limit) {
        const retryAfterSeconds = secondsUntil(this.#fitsAt(budget, amount, now), now);
        return {
          ...{ kind: "refused", code: "budget_exceeded", scope, retryAfterSeconds },
          shortage: this.#shortage(request, now, scope),
        };
      }
      if (spent + held + amount > budget.limit) busy ??= scope;
    }
    if (!exempt) {
      const wallet = this.wallet(walletId);
      const funds = wallet.posted + wallet.creditLimit;
      if (amount > funds) {
        return {
          ...{ kind: "refused", code: "billing_limit_reached", scope: "wallet", retryAfterSeconds: null },
          shortage: this.#shortage(request, now, "wallet"),
        };
      }
      if (amount > funds - this.heldIn(walletId)) busy ??= "wallet";
    }
    if (busy !== null) return { kind: "busy", scope: busy };
    if (rateLimitRpm !== null) this.stamps.set(keyId, [...recent, now]);
    this.holds.set(request.callId, {
      ...partiesOf(request),
      amount,
      state: "dispatched",
      captured: 0n,
      absorbed: 0n,
      admittedAt: now,
      leaseUntil: now + leaseMs,
      legs: this.#legs(request, now),
    });
    return { kind: "held" };
  }

  #shortage(request: HoldRequest, now: number, refusing: BudgetScope | "wallet"): Shortage {
    const measured = new Map<BudgetScope | "wallet", { limit: bigint; spent: bigint; held: bigint }>();
    for (const scope of BUDGET_SCOPES) {
      const budget = this.#inForce(scope, request);
      if (budget !== null && budget.limit !== null)
        measured.set(scope, { limit: budget.limit, ...this.standing(budget, now) });
    }
    if (!request.exempt) {
      const { posted, creditLimit } = this.wallet(request.walletId);
      measured.set("wallet", { limit: posted + creditLimit, spent: 0n, held: this.heldIn(request.walletId) });
    }
    const free = [...measured.values()].map(({ limit, spent, held }) => limit - spent - held);
    const least = free.reduce((smallest, each) => (each < smallest ? each : smallest));
    const { limit, spent, held } = measured.get(refusing)!;
    return {
      ...{ limitNanoUsd: limit, spentNanoUsd: spent, heldNanoUsd: held },
      freeNanoUsd: least,
      tightest: [...measured.keys()].find((_, at) => free[at] === least)!,
    };
  }

  /** Books a call; null when there is nothing to book. */
  settle(settlement: Settlement, now: number): { charged: bigint; repeated: boolean } | null {
    const hold = this.holds.get(settlement.callId);
    const cost = settlement.outcome === "not_executed" ? 0n : settlement.costNanoUsd;
    const known = this.usage.get(settlement.callId);
    if (hold === undefined) {
      if (known !== undefined) return { charged: known.charged, repeated: true };
      if (settlement.held || (cost > 0n && !settlement.exempt)) return null;
      const legs = cost > 0n ? this.#legs(settlement, Math.min(now, settlement.startedAt.getTime())) : [];
      this.#post(settlement.walletId, settlement.exempt, cost);
      this.#use(settlement, cost, cost, legs);
      return { charged: cost, repeated: false };
    }
    if (hold.state === "settled" || hold.state === "released") return { charged: hold.captured, repeated: true };
    hold.captured = cost < hold.amount ? cost : hold.amount;
    hold.absorbed = cost - hold.captured;
    hold.state = settlement.outcome === "not_executed" ? "released" : "settled";
    this.#post(hold.walletId, hold.exempt, hold.captured);
    this.#use(settlement, cost, hold.captured, hold.legs);
    return { charged: hold.captured, repeated: false };
  }

  /** Dispatched calls whose lease has run out go to review. */
  sweep(now: number): void {
    for (const hold of this.holds.values()) {
      if (hold.state === "dispatched" && hold.leaseUntil < now) hold.state = "review";
    }
  }

  markForReview(callId: string): void {
    const hold = this.holds.get(callId);
    if (hold?.state === "dispatched") hold.state = "review";
  }

  setBudget(scope: BudgetScope, id: number, limit: bigint | null, period: BudgetPeriod, now: number): void {
    const ofScope = this.budgets.filter((budget) => budget.scope === scope && budget.id === id);
    const same = ofScope.find((budget) => budget.period === period);
    if (same?.active) {
      same.limit = limit;
      return;
    }
    for (const budget of ofScope) budget.active = false;
    const budget = same ?? { scope, id, period, limit, active: true, opening: new Map<number, bigint>() };
    if (same === undefined) this.budgets.push(budget);
    budget.limit = limit;
    budget.active = true;
    const start = windowStart(period, periodStart(period, now));
    const before = new Map<number, bigint>();
    for (const use of this.usage.values()) {
      if (use.startedAt < start || idOf(scope, use) !== id) continue;
      const at = periodStart(period, use.startedAt);
      before.set(at, (before.get(at) ?? 0n) + use.charged);
    }
    for (const [at, total] of before) {
      const counted = this.#countedIn(budget, at);
      const opening = budget.opening.get(at) ?? 0n;
      budget.opening.set(at, larger(total, counted + opening) - counted);
    }
  }

  budgetOf(scope: BudgetScope, id: number): ModelBudget | null {
    return this.budgets.find((budget) => budget.scope === scope && budget.id === id && budget.active) ?? null;
  }

  /** What a budget has spent and holds in the period of a moment. */
  standing(budget: ModelBudget, now: number): { spent: bigint; held: bigint } {
    const last = periodStart(budget.period, now);
    const first = windowStart(budget.period, last);
    const counts = (legs: readonly ModelLeg[]) =>
      legs.some((leg) => leg.budget === budget && leg.start >= first && leg.start <= last);
    const opening = sum(
      [...budget.opening].filter(([at]) => at >= first && at <= last),
      ([, amount]) => amount,
    );
    return {
      spent:
        opening +
        sum(
          [...this.usage.values()].filter((use) => counts(use.legs)),
          (use) => use.charged,
        ),
      held: sum(
        this.#open((hold) => counts(hold.legs)),
        (hold) => hold.amount,
      ),
    };
  }

  /** When an amount can fit into a budget that has spent too much: its reset, or for rolling ones the hour that frees enough. */
  #fitsAt(budget: ModelBudget, amount: bigint, now: number): number {
    const start = periodStart(budget.period, now);
    if (budget.period !== "rolling") return periodEnd(budget.period, start);
    for (let hour = start - 719 * HOUR; hour <= start; hour += HOUR) {
      const isCounted =
        this.#countedIn(budget, hour) + (budget.opening.get(hour) ?? 0n) > 0n || this.#touches(budget, hour);
      if (!isCounted) continue;
      let younger = 0n;
      for (let later = hour + HOUR; later <= start; later += HOUR) {
        younger += this.#countedIn(budget, later) + (budget.opening.get(later) ?? 0n);
      }
      if (younger + amount <= (budget.limit ?? 0n)) return hour + 720 * HOUR;
    }
    return start + 720 * HOUR;
  }

  #touches(budget: ModelBudget, start: number): boolean {
    return [...this.holds.values()].some(({ legs }) =>
      legs.some((leg) => leg.budget === budget && leg.start === start),
    );
  }

  #countedIn(budget: ModelBudget, start: number): bigint {
    const uses = [...this.usage.values()].filter(({ legs }) =>
      legs.some((leg) => leg.budget === budget && leg.start === start),
    );
    return sum(uses, (use) => use.charged);
  }

  #legs(parties: Parties, at: number): ModelLeg[] {
    const budgets = BUDGET_SCOPES.map((scope) => this.#inForce(scope, parties)).filter((budget) => budget !== null);
    return budgets.map((budget) => ({ budget, start: periodStart(budget.period, at) }));
  }

  #inForce(scope: BudgetScope, parties: Parties): ModelBudget | null {
    const id = idOf(scope, parties);
    return id === null ? null : this.budgetOf(scope, id);
  }

  #use(settlement: Settlement, cost: bigint, charged: bigint, legs: readonly ModelLeg[]): void {
    this.usage.set(settlement.callId, {
      ...partiesOf(settlement),
      cost,
      charged,
      startedAt: settlement.startedAt.getTime(),
      legs,
    });
  }

  /** A payer that was exempt at admission and is not any more is spared: the house pays in its place. */
  #post(walletId: number, exempt: boolean, amount: bigint): void {
    const wallet = this.wallet(walletId);
    if (exempt && !wallet.exempt) {
      this.#houseGets("adjustment", -amount);
    } else {
      wallet.posted -= amount;
      if (exempt) wallet.exemptUsage += amount;
    }
    this.#houseGets(exempt ? "exempt_usage" : "revenue", amount);
  }

  #houseGets(kind: string, amount: bigint): void {
    this.house.set(kind, (this.house.get(kind) ?? 0n) + amount);
  }

  #open(isMeant: (hold: ModelHold) => boolean): ModelHold[] {
    return [...this.holds.values()].filter(
      (hold) => (hold.state === "dispatched" || hold.state === "review") && isMeant(hold),
    );
  }

  wallet(walletId: number): ModelWallet {
    const wallet = this.wallets.get(walletId);
    if (wallet === undefined) throw new Error(`no wallet ${walletId}`);
    return wallet;
  }
}

export type ModelBudget = {
  scope: BudgetScope;
  id: number;
  period: BudgetPeriod;
  limit: bigint | null;
  active: boolean;
  /** Spent before the budget began to count, by period. */
  opening: Map<number, bigint>;
};
type ModelLeg = { budget: ModelBudget; start: number };
export type ModelHold = Parties & {
  amount: bigint;
  state: "dispatched" | "review" | "settled" | "released";
  captured: bigint;
  absorbed: bigint;
  admittedAt: number;
  leaseUntil: number;
  legs: readonly ModelLeg[];
};
export type ModelUsage = Parties & { cost: bigint; charged: bigint; startedAt: number; legs: readonly ModelLeg[] };

const HOUR = 3_600_000;

function periodStart(period: BudgetPeriod, at: number): number {
  const date = new Date(at);
  if (period === "rolling") return Math.floor(at / HOUR) * HOUR;
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), period === "daily" ? date.getUTCDate() : 1);
}

function periodEnd(period: BudgetPeriod, start: number): number {
  const date = new Date(start);
  if (period === "rolling") return start + 720 * HOUR;
  if (period === "daily") return start + 24 * HOUR;
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

function windowStart(period: BudgetPeriod, start: number): number {
  return period === "rolling" ? start - 719 * HOUR : start;
}

const secondsUntil = (until: number, now: number): number => Math.max(1, Math.ceil((until - now) / 1000));

function idOf(scope: BudgetScope, parties: Parties): number | null {
  const { keyId, userId, departmentId, projectId, organisationId } = parties;
  return { key: keyId, user: userId, department: departmentId, project: projectId, organisation: organisationId }[
    scope
  ];
}

function partiesOf({ keyId, userId, departmentId, projectId, organisationId, walletId, exempt }: Parties): Parties {
  return { keyId, userId, departmentId, projectId, organisationId, walletId, exempt };
}

function sum<T>(items: readonly T[], amount: (item: T) => bigint): bigint {
  return items.reduce((total, item) => total + amount(item), 0n);
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
