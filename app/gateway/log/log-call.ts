import type { Caller } from "~/domain/keys/shared";
import { isCallLogged, writeLine } from "~/observe/log.server";
import { countCall } from "~/observe/metrics.server";
import { formatUsd } from "~/values/money";
import type { Attempts } from "../call/attempts";
import type { Call } from "../call-record";
import type { InferenceRequest } from "../canonical/inference-request";
import type { PricedRoute } from "../route/route-plan";
import type { Settled } from "../settle";

/** Facts about a call at its end. */
export type Known = { call: Call; caller: Caller | null; inference: InferenceRequest | null };

/** End of a call. `settled`: what was charged; null if nothing was settled. */
export type CallEnd = {
  status: number;
  route: PricedRoute | null;
  settled: Settled | null;
  attempts: Attempts;
  errorCode?: string | null;
};

/** Ends a call: writes its log line, counts it in metrics, ends its trace, and frees its resources. */
export function endCall(known: Known, end: CallEnd): void {
  logCall(known, end);
  const { status, errorCode, attempts, settled } = end;
  countCall({
    endpoint: known.call.endpoint,
    status,
    code: errorCode ?? null,
    ms: known.call.elapsedMs(),
    firstByteMs: attempts.firstByteMs,
    settled: settled && {
      inputTokens: settled.usage.inputTokens,
      outputTokens: settled.usage.outputTokens,
      chargedNanoUsd: settled.receipt.chargedNanoUsd,
    },
    guardrails: known.call.guardrailHits,
    attempts: attempts.records,
  });
  known.call.trace?.end({
    status,
    code: errorCode ?? null,
    key: known.caller?.publicId ?? null,
    organisation: known.caller?.organisationId ?? null,
    model: known.inference?.requestedModel ?? null,
    stream: known.inference?.stream ?? false,
    firstByteMs: attempts.firstByteMs,
    settled: settled && { ...settled.usage, chargedNanoUsd: settled.receipt.chargedNanoUsd },
  });
  known.call.inProcess?.ended({ ...end, callId: known.call.id, ms: known.call.elapsedMs() });
  known.inference?.release?.();
  known.call.close();
}

/** Writes one log line per request: ids, numbers and codes; never bodies or secrets. */
export function logCall({ call, caller, inference }: Known, end: CallEnd): void {
  if (!isCallLogged()) return;
  // Builds the JSON by hand, in the form of all other lines. Texts are escaped; ids are gw's own and need no escaping.
  let line = `{"level":"info","time":"${timeNow()}","call":"${call.id}"`;
  if (call.clientRequestId !== null) line += `,"clientRequestId":${JSON.stringify(call.clientRequestId)}`;
  if (caller !== null) line += `,"key":"${caller.publicId}","organisation":${caller.organisationId}`;
  if (inference !== null)
    line += `,"endpoint":"${inference.endpoint}","model":${JSON.stringify(inference.requestedModel)},"stream":${inference.stream}`;
  if (end.route !== null) {
    const { name, region } = end.route.supplier;
    line += `,"supplier":${JSON.stringify(name)},"region":${JSON.stringify(region)}`;
  }
  line += `,"attempts":${end.attempts.records.length},"status":${end.status}`;
  if (call.guardrailHits.length > 0)
    line += `,"guardrails":${JSON.stringify(call.guardrailHits.map(({ on, action, count }) => ({ on, action, count })))}`;
  if (call.webhookNotes.length > 0)
    line += `,"guardrailWebhooks":${JSON.stringify(call.webhookNotes.map(({ by, action, problem, ms }) => ({ by, action, problem, ms })))}`;
  if (end.errorCode != null) line += `,"code":${JSON.stringify(end.errorCode)}`;
  if (end.settled !== null) {
    const { usage, receipt, source, refused } = end.settled;
    line += `,"inputTokens":${usage.inputTokens},"outputTokens":${usage.outputTokens},"costUsd":"${formatUsd(receipt.chargedNanoUsd)}"`;
    if (source === "estimated") line += `,"tokenSource":"estimated"`;
    if (refused != null) line += `,"refusedUsage":${JSON.stringify({ ...refused, supplierCostNanoUsd: undefined })}`;
  }
  writeLine(`${line},"firstByteMs":${end.attempts.firstByteMs},"ms":${call.elapsedMs()},"msg":"call"}\n`);
}

let atMs = 0;
let time = "";

/** Returns the time as text, created once per millisecond. */
function timeNow(): string {
  const now = Date.now();
  if (now !== atMs) {
    atMs = now;
    time = new Date(now).toISOString();
  }
  return time;
}
