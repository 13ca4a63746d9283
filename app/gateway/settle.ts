import * as accounting from "~/domain/accounting/index.server";
import type { CallOutcome, Receipt, Settlement } from "~/domain/accounting/shared";
import { priceUsage } from "~/domain/metering/index.server";
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

/** What tells how much was used: the supplier's totals, else its count of what went in, else the texts themselves. */
type Measurable = { usage: Usage | null; estimated?: boolean; promptUsage?: Usage | null; outputText: () => string };

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
  end: Measurable & { lane: PricedLane },
): Promise<{ usage: Usage; source: TokenSource }> {
  const believed = end.usage !== null && isPlausible(end.usage, bounds) ? end.usage : null;
  const known = believed ?? unitsOf(ask);
  // Sound, characters and searches have no tokens; those are of interest only where the price list names them.
  if (known !== null && (hasTokens(known) || !pricesTokens(end.lane)))
    return { usage: known, source: believed === null || end.estimated ? "estimated" : "supplier" };
  const outputTokens = await countTokens(end.outputText());
  const { promptUsage = null } = end;
  if (promptUsage !== null && isPlausible(promptUsage, bounds))
    return { usage: { ...promptUsage, outputTokens }, source: "estimated" };
  const inputTokens = await countTokens(dialect.promptText(ask));
  return { usage: { ...(known ?? NO_USAGE), inputTokens, outputTokens }, source: "estimated" };
}

/** What gw knows of an ask that is not billed by tokens; null for all others. */
function unitsOf({ size }: Ask): Usage | null {
  const { milliseconds, characters } = size;
  return milliseconds === undefined && characters === undefined ? null : { ...NO_USAGE, milliseconds, characters };
}

/** Whether a usage is told in tokens: always, unless it is told in something else. */
const hasTokens = ({ inputTokens, outputTokens, milliseconds, characters, requests }: Usage) =>
  inputTokens + outputTokens > 0 || (milliseconds ?? characters ?? requests) === undefined;

const pricesTokens = ({ price }: PricedLane) => price.inputPerMtok > 0n || price.outputPerMtok > 0n;

/**
 * Usage far beyond what the request could cause is a supplier's mistake and is not charged. Twice the bound leaves room
 * for what suppliers add themselves (system text, tool descriptions, reasoning).
 */
function isPlausible(usage: Usage, bounds: TokenBounds): boolean {
  const { milliseconds = 0, requests = 1 } = usage;
  return (
    usage.inputTokens <= 2 * bounds.inputTokens + 10_000 &&
    usage.outputTokens <= 2 * bounds.outputTokens + 10_000 &&
    milliseconds <= 2 * (bounds.milliseconds ?? 0) + 60_000 &&
    requests <= 2 * (bounds.requests ?? 1) + 10
  );
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
    // Last on purpose: a literal that begins with a spread and goes on is built a thousand times slower by V8.
    ...ticket.parties,
  };
  return { receipt: await accounting.settle(settlement), usage };
}
