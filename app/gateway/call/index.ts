import type { AttemptRecord } from "~/domain/accounting/shared";
import { recordTokenEvent } from "~/domain/credentials/index.server";
import {
  type Attempt,
  type AttemptResult,
  health,
  monotonicNow,
  type PricedRoute,
  pins,
  release,
} from "~/domain/routing/index.server";
import { AppError } from "~/errors/app-error";
import { connectionOf } from "~/http/connection";
import { ownTurn } from "~/time-slice";
import type { CallContext } from "../call-context";
import type { Call } from "../call-record";
import type { Exchange, Outgoing, SupplierAdapter, SupplierReply } from "../canonical/exchange";
import { SupplierFailure } from "../canonical/supplier-failure";
import type { Translator } from "../dialects/dialect";
import { translatorFor } from "../dialects/translators";
import { unsupported } from "../dialects/wire/unsupported";
import { type GuardedCall, guardStream, outgoingBody } from "../guard";
import type { RoutePlan } from "../route/route-plan";
import type { TriedRoute } from "../route/trace";
import { adapterOf } from "../suppliers/registry";
import { notingModel } from "./answered-model";
import { attemptRecord } from "./attempt-record";
import { type AttemptStrategy, type Attempts, runAttempts } from "./attempts";
import { attemptEnd, BROKEN_STREAM, classifyFailure, isRetryable } from "./classify-failure";
import { withoutLearned, withoutRefused } from "./learned-fields";
import { LiveStream } from "./live-stream";
import type { Reply } from "./reply";
import { withTraceContext } from "./trace-context";

export { type Attempts, NO_ATTEMPTS } from "./attempts";
export type { Reply } from "./reply";

/**
 * Tries the plan's routes until one answers, and only while nothing has been shown to the client: a stream counts as an
 * answer with its first real content. Where none answers, the reply says why: the last attempt's SupplierFailure, or
 * the AppError unsupported_parameter when no route's dialect can express the request.
 */
export const callSupplier = (callContext: GuardedCall<CallContext>, plan: RoutePlan): Promise<Reply> =>
  runAttempts(plan, new SupplierCall(callContext, plan));

/** One call's errand at the suppliers, and what it has met there so far. */
class SupplierCall implements AttemptStrategy<Reply> {
  readonly #asked: GuardedCall<CallContext>;
  readonly #plan: RoutePlan;
  readonly #records: AttemptRecord[] = [];
  readonly #tried: TriedRoute[] = [];
  #startedMs = 0;
  #firstByteMs: number | null = null;
  #failure: SupplierFailure | null = null;
  #inexpressible: AppError | null = null;
  #unexpected: unknown = null;

  constructor(callContext: GuardedCall<CallContext>, plan: RoutePlan) {
    this.#asked = callContext;
    this.#plan = plan;
  }

  async attempt({ route, credential }: Attempt): Promise<Reply> {
    const { call, inference, dialect } = this.#asked;
    this.#startedMs = call.elapsedMs();
    const adapter = adapterOf(route.supplier);
    const spoken = adapter?.speaks(dialect.name, route, inference) ?? null;
    const translator = spoken === null ? undefined : translatorFor(dialect.name, spoken);
    if (adapter === undefined || spoken === null || translator === undefined) {
      throw new SupplierFailure("connect", "this supplier cannot take such a request", { executed: "no" });
    }
    const turn = ownTurn(inference.size.bodyBytes);
    if (turn !== undefined) await turn;
    const written = outgoingBody(translator, inference, route);
    const { body, leftOut } = withoutLearned(written, route, dialect.name);
    const dropped = translator.leftOut?.(inference, route) ?? NOTHING;
    call.leftOut = leftOut.length === 0 ? dropped : [...dropped, ...leftOut];
    if (call.leftOut.length > 0 && isStrict(call.request)) throw unsupported(call.leftOut[0]!);
    const outgoing: Outgoing = {
      callId: call.id,
      route,
      credential,
      dialect: spoken,
      stream: inference.stream || translator.bytes === true,
      body,
      headers: traced(call, route, translator.headers?.(call.request.headers) ?? NO_HEADERS),
    };
    const { exchange, reply: answer } = await this.#answered(adapter, outgoing, translator);
    const reply = notingModel(answer, route);
    if (reply.kind === "whole") {
      this.#firstByteMs ??= call.elapsedMs();
      if (reply.release !== undefined) releaseBehind(call.request, reply.release);
      const read = translator.readAnswer(inference, reply.body, route);
      const whole = read instanceof Promise ? await read : read;
      if (inference.stream) throw new SupplierFailure("protocol", "the supplier did not stream", { executed: "yes" });
      return { kind: "whole", route, answer: whole, attempts: this.#attempts() };
    }
    const guarding = guardStream(this.#asked, translator.openStream(inference, route));
    const live = new LiveStream(reply.source, guarding instanceof Promise ? await guarding : guarding);
    call.onAbort(() => live.abort());
    await opened(live, exchange);
    this.#firstByteMs ??= call.elapsedMs();
    return { kind: "stream", route, live, attempts: this.#attempts() };
  }

  /** What a supplier answers. One that refuses a field that only tunes is asked once more without it: it has not worked. */
  async #answered(
    adapter: SupplierAdapter,
    outgoing: Outgoing,
    { translateError }: Translator,
  ): Promise<{ exchange: Exchange; reply: SupplierReply }> {
    const { call, dialect } = this.#asked;
    const ask = async (asked: Outgoing) => {
      const exchange = adapter.send(asked);
      call.onAbort(() => exchange.abort());
      return { exchange, reply: await exchange.reply };
    };
    const told = (problem: unknown) => translateError?.(problem as SupplierFailure) ?? problem;
    try {
      return await ask(outgoing);
    } catch (problem) {
      const { body, route } = outgoing;
      const failure = problem as SupplierFailure;
      const again =
        call.aborted || isStrict(call.request) ? null : withoutRefused(body, { failure, route, client: dialect.name });
      if (again === null) throw told(problem);
      call.leftOut = [...call.leftOut, ...again.leftOut];
      return await ask({ ...outgoing, body: again.body }).catch((second) => {
        throw told(second);
      });
    }
  }

  answered(reply: Reply, made: Attempt): AttemptResult {
    const afterMs = this.#asked.call.elapsedMs() - this.#startedMs;
    const record = this.#note(made, null);
    if (reply.kind === "stream") this.#noteEnd(record, reply.live);
    pinSession(this.#plan, made, reply);
    return { kind: "answered", afterMs, isStream: reply.kind === "stream" };
  }

  failed(problem: unknown, made: Attempt): { result: AttemptResult; retry: boolean } {
    const { trace } = this.#asked.call;
    if (problem instanceof AppError) {
      trace?.fail({ status: null, code: problem.code });
      this.#inexpressible ??= problem;
      return { result: { kind: "unsent" }, retry: true };
    }
    if (!(problem instanceof SupplierFailure)) {
      trace?.fail({ status: null, code: "internal_error" });
      this.#unexpected = problem;
      return { result: { kind: "nothing" }, retry: false };
    }
    this.#failure = problem;
    trace?.fail({ status: problem.status, code: String(problem.status ?? problem.kind) });
    this.#note(made, problem);
    const retry = !this.#asked.call.aborted && isRetryable(problem, this.#asked.inference);
    return { result: classifyFailure(problem), retry };
  }

  exhausted(): Reply {
    const none = () => new SupplierFailure("connect", "there was no supplier to try", { executed: "no" });
    const problem = this.#unexpected ?? this.#failure ?? this.#inexpressible ?? none();
    return { kind: "failed", problem, attempts: this.#attempts() };
  }

  /** The lists are shared with the reply: the last attempt is noted once it has succeeded. */
  #attempts(): Attempts {
    return { records: this.#records, tried: this.#tried, firstByteMs: this.#firstByteMs };
  }

  /** A stream is the supplier's until it ends. Noted before the call is settled, which waits for the same end. */
  #noteEnd(record: AttemptRecord, live: LiveStream): void {
    void live.ended.then(() => {
      record.endedMs = this.#asked.call.elapsedMs();
    });
  }

  /** Notes an attempt: for the request log, and among the reasons of the call's routing. */
  #note({ route, credential }: Attempt, failure: SupplierFailure | null): AttemptRecord {
    const end = attemptEnd(failure);
    const record = attemptRecord(route, { startedMs: this.#startedMs, endedMs: this.#asked.call.elapsedMs() }, end);
    this.#records.push(record);
    if (failure !== null && credential !== null && REFUSALS.has(failure.status)) {
      const [provider, errorKind] = [route.supplier.name, String(failure.status)];
      recordTokenEvent({
        provider,
        keyName: credential.name,
        kind: "used_error",
        source: "traffic",
        errorKind,
        detail: end.code !== null && /^[\w.-]{1,100}$/.test(end.code) ? end.code : null,
      });
    }
    const told = failure === null ? "delivered" : String(failure.status ?? failure.kind);
    this.#tried.push({ route, credential: credential?.name ?? null, outcome: told });
    return record;
  }
}

/** A long answer is in memory until the client has it. */
function releaseBehind(request: Request, release: () => void): void {
  const outgoing = connectionOf(request)?.outgoing;
  if (outgoing === undefined || outgoing.destroyed) release();
  else outgoing.once("close", release);
}

/** Whether the client would rather have a refusal than an answer without one of its fields. */
const isStrict = ({ headers }: Request): boolean => headers.get("x-gw-strict-params")?.toLowerCase() === "true";

/** The headers for a supplier with a trace context among them: the attempt's where gw traces, else the client's. */
function traced({ trace, request }: Call, route: PricedRoute, headers: SentHeaders): SentHeaders {
  if (trace === null) return withTraceContext(headers, request.headers);
  const { name, kind, region, baseUrl } = route.supplier;
  return { ...headers, ...trace.begin({ supplier: name, kind, region, baseUrl, model: route.upstreamModel }) };
}

type SentHeaders = Readonly<Record<string, string>>;
const NOTHING: readonly string[] = [];
const NO_HEADERS = Object.freeze({});

/** Statuses by which a supplier finds fault with a credential. */
const REFUSALS: ReadonlySet<number | null> = new Set([401, 402, 403, 429]);

async function opened(live: LiveStream, exchange: Exchange): Promise<void> {
  try {
    await live.opened;
  } catch (problem) {
    exchange.abort();
    throw problem;
  }
}

/** The route that answered is where the call's session stays; a stream that breaks later still counts against it. */
function pinSession({ session }: RoutePlan, made: Attempt, reply: Reply): void {
  const { route, credential } = made;
  if (session !== null)
    pins.set(session, { routeId: route.routeId, credential: credential?.name ?? null }, monotonicNow());
  if (reply.kind !== "stream") return;
  void reply.live.ended.then(({ kind }) => {
    release(made, health);
    if (kind === "supplier_cut" || kind === "supplier_error") health.report(made, BROKEN_STREAM, monotonicNow());
  });
}
