import * as accounting from "~/domain/accounting/index.server";
import type { CallOutcome, Receipt, Settlement } from "~/domain/accounting/shared";
import { priceUsage } from "~/domain/metering/price-usage";
import { unreachable } from "~/unreachable";
import type { Ticket, TokenBounds } from "./admit";
import type { Call } from "./call-record";
import type { Ask } from "./canonical/ask";
import { NO_USAGE, type TokenSource, type Usage } from "./canonical/usage";
import type { Dialect } from "./dialects/dialect";
import { countTokens } from "./estimate";
import type { PricedLane } from "./route";

/** How a dispatched call ended, as far as money is concerned. */
export type Outcome =
  | { kind: "completed"; lane: PricedLane; usage: Usage | null; outputText: () => string }
  | {
      kind: "interrupted";
      by: "client" | "supplier";
      lane: PricedLane;
      usage: Usage | null;
      outputText: () => string;
      errorCode: string | null;
    }
  /** Nothing was delivered and nothing reported. `executed`: whether a supplier may have worked all the same. */
  | {
      kind: "failed";
      lane: PricedLane | null;
      executed: "no" | "unknown" | "answered";
      status: number;
      errorCode: string;
      byClient: boolean;
    };

export type Settled = { receipt: Receipt; usage: Usage };

/**
 * Turns a finished call into money, by the settlement matrix: reported usage is charged exactly; delivered content
 * without usage is counted and marked as an estimate; nothing delivered and nothing reported costs nothing; an attempt
 * whose outcome nobody knows keeps its hold, in review. Repeating it changes nothing.
 * @throws AppError supplier_settlement_failed when neither database nor journal can take it.
 */
export async function settle(
  call: Call,
  ask: Ask,
  ticket: Ticket,
  dialect: Dialect,
  outcome: Outcome,
): Promise<Settled> {
  switch (outcome.kind) {
    case "completed": {
      const { usage, source } = await measured(ask, ticket.bounds, dialect, outcome);
      return book(call, ask, ticket, {
        lane: outcome.lane,
        usage,
        source,
        outcome: "complete",
        status: 200,
        errorCode: null,
      });
    }
    case "interrupted": {
      const { usage, source } = await measured(ask, ticket.bounds, dialect, outcome);
      const ended: CallOutcome = outcome.by === "client" ? "client_abort" : "upstream_abort";
      return book(call, ask, ticket, {
        lane: outcome.lane,
        usage,
        source,
        outcome: ended,
        status: 200,
        errorCode: outcome.errorCode,
      });
    }
    case "failed": {
      const { lane, status, errorCode } = outcome;
      if (outcome.executed === "unknown" && ticket.held) {
        await accounting.setAside(call.id, errorCode);
        return { receipt: { chargedNanoUsd: 0n, repeated: false, durable: "database" }, usage: NO_USAGE };
      }
      const ended: CallOutcome = outcome.byClient
        ? "client_abort"
        : outcome.executed === "no"
          ? "not_executed"
          : "error";
      return book(call, ask, ticket, { lane, usage: NO_USAGE, source: "supplier", outcome: ended, status, errorCode });
    }
    default:
      return unreachable(outcome);
  }
}

/** The supplier's own figures when they can be true, else gw's count of what went in and what came out. */
async function measured(
  ask: Ask,
  bounds: TokenBounds,
  dialect: Dialect,
  end: { usage: Usage | null; outputText: () => string },
): Promise<{ usage: Usage; source: TokenSource }> {
  if (end.usage !== null && isPlausible(end.usage, bounds)) return { usage: end.usage, source: "supplier" };
  const outputTokens = await countTokens(end.outputText());
  const inputTokens = await countTokens(dialect.promptText(ask));
  return { usage: { ...NO_USAGE, inputTokens, outputTokens }, source: "estimated" };
}

/**
 * Usage far beyond what the request could cause is a supplier's mistake and is not charged. Twice the bound leaves room
 * for what suppliers add themselves (system text, tool descriptions, reasoning).
 */
function isPlausible(usage: Usage, bounds: TokenBounds): boolean {
  return usage.inputTokens <= 2 * bounds.inputTokens + 10_000 && usage.outputTokens <= 2 * bounds.outputTokens + 10_000;
}

async function book(
  call: Call,
  ask: Ask,
  ticket: Ticket,
  end: {
    lane: PricedLane | null;
    usage: Usage;
    source: TokenSource;
    outcome: CallOutcome;
    status: number;
    errorCode: string | null;
  },
): Promise<Settled> {
  const { lane, usage } = end;
  const attempt = call.attempts.at(-1);
  const settlement: Settlement = {
    ...ticket.parties,
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
    tokenSource: end.source,
    costNanoUsd: lane === null || usage === NO_USAGE ? 0n : priceUsage(lane.price, usage),
    priceVersion: lane?.price.version ?? 0,
    outcome: end.outcome,
    status: end.status,
    errorCode: end.errorCode,
    attempts: call.attempts,
    startedAt: call.startedAt,
    firstByteMs: call.firstByteMs,
    latencyMs: call.elapsedMs(),
  };
  return { receipt: await accounting.settle(settlement), usage };
}
