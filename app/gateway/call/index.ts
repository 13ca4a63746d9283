import type { AttemptRecord } from "~/domain/accounting/shared";
import { recordTokenEvent } from "~/domain/credentials/index.server";
import { type Finding, health, pins, release, steadyNow, type Try } from "~/domain/routing/index.server";
import { AppError } from "~/errors/app-error";
import { ownTurn } from "~/time-slice";
import type { Asked } from "../asked";
import type { Exchange } from "../canonical/exchange";
import { SupplierFailure } from "../canonical/supplier-failure";
import { passageBetween } from "../dialects/passages";
import type { Plan } from "../route/plan";
import type { TriedLane } from "../route/trace";
import { adapterOf } from "../suppliers/registry";
import { type Attempts, type Errand, tryLanes } from "./attempts";
import { BROKEN_STREAM, findingOf, mayGoElsewhere } from "./judge-failure";
import { LiveStream } from "./live-stream";
import type { Reply } from "./reply";

export { type Attempts, NO_ATTEMPTS } from "./attempts";
export type { FailedReply, Reply, StreamReply, WholeReply } from "./reply";

/**
 * Tries the plan's lanes until one answers, and only while nothing has been shown to the client: a stream counts as an
 * answer with its first real content. Where none answers, the reply says why: the last attempt's SupplierFailure, or
 * the AppError unsupported_parameter when no lane's dialect can express the ask.
 */
export const callSupplier = (asked: Asked, plan: Plan): Promise<Reply> => tryLanes(plan, new Inquiry(asked, plan));

/** One call's errand at the suppliers, and what it has met there so far. */
class Inquiry implements Errand<Reply> {
  readonly #asked: Asked;
  readonly #plan: Plan;
  readonly #records: AttemptRecord[] = [];
  readonly #tried: TriedLane[] = [];
  #startedMs = 0;
  #firstByteMs: number | null = null;
  #failure: SupplierFailure | null = null;
  #inexpressible: AppError | null = null;
  #unexpected: unknown = null;

  constructor(asked: Asked, plan: Plan) {
    this.#asked = asked;
    this.#plan = plan;
  }

  async attempt({ lane, credential }: Try): Promise<Reply> {
    const { call, ask, dialect } = this.#asked;
    this.#startedMs = call.elapsedMs();
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
      this.#firstByteMs ??= call.elapsedMs();
      const answer = await passage.readAnswer(ask, reply.body);
      if (ask.stream) throw new SupplierFailure("protocol", "the supplier did not stream", { executed: "yes" });
      return { kind: "whole", lane, answer, attempts: this.#attempts() };
    }
    const live = new LiveStream(reply.source, passage.openStream(ask));
    call.whenGone(() => live.abort());
    await opened(live, exchange);
    this.#firstByteMs ??= call.elapsedMs();
    return { kind: "stream", lane, live, attempts: this.#attempts() };
  }

  succeeded(reply: Reply, made: Try): Finding {
    const afterMs = this.#asked.call.elapsedMs() - this.#startedMs;
    this.#note(made, null);
    settleDown(this.#plan, made, reply);
    return { kind: "answered", afterMs, isStream: reply.kind === "stream" };
  }

  failed(problem: unknown, made: Try): { finding: Finding; goOn: boolean } {
    if (problem instanceof AppError) {
      this.#inexpressible ??= problem;
      return { finding: { kind: "unsent" }, goOn: true };
    }
    if (!(problem instanceof SupplierFailure)) {
      this.#unexpected = problem;
      return { finding: { kind: "nothing" }, goOn: false };
    }
    this.#failure = problem;
    this.#note(made, problem);
    const goOn = !this.#asked.call.aborted && mayGoElsewhere(problem, this.#asked.ask);
    return { finding: findingOf(problem), goOn };
  }

  gaveUp(): Reply {
    const none = () => new SupplierFailure("connect", "there was no supplier to try", { executed: "no" });
    const problem = this.#unexpected ?? this.#failure ?? this.#inexpressible ?? none();
    return { kind: "failed", problem, attempts: this.#attempts() };
  }

  /** The lists are shared with the reply: the last attempt is noted once it has succeeded. */
  #attempts(): Attempts {
    return { records: this.#records, tried: this.#tried, firstByteMs: this.#firstByteMs };
  }

  /** Notes an attempt: for the request log, and among the reasons of the call's routing. */
  #note({ lane, credential }: Try, failure: SupplierFailure | null): void {
    const outcome: AttemptRecord["outcome"] =
      failure === null ? "delivered" : failure.executed === "unknown" ? "unknown" : "not_executed";
    const status = failure === null ? 200 : failure.status;
    const code = failure === null ? null : (failure.supplierCode ?? failure.kind).slice(0, LONGEST_CODE);
    this.#records.push({
      supplier: lane.supplier.name,
      region: lane.supplier.region,
      upstreamModel: lane.upstreamModel,
      startedMs: this.#startedMs,
      endedMs: this.#asked.call.elapsedMs(),
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
    this.#tried.push({ lane, credential: credential?.name ?? null, outcome: told });
  }
}

const NO_HEADERS = Object.freeze({});

/** Statuses by which a supplier finds fault with a credential. */
const REFUSALS: ReadonlySet<number | null> = new Set([401, 402, 403, 429]);

/** Of a supplier's own code for a failure, in the request log. */
const LONGEST_CODE = 200;

async function opened(live: LiveStream, exchange: Exchange): Promise<void> {
  try {
    await live.opened;
  } catch (problem) {
    exchange.abort();
    throw problem;
  }
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
