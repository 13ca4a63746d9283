import { priceUsage } from "~/domain/metering/index.server";
import { refusal } from "~/errors/app-error";
import { log } from "~/log.server";
import { formatUsd } from "~/money";
import { unreachable } from "~/unreachable";
import type { Ticket } from "./admit";
import type { Reply } from "./call";
import type { Call } from "./call-record";
import type { Ask } from "./canonical/ask";
import type { Usage } from "./canonical/usage";
import { type ClientEnd, openClientEnd } from "./client-sink";
import type { Dialect } from "./dialects/dialect";
import type { StreamEnd } from "./live-stream";
import { logCall } from "./log-call";
import { openStreams } from "./open-streams";
import type { PricedLane } from "./route";
import { type Outcome, type Settled, settle } from "./settle";

/** What the stages know about a call once a supplier has answered. */
type Answered = { call: Call; ask: Ask; ticket: Ticket; dialect: Dialect };

/** Brings the answer to the client: a whole one after it is settled, a stream as it comes and its end after it is settled. */
export function deliver(answered: Answered, reply: Reply): Promise<Response> | Response {
  return reply.kind === "whole" ? deliverWhole(answered, reply) : deliverStream(answered, reply);
}

async function deliverWhole(
  { call, ask, ticket, dialect }: Answered,
  reply: Extract<Reply, { kind: "whole" }>,
): Promise<Response> {
  const { lane, answer } = reply;
  const { usage, estimated, outputText } = answer;
  const outcome: Outcome = { kind: "completed", lane, usage, estimated, outputText };
  const settled = await settle(call, ask, ticket, dialect, outcome);
  logCall(call, { status: 200, lane, settled });
  call.close();
  const body = answer.withUsage?.(settled.usage) ?? answer.body;
  return new Response(body as Uint8Array<ArrayBuffer>, {
    status: 200,
    headers: {
      "content-type": answer.contentType ?? "application/json",
      ...gatewayHeaders(call, lane),
      ...usageHeaders(settled.usage, settled.receipt.chargedNanoUsd),
    },
  });
}

const usageHeaders = (usage: Usage, costNanoUsd: bigint) => ({
  "x-gw-input-tokens": String(usage.inputTokens),
  "x-gw-output-tokens": String(usage.outputTokens),
  "x-gw-cost-usd": formatUsd(costNanoUsd),
});

/** Server-sent events, which nothing on the way may hold back, change or fill up. */
const EVENT_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

function deliverStream(answered: Answered, reply: Extract<Reply, { kind: "stream" }>): Response {
  const { call, ask, dialect } = answered;
  const own = dialect.streamHeaders?.(ask);
  const headers = { ...(own ?? EVENT_HEADERS), ...gatewayHeaders(call, reply.lane), ...headersAhead(reply) };
  const client = openClientEnd(call.request, headers, () => reply.live.abort());
  openStreams.add(reply.live, client, own === undefined);
  reply.live.connect(client.sink);
  void finishStream(answered, reply, client);
  return client.response;
}

/** Waits for the stream's one exit, settles, and only then shows the client the end: what looks complete is booked. */
async function finishStream(
  answered: Answered,
  reply: Extract<Reply, { kind: "stream" }>,
  client: ClientEnd,
): Promise<void> {
  const { call, ask, ticket, dialect } = answered;
  const { lane, live } = reply;
  const end = await live.ended;
  openStreams.delete(live);
  let settled: Settled | null = null;
  let last = lastBytes(dialect, end, live.reader.terminal);
  try {
    settled = await settle(call, ask, ticket, dialect, outcomeOf(end, reply));
  } catch (problem) {
    log.error({ call: call.id, err: problem }, "a stream could not be settled");
    last = errorBytes(dialect, "streaming_settlement_failed");
  }
  logCall(call, { status: 200, lane, settled, errorCode: errorCodeOf(end) });
  call.close();
  if (end.kind === "client_gone" || last === null) client.destroy();
  else client.end(last);
}

function outcomeOf(end: StreamEnd, { lane, live }: Extract<Reply, { kind: "stream" }>): Outcome {
  const { usage, promptUsage = null } = live.reader;
  const seen = { lane, usage, promptUsage, outputText: () => live.reader.outputText() };
  if (end.kind === "complete") return { kind: "completed", ...seen };
  return {
    kind: "interrupted",
    by: end.kind === "client_gone" ? "client" : "supplier",
    errorCode: errorCodeOf(end),
    ...seen,
  };
}

/** What the client is told about the end; null when it needs no word, or is no longer there to hear it. */
function errorCodeOf(end: StreamEnd) {
  switch (end.kind) {
    case "complete":
    case "client_gone":
      return null;
    case "drained":
    case "supplier_cut":
      return "stream_interrupted" as const;
    case "supplier_error":
      return "stream_error" as const;
    default:
      return unreachable(end);
  }
}

/** The usage of a stream is known at its end, except where only what went in is billed, and not by tokens. */
function headersAhead({ lane, live }: Extract<Reply, { kind: "stream" }>): Record<string, string> {
  const { usage } = live.reader;
  const { inputPerMtok, outputPerMtok } = lane.price;
  if (usage?.characters === undefined || inputPerMtok > 0n || outputPerMtok > 0n) return {};
  return usageHeaders(usage, priceUsage(lane.price, usage));
}

function lastBytes(dialect: Dialect, end: StreamEnd, terminal: Buffer): Buffer | null {
  const code = errorCodeOf(end);
  return code === null ? terminal : errorBytes(dialect, code);
}

function errorBytes(
  dialect: Dialect,
  code: "stream_interrupted" | "stream_error" | "streaming_settlement_failed",
): Buffer | null {
  const { type, message, humanMessage } = refusal(code);
  return dialect.errorEvent({ code, type, message, humanMessage });
}

/** The headers that tell who answered; they are known before the first byte. */
function gatewayHeaders(call: Call, lane: PricedLane): Record<string, string> {
  return {
    "x-request-id": call.id,
    // The name under which SDKs of the messages dialect look for it.
    "request-id": call.id,
    "x-gw-supplier": lane.supplier.name,
    "x-gw-region": lane.supplier.region,
    "x-gw-failover": call.attempts.length > 1 ? "true" : "false",
    "x-gw-latency-ms": String(call.firstByteMs ?? call.elapsedMs()),
  };
}
