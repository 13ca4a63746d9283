import type { Context, Span, TextMapPropagator, Tracer } from "@opentelemetry/api";
import { log } from "~/observe/log.server";

/**
 * OpenTelemetry traces of calls: a span for each request of the gateway and one for each attempt at a supplier, by the
 * conventions for HTTP servers and for generative AI. Before `startTracing` there are no spans, and the libraries are
 * not loaded. Spans have ids, numbers and codes; never contents of requests or responses.
 * https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/
 */
type Tracing = {
  api: typeof import("@opentelemetry/api");
  tracer: Tracer;
  propagator: TextMapPropagator;
  shutdown: () => Promise<void>;
};

let tracing: Tracing | null = null;

const MAX_VALUE_LENGTH = 256;
const SHUTDOWN_MS = 3_000;
const NANO_USD_OF_A_DOLLAR = 1e9;

/** The start of an attempt at a supplier. */
export type AttemptStart = { supplier: string; kind: string; region: string; baseUrl: string; model: string };
/** The failure of an attempt. `status`: the supplier's; null: no response. */
export type AttemptFailure = { status: number | null; code: string };

/** The end of a call. */
export type TracedEnd = {
  status: number;
  /** A code of the catalogue; null: success. */
  code: string | null;
  key: string | null;
  organisation: number | null;
  model: string | null;
  stream: boolean;
  /** Milliseconds from the request's arrival to the first byte; null: no supplier responded. */
  firstByteMs: number | null;
  settled: {
    inputTokens: number;
    cachedInputTokens: number;
    outputTokens: number;
    reasoningTokens: number;
    chargedNanoUsd: bigint;
  } | null;
};

/** The span of one call, and those of its attempts, one at a time. */
export class CallTrace {
  readonly #tracing: Tracing;
  readonly #span: Span;
  readonly #context: Context;
  readonly #operation: string;
  readonly #call: { readonly id: string };
  /**
   * Offset from the monotonic clock to the wall clock, fixed at the arrival, so that the spans of a call are always
   * nested.
   */
  readonly #epochMs = Date.now() - performance.now();
  #attempt: Span | null = null;

  constructor(started: Tracing, call: { request: Request; endpoint: string; readonly id: string }) {
    const { request, endpoint } = call;
    const { api, tracer, propagator } = started;
    this.#tracing = started;
    this.#call = call;
    this.#operation = OPERATIONS[endpoint] ?? endpoint;
    const parent = propagator.extract(api.ROOT_CONTEXT, request.headers, HEADERS);
    const path = `/v1/${endpoint}`;
    const attributes = {
      "http.request.method": "POST",
      "http.route": path,
      "url.path": path,
      "gen_ai.operation.name": this.#operation,
    };
    this.#span = tracer.startSpan(
      `POST ${path}`,
      { kind: api.SpanKind.SERVER, attributes, startTime: this.#now() },
      parent,
    );
    this.#context = api.trace.setSpan(parent, this.#span);
  }

  /** Starts the span of an attempt. Returns the headers that make it the parent of the supplier's spans. */
  begin({ supplier, kind, region, baseUrl, model }: AttemptStart): Record<string, string> {
    const { api, tracer, propagator } = this.#tracing;
    this.#attempt?.end(this.#now());
    const { hostname, port, protocol } = new URL(baseUrl);
    const attributes = {
      "gen_ai.operation.name": this.#operation,
      "gen_ai.provider.name": PROVIDERS[kind] ?? PROVIDERS[supplier] ?? supplier,
      "gen_ai.request.model": model,
      "server.address": hostname,
      "server.port": Number(port) || (protocol === "http:" ? 80 : 443),
      "gw.supplier": supplier,
      "gw.region": region,
    };
    const options = { kind: api.SpanKind.CLIENT, attributes, startTime: this.#now() };
    this.#attempt = tracer.startSpan(`${this.#operation} ${model}`, options, this.#context);
    const headers: Record<string, string> = {};
    propagator.inject(api.trace.setSpan(this.#context, this.#attempt), headers, api.defaultTextMapSetter);
    return headers;
  }

  /** Ends the span of the current attempt as failed; no effect without one. */
  fail({ status, code }: AttemptFailure): void {
    const { SpanStatusCode } = this.#tracing.api;
    if (status !== null) this.#attempt?.setAttribute("http.response.status_code", status);
    this.#attempt?.setAttribute("error.type", code).setStatus({ code: SpanStatusCode.ERROR });
    this.#attempt?.end(this.#now());
    this.#attempt = null;
  }

  /** Ends the span of the call, and that of an open attempt. */
  end({ status, code, key, organisation, model, stream, firstByteMs, settled }: TracedEnd): void {
    const { SpanStatusCode } = this.#tracing.api;
    const used = settled && {
      "gen_ai.usage.input_tokens": settled.inputTokens,
      "gen_ai.usage.cache_read.input_tokens": settled.cachedInputTokens,
      "gen_ai.usage.output_tokens": settled.outputTokens,
      "gen_ai.usage.reasoning.output_tokens": settled.reasoningTokens,
    };
    const attempt = this.#attempt;
    if (attempt !== null) {
      attempt.setAttributes({ "http.response.status_code": 200, ...used });
      if (code !== null) attempt.setAttribute("error.type", code).setStatus({ code: SpanStatusCode.ERROR });
      attempt.end(this.#now());
    }
    // Set at the end, because a call gets its id with its hold, or at the first use of the id.
    this.#span.setAttribute("gw.request.id", this.#call.id);
    this.#span.setAttribute("http.response.status_code", status);
    if (model !== null) this.#span.setAttributes({ "gen_ai.request.model": model, "gen_ai.request.stream": stream });
    if (key !== null) this.#span.setAttribute("gw.key.id", key);
    if (organisation !== null) this.#span.setAttribute("gw.organisation.id", organisation);
    if (firstByteMs !== null) this.#span.setAttribute("gw.first_byte_ms", firstByteMs);
    if (settled !== null)
      this.#span.setAttribute("gw.charged_usd", Number(settled.chargedNanoUsd) / NANO_USD_OF_A_DOLLAR);
    if (code !== null) this.#span.setAttribute("error.type", code);
    if (status >= 500) this.#span.setStatus({ code: SpanStatusCode.ERROR });
    this.#span.end(this.#now());
  }

  #now(): number {
    return this.#epochMs + performance.now();
  }
}

/** Starts the trace of a call, as part of the client's trace if it sent a `traceparent`; null: tracing is off. */
export const beginTrace = (call: { request: Request; endpoint: string; id: string }): CallTrace | null =>
  tracing === null ? null : new CallTrace(tracing, call);

/**
 * Starts sending spans to an OTLP endpoint over HTTP, in batches. Spans that cannot be sent are dropped and logged. The
 * libraries read headers, sampling and resource from the `OTEL_…` variables of the OpenTelemetry specification.
 */
export async function startTracing(): Promise<void> {
  const [api, { W3CTraceContextPropagator }, { BasicTracerProvider, BatchSpanProcessor }, exporter, resources] =
    await Promise.all([
      import("@opentelemetry/api"),
      import("@opentelemetry/core"),
      import("@opentelemetry/sdk-trace-base"),
      import("@opentelemetry/exporter-trace-otlp-http"),
      import("@opentelemetry/resources"),
    ]);
  const tell = (message: string) => log.warn({ problem: message.slice(0, MAX_VALUE_LENGTH) }, "tracing");
  const nothing = () => {};
  api.diag.setLogger(
    { error: tell, warn: tell, info: nothing, debug: nothing, verbose: nothing },
    { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const own = resources.resourceFromAttributes({
    "service.name": "gw",
    "process.pid": process.pid,
  });
  // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES of the operator take precedence over gw's own attributes.
  const detected = resources.detectResources({ detectors: [resources.envDetector] });
  const provider = new BasicTracerProvider({
    resource: resources.defaultResource().merge(own).merge(detected),
    spanLimits: { attributeValueLengthLimit: MAX_VALUE_LENGTH },
    spanProcessors: [new BatchSpanProcessor(new exporter.OTLPTraceExporter())],
  });
  tracing = {
    api,
    tracer: provider.getTracer("gw"),
    propagator: new W3CTraceContextPropagator(),
    shutdown: () => provider.shutdown(),
  };
}

/** Stops recording, and sends the remaining spans, for at most three seconds. Safe to repeat. */
export async function stopTracing(): Promise<void> {
  const current = tracing;
  tracing = null;
  if (current === null) return;
  const timedOut = new Promise<void>((resolve) => setTimeout(resolve, SHUTDOWN_MS).unref());
  await Promise.race([current.shutdown().catch(() => {}), timedOut]);
  current.api.diag.disable();
}

const HEADERS = {
  keys: (headers: Headers) => [...headers.keys()],
  get: (headers: Headers, name: string) => headers.get(name) ?? undefined,
};

/** Operation names of the conventions by endpoint; other endpoints use their own name. */
const OPERATIONS: Record<string, string> = {
  "chat/completions": "chat",
  messages: "chat",
  responses: "chat",
  completions: "text_completion",
};

/**
 * Provider names of the conventions, by a supplier's kind or its name in the catalogue; other suppliers use their own
 * name.
 */
const PROVIDERS: Record<string, string> = {
  bedrock: "aws.bedrock",
  cohere: "cohere",
  gemini: "gcp.gemini",
  vertex: "gcp.vertex_ai",
  azure: "azure.ai.openai",
  mistral: "mistral_ai",
  xai: "x_ai",
};
