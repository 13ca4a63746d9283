import type { Counter, Histogram, Registry } from "prom-client";

/**
 * Prometheus metrics of this process. Before `startMetrics` there are no counters, and the library is not loaded.
 * Labels have few values: endpoints, codes of the catalogue, suppliers; never a key, a person, an organisation or
 * client input.
 */
type Metrics = {
  registry: Registry;
  requests: Counter<"endpoint" | "status" | "code">;
  seconds: Histogram<"endpoint">;
  firstByte: Histogram<"endpoint">;
  tokens: Counter<"endpoint" | "direction">;
  charged: Counter<"endpoint">;
  guardrails: Counter<"on" | "action">;
  attempts: Counter<"supplier" | "region" | "outcome">;
  attemptSeconds: Histogram<"supplier" | "region">;
  learnedRefusals: Counter<"supplier" | "field">;
  turns: Counter<"kind" | "result">;
  turnItems: Counter<"kind">;
  turnSeconds: Histogram<"kind">;
};

let metrics: Metrics | null = null;

const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const TURN_SECONDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1];
const NANO_USD_OF_A_DOLLAR = 1e9;

/** Numbers by the values of a label. */
type LabelledValues = Iterable<readonly [value: string, figure: number]>;

/** A value that is read at a scrape; with a label, several values. */
export type Gauge = { name: string; help: string } & (
  | { read: () => number }
  | { label: string; readAll: () => LabelledValues | Promise<LabelledValues> }
);

export type CallMetrics = {
  /** The name of the URL, such as "chat/completions". */
  endpoint: string;
  status: number;
  /** A code of the catalogue; null: success. */
  code: string | null;
  ms: number;
  firstByteMs: number | null;
  /** The settlement; null: none. */
  settled: { inputTokens: number; outputTokens: number; chargedNanoUsd: bigint } | null;
  /** Matches of guardrails. */
  guardrails: readonly { on: string; action: string; count: number }[];
  attempts: readonly { supplier: string; region: string; outcome: string; startedMs: number; endedMs: number }[];
};

/** Counts a finished call and its attempts. */
export function countCall({
  endpoint,
  status,
  code,
  ms,
  firstByteMs,
  settled,
  guardrails,
  attempts,
}: CallMetrics): void {
  if (metrics === null) return;
  metrics.requests.inc({ endpoint, status, code: code ?? "" });
  metrics.seconds.observe({ endpoint }, ms / 1_000);
  if (firstByteMs !== null) metrics.firstByte.observe({ endpoint }, firstByteMs / 1_000);
  if (settled !== null) {
    metrics.tokens.inc({ endpoint, direction: "input" }, settled.inputTokens);
    metrics.tokens.inc({ endpoint, direction: "output" }, settled.outputTokens);
    metrics.charged.inc({ endpoint }, Number(settled.chargedNanoUsd) / NANO_USD_OF_A_DOLLAR);
  }
  for (const { on, action, count } of guardrails) metrics.guardrails.inc({ on, action }, count);
  for (const { supplier, region, outcome, startedMs, endedMs } of attempts) {
    metrics.attempts.inc({ supplier, region, outcome });
    metrics.attemptSeconds.observe({ supplier, region }, Math.max(0, endedMs - startedMs) / 1_000);
  }
}

/** Counts a field that a supplier has rejected, and that is omitted from then on. */
export function countLearnedRefusal(supplier: string, field: string): void {
  metrics?.learnedRefusals.inc({ supplier, field });
}

/** Counts a turn of accounting. `items`: settlements and admissions in it. */
export function countTurn(turn: { kind: "lean" | "full"; isDone: boolean; items: number; ms: number }): void {
  if (metrics === null) return;
  const { kind, isDone, items, ms } = turn;
  metrics.turns.inc({ kind, result: isDone ? "committed" : "failed" });
  metrics.turnItems.inc({ kind }, items);
  metrics.turnSeconds.observe({ kind }, ms / 1_000);
}

/** Starts counting. Returns a function that renders all metrics in Prometheus' text format, and its content type. */
export async function startMetrics(
  gauges: readonly Gauge[],
): Promise<{ read: () => Promise<string>; contentType: string }> {
  const { Counter, collectDefaultMetrics, Gauge: PromGauge, Histogram, Registry } = await import("prom-client");
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  for (const gauge of gauges) {
    const { name, help } = gauge;
    new PromGauge({
      name,
      help,
      registers,
      labelNames: "label" in gauge ? [gauge.label] : [],
      async collect() {
        if ("read" in gauge) return this.set(gauge.read());
        const all = await gauge.readAll();
        this.reset();
        for (const [value, figure] of all) this.set({ [gauge.label]: value }, figure);
      },
    });
  }
  metrics = {
    registry,
    requests: new Counter({
      name: "gw_requests_total",
      help: "Requests of the gateway that have ended",
      registers,
      labelNames: ["endpoint", "status", "code"],
    }),
    seconds: new Histogram({
      name: "gw_request_duration_seconds",
      help: "From the request to the end of its answer",
      registers,
      labelNames: ["endpoint"],
      buckets: SECONDS,
    }),
    firstByte: new Histogram({
      name: "gw_first_byte_seconds",
      help: "From the dispatch to the supplier's first byte",
      registers,
      labelNames: ["endpoint"],
      buckets: SECONDS,
    }),
    tokens: new Counter({
      name: "gw_tokens_total",
      help: "Tokens that were settled",
      registers,
      labelNames: ["endpoint", "direction"],
    }),
    charged: new Counter({
      name: "gw_charged_usd_total",
      help: "US dollars that were charged; the ledger has them exactly",
      registers,
      labelNames: ["endpoint"],
    }),
    guardrails: new Counter({
      name: "gw_guardrail_matches_total",
      help: "What guardrails found in requests and answers",
      registers,
      labelNames: ["on", "action"],
    }),
    attempts: new Counter({
      name: "gw_supplier_attempts_total",
      help: "Attempts at suppliers that have ended",
      registers,
      labelNames: ["supplier", "region", "outcome"],
    }),
    attemptSeconds: new Histogram({
      name: "gw_supplier_attempt_duration_seconds",
      help: "How long attempts at suppliers took",
      registers,
      labelNames: ["supplier", "region"],
      buckets: SECONDS,
    }),
    learnedRefusals: new Counter({
      name: "gw_learned_refusals_total",
      help: "Fields that suppliers have refused, left out since",
      registers,
      labelNames: ["supplier", "field"],
    }),
    turns: new Counter({
      name: "gw_accounting_turns_total",
      help: "Turns of accounting: transactions that settle and admit calls",
      registers,
      labelNames: ["kind", "result"],
    }),
    turnItems: new Counter({
      name: "gw_accounting_turn_items_total",
      help: "Settlements and admissions in turns of accounting",
      registers,
      labelNames: ["kind"],
    }),
    turnSeconds: new Histogram({
      name: "gw_accounting_turn_duration_seconds",
      help: "How long turns of accounting took",
      registers,
      labelNames: ["kind"],
      buckets: TURN_SECONDS,
    }),
  };
  return { read: () => registry.metrics(), contentType: registry.contentType };
}

/** Stops counting. */
export function stopMetrics(): void {
  metrics = null;
}
