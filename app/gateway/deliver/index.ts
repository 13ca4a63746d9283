import { priceUsage } from "~/domain/pricing/index.server";
import { AppError, apiError } from "~/errors/app-error";
import { log } from "~/observe/log.server";
import { unreachable } from "~/values/unreachable";
import type { AdmittedCall } from "../admit/admission";
import type { StreamEnd } from "../call/live-stream";
import type { FailedReply, Reply, StreamReply, WholeReply } from "../call/reply";
import { CLIENT_LEFT, streamError, supplierError } from "../call/supplier-error";
import { SupplierFailure } from "../canonical/supplier-failure";
import type { Usage } from "../canonical/usage";
import type { Dialect, StreamReader } from "../dialects/dialect";
import { allHeaders, gatewayHeaders, usageHeaders } from "../gateway-headers";
import { endCall } from "../log/log-call";
import { type Outcome, type Settled, settle } from "../settle";
import { storeResponse } from "../stored-responses/keep";
import { checkpointOf } from "./checkpoint";
import { type ClientEnd, openClientEnd } from "./client-sink";
import { saveConversation } from "./keep-conversation";
import { heartbeatFor, openStreams } from "./open-streams";
import { EVENT_HEADERS, waitingClientOf } from "./waiting-client";

/**
 * Delivers the answer to the client. A whole answer is sent after its settlement; a stream is passed on as it arrives,
 * and its end is sent after its settlement. "Settled" means committed or, under load, in the write-ahead log.
 * @throws AppError of a call that no supplier answered, or whose answer a guardrail refuses; after its settlement.
 */
export function deliver(admitted: AdmittedCall, reply: Reply): Promise<Response> | Response {
  switch (reply.kind) {
    case "whole":
      return deliverBuffered(admitted, reply);
    case "stream":
      return deliverStream(admitted, reply);
    case "failed":
      return deliverFailure(admitted, reply);
    default:
      return unreachable(reply);
  }
}

async function deliverBuffered(admitted: AdmittedCall, reply: WholeReply): Promise<Response> {
  const { call, claim } = admitted;
  const { route, answer, attempts, rejection } = reply;
  const { usage, estimated, toolUses, outputText } = answer;
  const pictures = () => answer.pictures ?? 0;
  const outcome: Outcome = { kind: "completed", route, usage, estimated, toolUses, outputText, pictures };
  if (rejection !== undefined) {
    await settle(admitted, attempts, { ...outcome, rejection });
    throw rejection;
  }
  const bodyWith = (settledUsage: Usage) => answer.withUsage?.(settledUsage) ?? answer.body;
  const contentType = answer.contentType ?? "application/json";
  const known = { call, route, attempts };
  claim?.answeredWhole({ "content-type": contentType, ...gatewayHeaders(known) }, bodyWith);
  const settled = await settle(admitted, attempts, outcome);
  const body = bodyWith(settled.usage);
  const stored = storeResponse(admitted, body, answer.hiddenThoughts);
  if (stored !== undefined) await stored;
  endCall(admitted, { status: 200, route, settled, attempts });
  saveConversation(admitted, route.model.id, answer.shownText ?? outputText);
  return new Response(body as Uint8Array<ArrayBuffer>, {
    status: 200,
    headers: allHeaders(known, contentType, {
      usage: settled.usage,
      chargedNanoUsd: settled.receipt.chargedNanoUsd,
    }),
  });
}

/** Settles a call that no supplier answered, then throws its error. */
async function deliverFailure(admitted: AdmittedCall, { problem, attempts }: FailedReply): Promise<never> {
  const { call, inference } = admitted;
  const refused =
    problem instanceof SupplierFailure
      ? supplierError(problem, attempts.records.length, inference.retrySafe)
      : problem instanceof AppError
        ? problem
        : apiError("internal_error", { cause: problem });
  const unknown = attempts.records.some(({ outcome }) => outcome === "unknown");
  const answered = problem instanceof SupplierFailure && problem.executed === "yes";
  await settle(admitted, attempts, {
    kind: "failed",
    route: null,
    executed: call.aborted || answered ? "answered" : unknown ? "unknown" : "no",
    status: refused.status,
    errorCode: refused.status === CLIENT_LEFT ? null : refused.code,
    byClient: call.aborted,
  });
  throw refused;
}

function deliverStream(admitted: AdmittedCall, reply: StreamReply): Response {
  const { call, inference, dialect, claim } = admitted;
  const { route, attempts } = reply;
  const own = dialect.streamHeaders?.(inference);
  const headers = { ...(own ?? EVENT_HEADERS), ...gatewayHeaders({ call, route, attempts }), ...headersAhead(reply) };
  const client = waitingClientOf(call)?.over() ?? openClientEnd(call.request, headers, () => reply.live.abort());
  openStreams.add(reply.live, {
    client,
    beat: own === undefined ? heartbeatFor(call.request, dialect) : null,
    checkpoint: checkpointOf(admitted, reply),
  });
  reply.live.connect(claim?.recording(client.sink) ?? client.sink);
  void finishStream(admitted, reply, { client, headers });
  return client.response;
}

/**
 * Waits for the end of the stream, settles the call, and then sends the end to the client. So an answer that looks
 * complete to the client is always committed or in the write-ahead log.
 */
async function finishStream(
  admitted: AdmittedCall,
  reply: StreamReply,
  { client, headers }: { client: ClientEnd; headers: Record<string, string> },
): Promise<void> {
  const { call, dialect, claim } = admitted;
  const { route, live, attempts } = reply;
  const end = await live.ended;
  openStreams.delete(live);
  call.guardrailHits.push(...(live.reader.hits ?? []));
  let settled: Settled | null = null;
  let last = lastBytes(dialect, end, live.reader);
  // A repeated request gets the recorded part of the answer and an error that it was interrupted.
  const unseen = end.kind === "client_gone" ? errorBytes(dialect, "stream_interrupted", live.reader) : last;
  const lastWith = (usage: Usage) =>
    (end.kind === "complete" ? live.reader.terminalWith?.(usage) : undefined) ?? unseen;
  claim?.answeredStream(headers, lastWith);
  try {
    settled = await settle(admitted, attempts, outcomeOf(end, reply));
    last = lastWith(settled.usage);
    if (end.kind === "complete" && last !== null) await storeResponse(admitted, last, live.reader.hiddenThoughts);
  } catch (error) {
    log.error({ call: call.id, err: error }, "a stream could not be settled");
    last = errorBytes(dialect, "streaming_settlement_failed", live.reader);
  }
  endCall(admitted, { status: 200, route, settled, attempts, errorCode: errorCodeOf(end) });
  if (errorCodeOf(end) === null)
    saveConversation(admitted, route.model.id, () => live.reader.shownText?.() ?? live.reader.outputText());
  if (end.kind === "client_gone" || last === null) client.destroy();
  else client.end(last, settled === null ? undefined : usageHeaders(settled.usage, settled.receipt.chargedNanoUsd));
}

function outcomeOf(end: StreamEnd, { route, live }: StreamReply): Outcome {
  const { usage, promptUsage = null, serviceTier, toolUses } = live.reader;
  const produced = { outputText: () => live.reader.outputText(), pictures: () => live.reader.pictures ?? 0 };
  const measured = { route, usage, promptUsage, serviceTier, toolUses, ...produced };
  if (end.kind === "complete") return { kind: "completed", ...measured };
  return {
    kind: "interrupted",
    by: end.kind === "client_gone" ? "client" : end.kind === "refused" ? "guardrail" : "supplier",
    errorCode: errorCodeOf(end),
    ...measured,
  };
}

/**
 * Returns the error code for the client at the end of a stream; null if the stream is complete or the client has left.
 */
function errorCodeOf(end: StreamEnd) {
  switch (end.kind) {
    case "complete":
    case "client_gone":
      return null;
    case "drained":
    case "supplier_cut":
      return "stream_interrupted" as const;
    case "refused":
      return "request_rejected" as const;
    case "supplier_error":
      return "stream_error" as const;
    default:
      return unreachable(end);
  }
}

/**
 * Returns usage headers if the usage is known before the stream ends: only for input that is billed by characters, not
 * tokens.
 */
function headersAhead({ route, live }: StreamReply): Record<string, string> {
  const { usage } = live.reader;
  const { inputPerMtok, outputPerMtok } = route.price;
  if (usage?.characters === undefined || inputPerMtok > 0n || outputPerMtok > 0n) return {};
  return usageHeaders(usage, priceUsage(route.price, usage));
}

function lastBytes(dialect: Dialect, end: StreamEnd, reader: StreamReader): Buffer | null {
  const code = errorCodeOf(end);
  return code === null ? reader.terminal : errorBytes(dialect, code, reader);
}

function errorBytes(
  dialect: Dialect,
  code: "stream_interrupted" | "stream_error" | "streaming_settlement_failed" | "request_rejected",
  reader: StreamReader,
): Buffer | null {
  const reported = reader.rejection ?? (code === "stream_error" ? streamError(reader.failure) : apiError(code));
  const { type, message, humanMessage, supplierCode } = reported;
  const gatewayCode = supplierCode === null ? undefined : code;
  const problem = { code: supplierCode ?? code, type, message, humanMessage, gatewayCode };
  return reader.errorEvent?.(problem) ?? dialect.errorEvent(problem);
}
