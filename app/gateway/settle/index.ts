import * as accounting from "~/domain/accounting/index.server";
import type { CallOutcome, Receipt, Settlement, UsedUnits } from "~/domain/accounting/shared";
import { priceUsage } from "~/domain/metering/index.server";
import type { RoutingRecord } from "~/domain/routing/shared";
import { unreachable } from "~/unreachable";
import type { Ticket } from "../admit";
import type { Call } from "../call-record";
import type { Ask } from "../canonical/ask";
import { NO_USAGE, type TokenSource, type Usage } from "../canonical/usage";
import type { Dialect } from "../dialects/dialect";
import type { PricedLane } from "../route";
import { describeRouting } from "../route/trace";
import { type Measurable, type Measured, measured } from "./measure";

/** How a dispatched call ended, as far as money is concerned. */
export type Outcome =
  | ({ kind: "completed"; lane: PricedLane } & Measurable)
  | ({ kind: "interrupted"; by: "client" | "supplier"; lane: PricedLane; errorCode: string | null } & Measurable)
  /** Nothing was delivered and nothing reported. `executed`: whether a supplier may have worked all the same. */
  | {
      kind: "failed";
      lane: PricedLane | null;
      executed: "no" | "unknown" | "answered";
      status: number;
      errorCode: string;
      byClient: boolean;
    };

/** `source`: whose count the usage is; `refused`: a supplier's own, which was not charged. */
export type Settled = { receipt: Receipt; usage: Usage; source?: TokenSource; refused?: Partial<Usage> | null };

/**
 * Turns a finished call into money, by the settlement matrix: reported usage is charged exactly; delivered content
 * without usage is counted and marked as an estimate; nothing delivered and nothing reported costs nothing; an attempt
 * whose outcome nobody knows keeps its hold, in review. Repeating it changes nothing.
 * @throws AppError supplier_settlement_failed when neither database nor journal can take it; the hold goes to review.
 */
export async function settle(
  call: Call,
  ask: Ask,
  ticket: Ticket,
  dialect: Dialect,
  outcome: Outcome,
): Promise<Settled> {
  try {
    return await settledBy(call, ask, ticket, dialect, outcome);
  } catch (problem) {
    // A supplier may have worked: the Idempotency-Key runs nothing a second time, and a person sees the hold.
    call.claim?.leave();
    if (ticket.held) void accounting.setAside(call.id, "settlement_failed");
    throw problem;
  }
}

async function settledBy(call: Call, ask: Ask, ticket: Ticket, dialect: Dialect, outcome: Outcome): Promise<Settled> {
  switch (outcome.kind) {
    case "completed": {
      return book(call, ask, ticket, {
        lane: outcome.lane,
        measured: await measured(ask, ticket.bounds, dialect, outcome),
        outcome: "complete",
        status: 200,
        errorCode: null,
      });
    }
    case "interrupted": {
      const ended: CallOutcome = outcome.by === "client" ? "client_abort" : "upstream_abort";
      return book(call, ask, ticket, {
        lane: outcome.lane,
        measured: await measured(ask, ticket.bounds, dialect, outcome),
        outcome: ended,
        status: 200,
        errorCode: outcome.errorCode,
      });
    }
    case "failed": {
      const { lane, status, errorCode } = outcome;
      if (outcome.executed === "unknown" && ticket.held) {
        call.claim?.leave();
        await accounting.setAside(call.id, errorCode);
        return { receipt: { chargedNanoUsd: 0n, repeated: false, durable: "database" }, usage: NO_USAGE };
      }
      const ended: CallOutcome = outcome.byClient
        ? "client_abort"
        : outcome.executed === "no"
          ? "not_executed"
          : "error";
      return book(call, ask, ticket, { lane, measured: NOTHING, outcome: ended, status, errorCode });
    }
    default:
      return unreachable(outcome);
  }
}

const NOTHING: Measured = Object.freeze({ usage: NO_USAGE, source: "supplier", refused: null });

async function book(
  call: Call,
  ask: Ask,
  ticket: Ticket,
  end: {
    lane: PricedLane | null;
    measured: Measured;
    outcome: CallOutcome;
    status: number;
    errorCode: string | null;
  },
): Promise<Settled> {
  const { lane } = end;
  const { usage, source, refused } = end.measured;
  const attempt = call.attempts.at(-1);
  const routing = routingOf(call, usage);
  const settlement: Settlement = {
    callId: call.id,
    held: ticket.held,
    endpoint: ask.endpoint,
    requestedModel: ask.requestedModel,
    model: lane?.model.id ?? ask.requestedModel,
    supplier: lane?.supplier.name ?? attempt?.supplier ?? "",
    region: lane?.supplier.region ?? attempt?.region ?? "",
    stream: ask.stream,
    sessionId: ask.sessionId,
    inputTokens: usage.inputTokens,
    cachedInputTokens: usage.cachedInputTokens,
    cacheWriteTokens: usage.cacheWriteTokens,
    outputTokens: usage.outputTokens,
    reasoningTokens: usage.reasoningTokens,
    tokenSource: source,
    costNanoUsd: lane === null || usage === NO_USAGE ? 0n : priceUsage(lane.price, usage),
    priceVersion: lane?.price.version ?? ticket.priceVersion,
    outcome: end.outcome,
    status: end.status,
    errorCode: end.errorCode,
    attempts: call.attempts,
    startedAt: call.startedAt,
    firstByteMs: call.firstByteMs,
    latencyMs: call.elapsedMs(),
    units: unitsOf(usage),
    counterfactualNanoUsd: routing?.auto === undefined ? null : BigInt(routing.auto.default.costNanoUsd),
    routing,
    refusedUsage: refused === null ? null : { ...refused, supplierCostNanoUsd: undefined },
    // Last on purpose: a literal that begins with a spread and goes on is built a thousand times slower by V8.
    ...ticket.parties,
  };
  if (call.claim !== null) await call.claim.keep(settlement, usage);
  return { receipt: await accounting.settle(settlement), usage, source, refused };
}

/** Why the call went where it went; null where there was one lane and nothing to choose. */
function routingOf({ routing }: Call, usage: Usage): RoutingRecord | null {
  if (routing === null || (routing.considered.length <= 1 && routing.auto === null && routing.order.session === null))
    return null;
  return describeRouting(routing, ({ price }) => (usage === NO_USAGE ? 0n : priceUsage(price, usage)));
}

/** What few calls use; null for all others. */
function unitsOf(usage: Usage): UsedUnits | null {
  const { milliseconds, characters, requests } = usage;
  const { cacheWriteLongTokens, audioInputTokens, audioOutputTokens, toolUses } = usage;
  const first = milliseconds ?? characters ?? requests ?? cacheWriteLongTokens;
  if ((first ?? audioInputTokens ?? audioOutputTokens ?? toolUses) === undefined) return null;
  return { cacheWriteLongTokens, audioInputTokens, audioOutputTokens, milliseconds, characters, requests, toolUses };
}
