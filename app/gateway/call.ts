import type { AttemptRecord } from "~/domain/accounting/shared";
import type { Call } from "./call-record";
import type { Ask } from "./canonical/ask";
import type { Dialect, WholeAnswer } from "./dialects/dialect";
import { passageBetween } from "./dialects/passages";
import { LiveStream } from "./live-stream";
import type { Plan, PricedLane } from "./route";
import { type Exchange, SupplierFailure } from "./suppliers/adapter";
import { adapterOf } from "./suppliers/registry";

/** A supplier's answer that may be shown to the client. From here on there is no other attempt. */
export type Reply =
  | { kind: "whole"; lane: PricedLane; answer: WholeAnswer }
  | { kind: "stream"; lane: PricedLane; live: LiveStream };

/** No request is sent to more suppliers than this. */
export const MAX_ATTEMPTS = 3;

/**
 * Tries the plan's lanes in their order until one answers. The only place where a call goes to another supplier, and
 * only while nothing has been shown to the client: a stream counts as an answer with its first real content.
 * Every attempt is noted on the call.
 * @throws SupplierFailure of the last attempt.
 */
export async function callSupplier(call: Call, ask: Ask, plan: Plan, dialect: Dialect): Promise<Reply> {
  let last: SupplierFailure | null = null;
  for (const lane of plan.lanes.slice(0, MAX_ATTEMPTS)) {
    const startedMs = call.elapsedMs();
    try {
      const reply = await attempt(call, ask, lane, dialect);
      call.attempts.push(record(call, lane, startedMs, "delivered", null));
      return reply;
    } catch (problem) {
      if (!(problem instanceof SupplierFailure)) throw problem;
      call.attempts.push(
        record(call, lane, startedMs, problem.executed === "unknown" ? "unknown" : "not_executed", problem),
      );
      last = problem;
      if (call.gone || !mayGoElsewhere(problem, ask)) break;
    }
  }
  throw last ?? new SupplierFailure("connect", "there was no supplier to try", { executed: "no" });
}

async function attempt(call: Call, ask: Ask, lane: PricedLane, dialect: Dialect): Promise<Reply> {
  const adapter = adapterOf(lane.supplier);
  const spoken = adapter?.speaks(dialect.name, lane) ?? null;
  const passage = spoken === null ? undefined : passageBetween(dialect.name, spoken);
  if (adapter === undefined || spoken === null || passage === undefined) {
    throw new SupplierFailure("connect", "this supplier cannot take such a request", { executed: "no" });
  }
  const body = passage.forward(ask, lane);
  const exchange = adapter.send({
    callId: call.id,
    lane,
    dialect: spoken,
    stream: ask.stream,
    body,
    headers: NO_HEADERS,
  });
  call.whenGone(() => exchange.abort());
  const reply = await exchange.reply;
  if (reply.kind === "whole") {
    call.firstByteMs ??= call.elapsedMs();
    const answer = passage.readAnswer(ask, reply.body);
    if (ask.stream) throw new SupplierFailure("protocol", "the supplier did not stream", { executed: "yes" });
    return { kind: "whole", lane, answer };
  }
  const live = new LiveStream(reply.source, passage.openStream(ask));
  call.whenGone(() => live.abort());
  await opened(live, exchange);
  call.firstByteMs ??= call.elapsedMs();
  return { kind: "stream", lane, live };
}

const NO_HEADERS = Object.freeze({});

async function opened(live: LiveStream, exchange: Exchange): Promise<void> {
  try {
    await live.opened;
  } catch (problem) {
    exchange.abort();
    throw problem;
  }
}

/** Whether another supplier may be asked after this failure. */
function mayGoElsewhere(failure: SupplierFailure, ask: Ask): boolean {
  if (failure.kind === "aborted") return false;
  if (failure.status !== null) return RETRIED.has(failure.status) || failure.status >= 500;
  return failure.executed !== "unknown" || ask.retrySafe;
}

/** A supplier's busy or slow answers, and those that say that gw's own credential is bad. */
const RETRIED = new Set([401, 402, 403, 408, 409, 425, 429]);

function record(
  call: Call,
  lane: PricedLane,
  startedMs: number,
  outcome: AttemptRecord["outcome"],
  failure: SupplierFailure | null,
): AttemptRecord {
  return {
    supplier: lane.supplier.name,
    region: lane.supplier.region,
    upstreamModel: lane.upstreamModel,
    startedMs,
    endedMs: call.elapsedMs(),
    outcome,
    status: failure === null ? 200 : failure.status,
    code: failure === null ? null : (failure.supplierCode ?? failure.kind),
  };
}
