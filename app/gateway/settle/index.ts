import * as accounting from "~/domain/accounting/index.server";
import type { CallOutcome, Receipt, Settlement, UsedUnits } from "~/domain/accounting/shared";
import { priceUsage } from "~/domain/pricing/index.server";
import type { Lock } from "~/domain/routing/index.server";
import type { RoutingRecord } from "~/domain/routing/shared";
import type { AppError } from "~/errors/app-error";
import { unreachable } from "~/values/unreachable";
import type { AdmittedCall } from "../admit/admission";
import type { Attempts } from "../call/attempts";
import { NO_USAGE, type TokenSource, type Usage } from "../canonical/usage";
import { isPending } from "../fast-path";
import type { PricedRoute } from "../route/route-plan";
import { describeRouting, type RoutingTrace } from "../route/trace";
import { compareCost } from "./compare-cost";
import { type Measurable, type Measured, measured } from "./measure";

/** How a dispatched call ended, as far as settlement is concerned. */
export type Outcome =
  /** `rejection`: the answer was complete, but the client got this error instead. */
  | ({ kind: "completed"; route: PricedRoute; rejection?: AppError } & Measurable)
  | ({
      kind: "interrupted";
      by: "client" | "supplier" | "guardrail";
      route: PricedRoute;
      errorCode: string | null;
    } & Measurable)
  /**
   * Nothing was delivered and no usage reported. `executed`: whether a supplier may have executed the call all the
   * same.
   */
  | {
      kind: "failed";
      route: PricedRoute | null;
      executed: "no" | "unknown" | "answered";
      status: number;
      /** Null if the client left. */
      errorCode: string | null;
      byClient: boolean;
    };

/** `source`: origin of the token counts; `refused`: usage that the supplier reported and that was not charged. */
export type Settled = { receipt: Receipt; usage: Usage; source?: TokenSource; refused?: Partial<Usage> | null };

/**
 * Settles a finished call by the settlement matrix. Reported usage is charged exactly. Delivered content without usage
 * is counted and marked as an estimate. A call without content and usage costs nothing. An attempt with an unknown
 * outcome keeps its hold, in review. May be repeated without effect. See docs/decisions/003.
 * @throws AppError supplier_settlement_failed if neither database nor journal can store it; the hold goes to review.
 */
export async function settle(admitted: AdmittedCall, attempts: Attempts, outcome: Outcome): Promise<Settled> {
  try {
    return await settledBy(admitted, attempts, outcome);
  } catch (error) {
    const { call, claim, admission } = admitted;
    // A supplier may have executed the call: keep the Idempotency-Key claimed so that it is not executed twice, and
    // send the hold to review.
    claim?.leave();
    if (admission.held) void accounting.markForReview(call.id, "settlement_failed");
    throw error;
  }
}

function settledBy(admitted: AdmittedCall, attempts: Attempts, outcome: Outcome): Promise<Settled> {
  switch (outcome.kind) {
    case "completed": {
      return record(admitted, attempts, {
        route: outcome.route,
        measured: measured(admitted, admitted.admission.bounds, outcome),
        outcome: "complete",
        status: outcome.rejection?.status ?? 200,
        errorCode: outcome.rejection?.code ?? null,
      });
    }
    case "interrupted": {
      const endedOutcome: CallOutcome = INTERRUPTED[outcome.by];
      return record(admitted, attempts, {
        route: outcome.route,
        measured: measured(admitted, admitted.admission.bounds, outcome),
        outcome: endedOutcome,
        status: 200,
        errorCode: outcome.errorCode,
      });
    }
    case "failed": {
      const { route, status, errorCode } = outcome;
      if (outcome.executed === "unknown" && admitted.admission.held) return reviewed(admitted, errorCode);
      const endedOutcome: CallOutcome = outcome.byClient
        ? "client_abort"
        : outcome.executed === "no"
          ? "not_executed"
          : "error";
      return record(admitted, attempts, { route, measured: NOTHING, outcome: endedOutcome, status, errorCode });
    }
    default:
      return unreachable(outcome);
  }
}

/** Keeps the hold and sends it to review, because it is unknown whether a supplier executed the call. */
async function reviewed({ call, claim }: AdmittedCall, errorCode: string | null): Promise<Settled> {
  claim?.leave();
  await accounting.markForReview(call.id, errorCode ?? "");
  return { receipt: { chargedNanoUsd: 0n, repeated: false, durable: "database" }, usage: NO_USAGE };
}

const INTERRUPTED = { client: "client_abort", supplier: "upstream_abort", guardrail: "error" } as const;

const NOTHING: Measured = Object.freeze({ usage: NO_USAGE, source: "supplier", refused: null });

async function record(
  { call, inference, sessionId, claim, plan, admission }: AdmittedCall,
  attempts: Attempts,
  end: {
    route: PricedRoute | null;
    measured: Measured | Promise<Measured>;
    outcome: CallOutcome;
    status: number;
    errorCode: string | null;
  },
): Promise<Settled> {
  const { route } = end;
  const { usage, source, refused } = isPending(end.measured) ? await end.measured : end.measured;
  const attempt = attempts.records.at(-1);
  const routing = routingOf(plan.trace, attempts, usage);
  const notes = notesOf(call, plan.trace.lock, { tier: usage.serviceTier, isFree: admission.isFree });
  const settlement: Settlement = {
    callId: call.id,
    held: admission.held,
    endpoint: inference.endpoint,
    requestedModel: inference.requestedModel,
    model: route?.model.id ?? inference.requestedModel,
    supplier: route?.supplier.name ?? attempt?.supplier ?? "",
    region: route?.supplier.region ?? attempt?.region ?? "",
    stream: inference.stream,
    sessionId,
    inputTokens: usage.inputTokens,
    cachedInputTokens: usage.cachedInputTokens,
    cacheWriteTokens: usage.cacheWriteTokens,
    outputTokens: usage.outputTokens,
    reasoningTokens: usage.reasoningTokens,
    tokenSource: source,
    costNanoUsd: route === null || usage === NO_USAGE ? 0n : priceUsage(route.price, usage),
    priceVersion: route?.price.version ?? admission.priceVersion,
    outcome: end.outcome,
    status: end.status,
    errorCode: end.errorCode,
    attempts: attempts.records,
    startedAt: call.startedAt,
    firstByteMs: attempts.firstByteMs,
    latencyMs: call.elapsedMs(),
    units: unitsOf(usage),
    counterfactualNanoUsd: routing?.auto === undefined ? null : BigInt(routing.auto.default.costNanoUsd),
    routing: notes === null ? routing : { ...routing, ...notes },
    refusedUsage: refused === null ? null : { ...refused, supplierCostNanoUsd: undefined },
    // Last on purpose: V8 builds a literal with a spread before other fields a thousand times slower.
    ...admission.parties,
  };
  if (claim !== null) await claim.keep(settlement, usage);
  if (route !== null) compareCost(route, usage);
  // A stored answer can be replayed at once, so book its call in the database and not only in the write-ahead log.
  const receipt = await (claim === null ? accounting.settleAhead(settlement) : accounting.settle(settlement));
  return { receipt, usage, source, refused };
}

/**
 * Returns the notes that few calls have beside their routing: guardrail matches, the batch, the tier that answered, the
 * regions of the lock, and why the call was not charged.
 */
function notesOf(
  call: AdmittedCall["call"],
  lock: Lock,
  { tier, isFree }: { tier: Usage["serviceTier"]; isFree: boolean },
): object | null {
  const batch = call.inProcess?.deferred?.batch;
  const batchId = call.inProcess?.batchId;
  // The call's region can only narrow those of its key.
  const lockedTo = lock.callRegion === null ? lock.regions : [lock.callRegion];
  const findings = call.guardrailHits.length + call.webhookNotes.length;
  if (findings + lockedTo.length === 0 && batchId === undefined && tier === undefined && !isFree) return null;
  return {
    ...(findings === 0 ? {} : { guardrails: [...call.guardrailHits, ...call.webhookNotes] }),
    ...(batch === undefined ? {} : { batch }),
    ...(batchId === undefined ? {} : { batchId }),
    ...(tier === undefined ? {} : { tier }),
    ...(lockedTo.length === 0 ? {} : { lockedTo }),
    ...(isFree ? { notCharged: "sandbox" } : {}),
  };
}

/** Returns why the call took its route; null if there was only one and nothing to choose. */
function routingOf(trace: RoutingTrace, { tried }: Attempts, usage: Usage): RoutingRecord | null {
  if (trace.considered.length <= 1 && trace.auto === null && trace.order.session === null) return null;
  return describeRouting(trace, tried, ({ price }) => (usage === NO_USAGE ? 0n : priceUsage(price, usage)));
}

/** Returns usage units that few calls have; null for all others. */
function unitsOf(usage: Usage): UsedUnits | null {
  const { milliseconds, characters, requests } = usage;
  const { cacheWriteLongTokens, audioInputTokens, audioOutputTokens, toolUses } = usage;
  const first = milliseconds ?? characters ?? requests ?? cacheWriteLongTokens;
  if ((first ?? audioInputTokens ?? audioOutputTokens ?? toolUses) === undefined) return null;
  return { cacheWriteLongTokens, audioInputTokens, audioOutputTokens, milliseconds, characters, requests, toolUses };
}
