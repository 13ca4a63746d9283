import { priceUsage } from "~/domain/metering/index.server";
import { refusal } from "~/errors/app-error";
import { log } from "~/log.server";
import { unreachable } from "~/unreachable";
import type { Ticket } from "../admit";
import type { Reply } from "../call";
import type { StreamEnd } from "../call/live-stream";
import type { Call } from "../call-record";
import type { Ask } from "../canonical/ask";
import type { Usage } from "../canonical/usage";
import type { Dialect, StreamReader } from "../dialects/dialect";
import { gatewayHeaders, usageHeaders, wholeHeaders } from "../gateway-headers";
import { logCall } from "../log/log-call";
import { type Outcome, type Settled, settle } from "../settle";
import { checkpointOf } from "./checkpoint";
import { type ClientEnd, openClientEnd } from "./client-sink";
import { COMMENT, openStreams } from "./open-streams";

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
  const bodyWith = (settledUsage: Usage) => answer.withUsage?.(settledUsage) ?? answer.body;
  const contentType = answer.contentType ?? "application/json";
  call.claim?.answeredWhole({ "content-type": contentType, ...gatewayHeaders(call, lane) }, bodyWith);
  const settled = await settle(call, ask, ticket, dialect, outcome);
  logCall(call, { status: 200, lane, settled });
  call.close();
  return new Response(bodyWith(settled.usage) as Uint8Array<ArrayBuffer>, {
    status: 200,
    headers: wholeHeaders(call, lane, contentType, settled),
  });
}

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
  openStreams.add(
    reply.live,
    client,
    own === undefined ? (dialect.heartbeat ?? COMMENT) : null,
    checkpointOf(answered, reply),
  );
  reply.live.connect(call.claim?.recording(client.sink) ?? client.sink);
  void finishStream(answered, reply, client, headers);
  return client.response;
}

/** Waits for the stream's one exit, settles, and only then shows the client the end: what looks complete is booked. */
async function finishStream(
  answered: Answered,
  reply: Extract<Reply, { kind: "stream" }>,
  client: ClientEnd,
  headers: Record<string, string>,
): Promise<void> {
  const { call, ask, ticket, dialect } = answered;
  const { lane, live } = reply;
  const end = await live.ended;
  openStreams.delete(live);
  let settled: Settled | null = null;
  let last = lastBytes(dialect, end, live.reader);
  // A repetition gets the answer as far as it came, and is told that it broke off.
  const unseen = end.kind === "client_gone" ? errorBytes(dialect, "stream_interrupted", live.reader) : last;
  const lastWith = (usage: Usage) =>
    (end.kind === "complete" ? live.reader.terminalWith?.(usage) : undefined) ?? unseen;
  call.claim?.answeredStream(headers, lastWith);
  try {
    settled = await settle(call, ask, ticket, dialect, outcomeOf(end, reply));
    last = lastWith(settled.usage);
  } catch (problem) {
    log.error({ call: call.id, err: problem }, "a stream could not be settled");
    last = errorBytes(dialect, "streaming_settlement_failed", live.reader);
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

function lastBytes(dialect: Dialect, end: StreamEnd, reader: StreamReader): Buffer | null {
  const code = errorCodeOf(end);
  return code === null ? reader.terminal : errorBytes(dialect, code, reader);
}

function errorBytes(
  dialect: Dialect,
  code: "stream_interrupted" | "stream_error" | "streaming_settlement_failed",
  reader: StreamReader,
): Buffer | null {
  const { type, message, humanMessage } = refusal(code);
  const problem = { code, type, message, humanMessage };
  return reader.errorEvent?.(problem) ?? dialect.errorEvent(problem);
}
