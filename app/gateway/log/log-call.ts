import { isCallLogged, writeLine } from "~/log.server";
import { formatUsd } from "~/money";
import type { Call } from "../call-record";
import type { PricedLane } from "../route";
import type { Settled } from "../settle";
import { compareCost } from "../settle/compare-cost";

/** One wide line a request: ids, figures and codes; never bodies, never secrets. */
export function logCall(
  call: Call,
  end: { status: number; lane: PricedLane | null; settled: Settled | null; errorCode?: string | null },
): void {
  const { ask, caller } = call;
  if (end.lane !== null && end.settled !== null) compareCost(end.lane, end.settled.usage);
  if (!isCallLogged()) return;
  // Written out, in the form of all other lines. Texts are made JSON; ids are gw's own.
  let line = `{"level":"info","time":"${new Date().toISOString()}","call":"${call.id}"`;
  if (caller !== null) line += `,"key":"${caller.publicId}","organisation":${caller.organisationId}`;
  if (ask !== null)
    line += `,"endpoint":"${ask.endpoint}","model":${JSON.stringify(ask.requestedModel)},"stream":${ask.stream}`;
  if (end.lane !== null) {
    const { name, region } = end.lane.supplier;
    line += `,"supplier":${JSON.stringify(name)},"region":${JSON.stringify(region)}`;
  }
  line += `,"attempts":${call.attempts.length},"status":${end.status}`;
  if (end.errorCode != null) line += `,"code":${JSON.stringify(end.errorCode)}`;
  if (end.settled !== null) {
    const { usage, receipt, source, refused } = end.settled;
    line += `,"inputTokens":${usage.inputTokens},"outputTokens":${usage.outputTokens},"costUsd":"${formatUsd(receipt.chargedNanoUsd)}"`;
    if (source === "estimated") line += `,"tokenSource":"estimated"`;
    if (refused != null) line += `,"refusedUsage":${JSON.stringify({ ...refused, supplierCostNanoUsd: undefined })}`;
  }
  writeLine(`${line},"firstByteMs":${call.firstByteMs},"ms":${call.elapsedMs()},"msg":"call"}\n`);
}
