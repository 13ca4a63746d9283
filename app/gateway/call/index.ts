import type { AttemptRecord } from "~/domain/accounting/shared";
import { recordTokenEvent } from "~/domain/credentials/index.server";
import { type Finding, health, pins, release, steadyNow, Tries, type Try } from "~/domain/routing/index.server";
import { AppError } from "~/errors/app-error";
import { ownTurn } from "~/time-slice";
import type { Call } from "../call-record";
import type { Ask } from "../canonical/ask";
import type { Exchange } from "../canonical/exchange";
import { SupplierFailure } from "../canonical/supplier-failure";
import type { Dialect, WholeAnswer } from "../dialects/dialect";
import { passageBetween } from "../dialects/passages";
import type { Plan, PricedLane } from "../route/plan";
import { adapterOf } from "../suppliers/registry";
import { BROKEN_STREAM, findingOf, mayGoElsewhere } from "./judge-failure";
import { LiveStream } from "./live-stream";

/** A supplier's answer that may be shown to the client. From here on there is no other attempt. */
export type Reply =
  | { kind: "whole"; lane: PricedLane; answer: WholeAnswer }
  | { kind: "stream"; lane: PricedLane; live: LiveStream };

/**
 * Tries the plan's lanes until one answers. The only place where a call goes to another supplier, and only while
 * nothing has been shown to the client: a stream counts as an answer with its first real content. No time passes
 * between two attempts. Every attempt is noted on the call, and what it taught in the book of health.
 * @throws SupplierFailure of the last attempt; AppError unsupported_parameter when no lane's dialect can express the ask.
 */
export async function callSupplier(call: Call, ask: Ask, plan: Plan, dialect: Dialect): Promise<Reply> {
  const { lanes, model, pinnedCredential } = plan;
  const session = plan.isFirstTurn ? null : plan.session;
  const tries = new Tries({ lanes, modelId: model.id, session, pinnedCredential }, health);
  let failure: SupplierFailure | null = null;
  let inexpressible: AppError | null = null;
  for (let next = tries.next(steadyNow()); next !== null; next = tries.next(steadyNow())) {
    const startedMs = call.elapsedMs();
    let finding: Finding = { kind: "nothing" };
    try {
      const reply = await attempt(call, ask, next, dialect);
      finding = { kind: "answered", afterMs: call.elapsedMs() - startedMs, isStream: reply.kind === "stream" };
      note(call, next, startedMs, null);
      settleDown(plan, next, reply);
      return reply;
    } catch (problem) {
      if (problem instanceof AppError) {
        inexpressible ??= problem;
        finding = { kind: "unsent" };
        continue;
      }
      if (!(problem instanceof SupplierFailure)) throw problem;
      failure = problem;
      finding = findingOf(problem);
      note(call, next, startedMs, problem);
      if (call.gone || !mayGoElsewhere(problem, ask)) break;
    } finally {
      tries.report(next, finding, steadyNow());
    }
  }
  throw failure ?? inexpressible ?? new SupplierFailure("connect", "there was no supplier to try", { executed: "no" });
}

/** The lane that answered is where the call's session stays; a stream that breaks later still counts against it. */
function settleDown({ session }: Plan, made: Try, reply: Reply): void {
  const { lane, credential } = made;
  if (session !== null) pins.set(session, { routeId: lane.routeId, credential: credential?.name ?? null }, steadyNow());
  if (reply.kind !== "stream") return;
  void reply.live.ended.then(({ kind }) => {
    release(made, health);
    if (kind === "supplier_cut" || kind === "supplier_error") health.report(made, BROKEN_STREAM, steadyNow());
  });
}

async function attempt(call: Call, ask: Ask, { lane, credential }: Try, dialect: Dialect): Promise<Reply> {
  const adapter = adapterOf(lane.supplier);
  const spoken = adapter?.speaks(dialect.name, lane) ?? null;
  const passage = spoken === null ? undefined : passageBetween(dialect.name, spoken);
  if (adapter === undefined || spoken === null || passage === undefined) {
    throw new SupplierFailure("connect", "this supplier cannot take such a request", { executed: "no" });
  }
  await ownTurn(ask.size.bodyBytes);
  const body = passage.forward(ask, lane);
  const exchange = adapter.send({
    callId: call.id,
    lane,
    credential,
    dialect: spoken,
    stream: ask.stream || passage.bytes === true,
    body,
    headers: passage.headers?.(call.request.headers) ?? NO_HEADERS,
  });
  call.whenGone(() => exchange.abort());
  const reply = await exchange.reply.catch((failure: SupplierFailure) => {
    throw passage.retell?.(failure) ?? failure;
  });
  if (reply.kind === "whole") {
    call.firstByteMs ??= call.elapsedMs();
    const answer = await passage.readAnswer(ask, reply.body);
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

/** Statuses by which a supplier finds fault with a credential. */
const REFUSALS: ReadonlySet<number | null> = new Set([401, 402, 403, 429]);

/** Of a supplier's own code for a failure, in the request log. */
const LONGEST_CODE = 200;

/** Notes an attempt on the call: for the request log, and among the reasons of its routing. */
function note(call: Call, { lane, credential }: Try, startedMs: number, failure: SupplierFailure | null): void {
  const outcome: AttemptRecord["outcome"] =
    failure === null ? "delivered" : failure.executed === "unknown" ? "unknown" : "not_executed";
  const status = failure === null ? 200 : failure.status;
  const code = failure === null ? null : (failure.supplierCode ?? failure.kind).slice(0, LONGEST_CODE);
  call.attempts.push({
    supplier: lane.supplier.name,
    region: lane.supplier.region,
    upstreamModel: lane.upstreamModel,
    startedMs,
    endedMs: call.elapsedMs(),
    outcome,
    status,
    code,
  });
  if (failure !== null && credential !== null && REFUSALS.has(failure.status)) {
    const [provider, errorKind] = [lane.supplier.name, String(failure.status)];
    recordTokenEvent({
      provider,
      keyName: credential.name,
      kind: "used_error",
      source: "traffic",
      errorKind,
      detail: code !== null && /^[\w.-]{1,100}$/.test(code) ? code : null,
    });
  }
  const told = failure === null ? "delivered" : String(failure.status ?? failure.kind);
  call.routing?.tried.push({ lane, credential: credential?.name ?? null, outcome: told });
}
