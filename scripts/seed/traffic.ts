import { db } from "~/connection/db.server";
import type { Accounting } from "~/domain/accounting/accounting";
import type { HoldVerdict, Parties } from "~/domain/accounting/shared";
import { catalogue } from "~/domain/catalogue/index.server";
import { verifyKey } from "~/domain/keys/index.server";
import type { Caller } from "~/domain/keys/shared";
import { recordRejections } from "~/domain/request-log/index.server";
import type { NewRejection } from "~/domain/request-log/shared";
import { AppError, apiError } from "~/errors/app-error";
import { moneyError } from "~/gateway/admit/refusal";
import { inventCall, routesFor, type SeededCall } from "./calls";
import type { SeededKey } from "./keys";
import type { Random } from "./random";

export type Span = { fromMs: number; untilMs: number };
type Refusal = Exclude<HoldVerdict, { kind: "held" }>;
type Asked = { caller: Caller; call: SeededCall };
const HOUR_MS = 3_600_000;

/** Sends requests of keys in a time span through admission and settlement, like the gateway. Counts the results. */
export class Traffic {
  readonly settled = { calls: 0, refused: 0 };
  readonly #accounting: Accounting;
  readonly #random: Random;

  constructor(accounting: Accounting, random: Random) {
    this.#accounting = accounting;
    this.#random = random;
  }

  /** Sends the requests of the keys in the span; the clock must be set to its end. `scale`: level of activity. */
  async send(keys: readonly SeededKey[], span: Span, scale: number): Promise<void> {
    const asked: Asked[] = [];
    const refused: NewRejection[] = [];
    const hours = (span.untilMs - span.fromMs) / HOUR_MS;
    for (const key of keys) {
      const count = this.#random.count(key.perHour * activityAt(span.fromMs, key.unattended) * hours * scale);
      for (let number = 0; number < count; number += 1) {
        const atMs = span.fromMs + this.#random.next() * (span.untilMs - span.fromMs);
        const one = await this.#ask(key, atMs);
        if ("caller" in one) asked.push(one);
        else refused.push(...one.refused);
      }
    }
    const verdicts = await Promise.all(asked.map((each) => this.#admit(each)));
    const settling = asked.map(({ caller, call }, index) => {
      const verdict = verdicts[index]!;
      if (verdict.kind === "refused") return refused.push(refusalOf(caller, call, errorOf(verdict, caller, call)));
      this.settled.calls += 1;
      return this.#accounting.settle({ ...call.end, ...partiesOf(caller), held: needsHold(caller) });
    });
    await Promise.all(settling);
    this.settled.refused += refused.length;
    await recordRejections(db(), refused);
  }

  /** Places a hold for a call without an end. Returns the call's id; null if it was rejected. */
  async hold(key: SeededKey, atMs: number): Promise<string | null> {
    const one = await this.#ask(key, atMs);
    if (!("caller" in one) || !needsHold(one.caller)) return null;
    return (await this.#admit(one)).kind === "held" ? one.call.callId : null;
  }

  /** Sends the lines of a batch. Returns the call of each line; null: rejected. */
  async sendLines(secret: string, batchId: string, count: number): Promise<(SeededCall | null)[]> {
    const caller = await verifyKey(secret);
    const lanes = routesFor("chat", catalogue()).filter(({ supplier }) => !supplier.draining);
    const calls: (SeededCall | null)[] = [];
    for (let index = 0; index < count; index += 1) {
      const call = inventCall("chat", this.#random.pick(lanes), Date.now(), this.#random);
      const verdict = await this.#admit({ caller, call });
      if (verdict.kind === "held") {
        this.settled.calls += 1;
        const routing = { batchId };
        await this.#accounting.settle({
          ...call.end,
          stream: false,
          routing,
          ...partiesOf(caller),
          held: needsHold(caller),
        });
      }
      calls.push(verdict.kind === "held" ? call : null);
    }
    return calls;
  }

  async #ask(key: SeededKey, atMs: number): Promise<Asked | { refused: NewRejection[] }> {
    const use = this.#random.weighted(key.taste);
    const lanes = routesFor(use, catalogue());
    const lane = lanes.length === 0 ? null : this.#random.pick(lanes);
    if (lane === null) return { refused: [] };
    const call = inventCall(use, lane, atMs, this.#random);
    try {
      const caller = await verifyKey(key.secret);
      if (key.forbidden.length > 0 && this.#random.next() < 0.04) {
        call.end.requestedModel = this.#random.pick(key.forbidden);
        return { refused: [refusalOf(caller, call, apiError("model_not_allowed"))] };
      }
      if (caller.allowedModels.length > 0 && !caller.allowedModels.includes(lane.model.id)) return { refused: [] };
      return { caller, call };
    } catch (error) {
      // A suspended, revoked or expired key has no caller, so no account could see its rejections.
      if (error instanceof AppError) return { refused: [] };
      throw error;
    }
  }

  #admit({ caller, call }: Asked): Promise<HoldVerdict> {
    if (!needsHold(caller)) return Promise.resolve({ kind: "held" });
    const { callId, amountNanoUsd, priceVersion } = call;
    const { rateLimitRpm } = caller;
    return this.#accounting.admit({ callId, amountNanoUsd, priceVersion, rateLimitRpm, ...partiesOf(caller) });
  }
}

const needsHold = ({ exempt, limited }: Caller): boolean => !exempt || limited;

function partiesOf(caller: Caller): Parties {
  const { keyId, userId, departmentId, projectId, organisationId, walletId, exempt } = caller;
  return { keyId, userId, departmentId, projectId, organisationId, walletId, exempt };
}

/** The error that the gateway would return. */
function errorOf(refusal: Refusal, caller: Caller, { amountNanoUsd, bounds }: SeededCall): AppError {
  return refusal.code === "rate_limit_exceeded"
    ? apiError(refusal.code)
    : moneyError({ caller }, { refusal, amountNanoUsd, bounds, ceiling: null, tokens: null });
}

const refusalOf = (caller: Caller, { callId, end }: SeededCall, error: AppError): NewRejection => ({
  at: end.startedAt,
  keyId: caller.keyId,
  organisationId: caller.organisationId,
  requestId: callId,
  endpoint: end.endpoint,
  model: end.requestedModel,
  code: error.code,
  status: error.status,
  param: error.param,
  humanMessage: error.humanMessage,
  retryAfterSeconds: error.retryAfterSeconds,
  details: error.details,
  walletId: error.details?.scope === "wallet" ? caller.walletId : null,
  scope: typeof error.details?.scope === "string" ? error.details.scope : null,
});

/** Activity at a time, 0 to 1: working days and hours in UTC. Programs are nearly as active at night. */
function activityAt(atMs: number, unattended: boolean): number {
  const at = new Date(atMs);
  const isWeekend = at.getUTCDay() === 0 || at.getUTCDay() === 6;
  const hour = at.getUTCHours() + at.getUTCMinutes() / 60;
  const day = Math.max(0, Math.sin(((hour - 6) / 13) * Math.PI));
  if (unattended) return 0.35 + day * (isWeekend ? 0.3 : 0.65);
  return isWeekend ? day * 0.06 : day;
}
