import type { AttemptRecord } from "~/domain/accounting/shared";
import { profileOf } from "~/domain/catalogue/profiles";
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
import { connectionOf } from "~/http/server/connection";
import { ownTurn } from "~/values/time-slice";
import type { CallContext } from "../call-context";
import type { Call } from "../call-record";
import type { Exchange, Outgoing, SupplierAdapter, SupplierReply } from "../canonical/exchange";
import { SupplierFailure } from "../canonical/supplier-failure";
import type { Translator } from "../dialects/dialect";
import { translatorFor } from "../dialects/translators";
import { unsupported } from "../dialects/wire/unsupported";
import { isPending } from "../fast-path";
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
import { asStream } from "./unstreamed";

export { type Attempts, NO_ATTEMPTS } from "./attempts";
export type { Reply } from "./reply";

/**
 * Tries the plan's routes until one answers. It stops trying once content has been shown to the client: a stream counts
 * as an answer from its first real content. If no route answers, the reply has the reason: the last attempt's
 * SupplierFailure, or the AppError unsupported_parameter if no route's dialect can express the request.
 */
export const callSupplier = (callContext: GuardedCall<CallContext>, plan: RoutePlan): Promise<Reply> =>
  runAttempts(plan, new SupplierCall(callContext, plan));

/** The attempts of one call and their outcomes so far. */
class SupplierCall implements AttemptStrategy<Reply> {
  readonly #asked: GuardedCall<CallContext>;
  readonly #plan: RoutePlan;
  readonly #records: AttemptRecord[] = [];
  readonly #tried: TriedRoute[] = [];
  #startedMs = 0;
  #firstByteMs: number | null = null;
  #failure: SupplierFailure | null = null;
  #untranslatableError: AppError | null = null;
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
    const fit = translator.fit?.(inference, route);
    const written = outgoingBody(translator, inference, { route, fit });
    const { body, leftOut } = withoutLearned(written, route, dialect.name);
    const dropped = translator.leftOut?.(inference, route, fit) ?? NOTHING;
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
    const noted = notingModel(answer, route);
    const reply = inference.stream ? asStream(noted, spoken) : noted;
    if (reply.kind === "whole") {
      this.#firstByteMs ??= call.elapsedMs();
      if (reply.release !== undefined) releaseAfter(call.request, reply.release);
      const read = translator.readAnswer(inference, reply.body, route);
      const wholeReply = isPending(read) ? await read : read;
      if (inference.stream) throw new SupplierFailure("protocol", "the supplier did not stream", { executed: "yes" });
      return { kind: "whole", route, answer: wholeReply, attempts: this.#attempts() };
    }
    const guarding = guardStream(this.#asked, translator.openStream(inference, route));
    const reader = isPending(guarding) ? await orAbort(guarding, exchange) : guarding;
    const live = new LiveStream(reply.source, reader, profileOf(route).silence.contentMs);
    call.onAbort(() => live.abort());
    await orAbort(live.opened, exchange);
    this.#firstByteMs ??= call.elapsedMs();
    return { kind: "stream", route, live, attempts: this.#attempts() };
  }

  /**
   * Sends the request and returns the supplier's answer. If the supplier refuses a tuning field, the request is sent
   * once more without it: the supplier has not executed the first one.
   */
  async #answered(
    adapter: SupplierAdapter,
    outgoing: Outgoing,
    { translateError }: Translator,
  ): Promise<{ exchange: Exchange; reply: SupplierReply }> {
    const { call, dialect } = this.#asked;
    const attempt = async (attempted: Outgoing) => {
      const exchange = adapter.send(attempted);
      call.onAbort(() => exchange.abort());
      return { exchange, reply: await exchange.reply };
    };
    const translated = (error: unknown) => translateError?.(error as SupplierFailure) ?? error;
    try {
      return await attempt(outgoing);
    } catch (error) {
      const { body, route } = outgoing;
      const failure = error as SupplierFailure;
      const retry =
        call.aborted || isStrict(call.request) ? null : withoutRefused(body, { failure, route, client: dialect.name });
      if (retry === null) throw translated(error);
      call.leftOut = [...call.leftOut, ...retry.leftOut];
      return await attempt({ ...outgoing, body: retry.body }).catch((second) => {
        throw translated(second);
      });
    }
  }

  answered(reply: Reply, attempt: Attempt): AttemptResult {
    const afterMs = this.#asked.call.elapsedMs() - this.#startedMs;
    const record = this.#note(attempt, null);
    if (reply.kind === "stream") this.#noteEnd(record, reply.live);
    pinSession(this.#plan, attempt, reply);
    return { kind: "answered", afterMs, isStream: reply.kind === "stream" };
  }

  failed(error: unknown, attempt: Attempt): { result: AttemptResult; retry: boolean } {
    const { trace } = this.#asked.call;
    if (error instanceof AppError) {
      trace?.fail({ status: null, code: error.code });
      this.#untranslatableError ??= error;
      return { result: { kind: "unsent" }, retry: true };
    }
    if (!(error instanceof SupplierFailure)) {
      trace?.fail({ status: null, code: "internal_error" });
      this.#unexpected = error;
      return { result: { kind: "nothing" }, retry: false };
    }
    this.#failure = error;
    trace?.fail({ status: error.status, code: String(error.status ?? error.kind) });
    this.#note(attempt, error);
    const retry = !this.#asked.call.aborted && isRetryable(error, this.#asked.inference);
    return { result: classifyFailure(error), retry };
  }

  exhausted(): Reply {
    const none = () => new SupplierFailure("connect", "there was no supplier to try", { executed: "no" });
    const error = this.#unexpected ?? this.#failure ?? this.#untranslatableError ?? none();
    return { kind: "failed", problem: error, attempts: this.#attempts() };
  }

  /** The reply shares these lists: the last attempt is recorded after its answer is built. */
  #attempts(): Attempts {
    return { records: this.#records, tried: this.#tried, firstByteMs: this.#firstByteMs };
  }

  /**
   * Sets the end of a stream's attempt to the end of the stream. Runs before the settlement, which waits for the same
   * end.
   */
  #noteEnd(record: AttemptRecord, live: LiveStream): void {
    void live.ended.then(() => {
      record.endedMs = this.#asked.call.elapsedMs();
    });
  }

  /** Records an attempt for the request log and for the call's routing record. */
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
    const outcome = failure === null ? "delivered" : String(failure.status ?? failure.kind);
    this.#tried.push({ route, credential: credential?.name ?? null, outcome });
    return record;
  }
}

/** Releases the memory of a long answer when the client has received it. */
function releaseAfter(request: Request, release: () => void): void {
  const outgoing = connectionOf(request)?.outgoing;
  if (outgoing === undefined || outgoing.destroyed) release();
  else outgoing.once("close", release);
}

/** Whether the client prefers an error to an answer without one of its fields. */
const isStrict = ({ headers }: Request): boolean => headers.get("x-gw-strict-params")?.toLowerCase() === "true";

/** Adds a trace context to the headers for a supplier: the attempt's own if gw traces, else the client's. */
function traced({ trace, request }: Call, route: PricedRoute, headers: SentHeaders): SentHeaders {
  if (trace === null) return withTraceContext(headers, request.headers);
  const { name, kind, region, baseUrl } = route.supplier;
  return { ...headers, ...trace.begin({ supplier: name, kind, region, baseUrl, model: route.upstreamModel }) };
}

type SentHeaders = Readonly<Record<string, string>>;
const NOTHING: readonly string[] = [];
const NO_HEADERS = Object.freeze({});

/** Statuses of a failure that concerns a credential. */
const REFUSALS: ReadonlySet<number | null> = new Set([401, 402, 403, 429]);

/** Awaits a promise and aborts the exchange if it rejects. */
async function orAbort<Result>(waiting: Promise<Result>, exchange: Exchange): Promise<Result> {
  try {
    return await waiting;
  } catch (error) {
    exchange.abort();
    throw error;
  }
}

/** Pins the call's session to the route that answered. A stream that breaks later still counts against the route. */
function pinSession({ session }: RoutePlan, attempt: Attempt, reply: Reply): void {
  const { route, credential } = attempt;
  if (session !== null)
    pins.set(session, { routeId: route.routeId, credential: credential?.name ?? null }, monotonicNow());
  if (reply.kind !== "stream") return;
  void reply.live.ended.then(({ kind }) => {
    release(attempt, health);
    if (kind === "supplier_cut" || kind === "supplier_error") health.report(attempt, BROKEN_STREAM, monotonicNow());
  });
}
